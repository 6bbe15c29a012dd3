/// Direct sums of a tile: what `cpu:direct` makes of a strip, and others of what they leave to it.
#pragma once

#include "kernels/highway/strip_plan.h"

namespace bankside::direct {

class DirectStrips {
 public:
  DirectStrips(const ConvolutionProblem& problem, const CorrelationTaps& taps);

  const DirectProgram& program() const { return program_; }
  double tapsAPixel() const;

  /// A tile of a region of the image; `output` is started for it. Throws Cancelled.
  void compute(const SourceBand& in, const Region& region, const StripTile& tile, RowWindow& window,
               RowOutput& output, const std::stop_token& stop) const;

 private:
  struct Kernels {
    void (*step)(const BlockCall&);
    void (*row)(const BlockCall&);
  };
  void runBlock(const FilterBlock& block, const Kernels& kernels, int rows, const RowWindow& window,
                RowOutput& output, const std::stop_token& stop) const;

  const ConvolutionProblem& problem_;
  const CorrelationTaps& taps_;
  const RowKernels& kernels_;
  DirectProgram program_;
  std::vector<Kernels> kernelsOf_;  ///< of each block
  bool inPlace_;
};

}  // namespace bankside::direct

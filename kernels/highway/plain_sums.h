/// Direct sums where a bank in factors may be wrong. An infinite pixel, or one so large that a sum of factors
/// overflows, makes NaN of factors that cancel, where direct sums stay infinite or finite.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/host_plan.h"
#include "kernels/highway/plain_cells.h"
#include "kernels/highway/row_output.h"
#include "kernels/highway/row_window.h"
#include "kernels/highway/separable_factors.h"

namespace bankside::direct {

/// Which parts of a tile are summed directly: cells on the image's own grid whose windows hold a pixel that
/// factors cannot take. What is in one depends on no region, band, strip or thread.
class PlainSums {
 public:
  static constexpr int cellWidth = PlainCells::width;
  static constexpr int cellHeight = 8;

  /// Where no pixel of the type is too large for the factors, or none cancel, nothing is ever wrong.
  PlainSums(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SeparableBank& bank);

  /// Whether pixels have to be looked at.
  bool wanted() const { return wanted_; }

  struct Part {
    StripTile tile;
    bool plain = false;
  };
  /// A thread's memory.
  struct Space {
    AlignedBuffer<float> row;
    std::vector<std::uint8_t> seen;  ///< [source row][cell]: whether its columns see such a pixel of the row
    std::vector<Part> parts;
    RowWindow window;  ///< of direct sums
  };
  /// The parts of a tile, each made in one way; all source rows of the cells that it has a part of are there.
  std::span<const Part> partsOf(const SourceBand& in, const Region& region, const StripTile& tile,
                                Space& space) const;

 private:
  const float* rowOf(const SourceBand& in, int channel, int y, int firstX, int count, float* filled) const;

  const ConvolutionProblem& problem_;
  const CorrelationTaps& taps_;
  bool wanted_ = false;
  float most_ = 0;  ///< the largest |pixel| that no sum overflows with
};

}  // namespace bankside::direct

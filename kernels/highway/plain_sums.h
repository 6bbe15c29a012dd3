/// Direct sums at single results: where a bank in factors may be wrong. An infinite pixel, or one so large
/// that a sum of factors overflows, makes NaN of factors that cancel, where direct sums stay infinite or
/// finite.
#pragma once

#include "kernels/highway/row_output.h"
#include "kernels/highway/row_window.h"
#include "kernels/highway/separable_factors.h"
#include "kernels/highway/tap_program.h"

namespace bankside::direct {

/// A thread's part of it.
struct PlainWindow {
  RowWindow rows;
  AlignedBuffer<float> sums;
  bool started = false;
  int lastTrouble = 0;  ///< lowest source row so far with a pixel that factors cannot take
};

/// The results of a step of rows, in the image. Steps of a tile go downwards.
struct StepPlace {
  int channel = 0;
  int x = 0;
  int y = 0;
  int width = 0;
  int rows = 1;
};

class PlainSums {
 public:
  /// Where no pixel of the type is too large for the factors, or none cancel, nothing is ever wrong.
  PlainSums(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SeparableBank& bank);

  /// Whether pixels have to be looked at.
  bool wanted() const { return !programs_.empty(); }

  /// Whether `count` pixels hold one that factors cannot take. What is near others depends on it alone.
  bool isTrouble(const float* pixels, int count) const;

  /// Results of row `row` of a step that are not finite become direct sums.
  /// Shapes  response: [width], padded by rowSlack
  void mend(const SourceBand& in, const RowKernels& kernels, const StepPlace& step, int row, int filter,
            PlainWindow& window, float* response) const;

 private:
  const ConvolutionProblem& problem_;
  const CorrelationTaps& taps_;
  std::vector<TapProgram> programs_;  ///< one a filter, of one output row; empty where nothing is wanted
  float most_ = 0;                    ///< the largest |pixel| that no sum overflows with
};

}  // namespace bankside::direct

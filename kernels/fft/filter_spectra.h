/// The bank in the frequency domain, in the order in which the transforms leave the pixels.
#pragma once

#include <algorithm>
#include <vector>

#include "core/parallel.h"
#include "kernels/fft/tile_kernels.h"
#include "kernels/highway/row_window.h"

namespace bankside::fft {

class FilterSpectra {
 public:
  /// Transforms in double, conjugates (correlation), divides by the tile's size and rounds once to f32. A
  /// filter whose taps are so large or small that products might leave f32 is multiplied by 2^exponent.
  /// filters: those of which there are to be spectra
  FilterSpectra(const ConvolutionProblem& problem, const CorrelationTaps& taps, const TileTransforms& t,
                const std::vector<int>& filters, const ThreadTeam& team);

  /// [tap channels] spectra one behind the other.
  const float* filter(int f) const { return data_ + static_cast<std::size_t>(f) * filterFloats_; }

  int exponent(int f) const { return exponents_[static_cast<std::size_t>(f)]; }
  /// Whether any filter's is not 0.
  bool scaled() const {
    return std::any_of(exponents_.begin(), exponents_.end(), [](int e) { return e != 0; });
  }

  /// Sums of |tap|, over all channels, as scaled: the largest filter's, and the smallest that is not zero.
  double largestGain() const { return largestGain_; }
  double smallestGain() const { return smallestGain_; }

 private:
  direct::AlignedBuffer<float> memory_;
  float* data_ = nullptr;
  std::size_t filterFloats_ = 0;
  std::vector<int> exponents_;
  double largestGain_ = 0;
  double smallestGain_ = 0;
};

}  // namespace bankside::fft

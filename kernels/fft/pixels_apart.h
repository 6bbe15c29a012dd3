/// Pixels kept apart from a transform, which would spread them over the whole tile: those that are not
/// finite, and few that are so large that what surrounds them would be lost.
#pragma once

#include <cstdint>
#include <vector>

#include "core/problem.h"

namespace bankside::fft {

/// Those under one tile: a transform takes 0 for them, and they are added to the results that see them
/// afterwards. Zero taps are left out, as by direct sums.
class PixelsApart {
 public:
  explicit PixelsApart(const ConvolutionProblem& problem) : problem_(problem) {}

  /// For a tile of width x height results: pixels that are not finite, or larger than `most`.
  void begin(int width, int height, float most);
  /// Pixels [width + kw - 1] under row `y` of the tile's windows.
  void addRow(int channel, int y, const float* pixels);
  bool any() const { return !pixels_.empty(); }

  /// Their part in a filter's responses. Shapes  taps [channels][kh][kw] · responses [height][stride]
  void addTo(const float* taps, float* responses, std::size_t stride) const;

 private:
  struct Pixel {
    int channel, x, y;
    float value;
  };
  void markWindows(int y, const float* pixels);
  void addPixel(const Pixel& pixel, const float* taps, float* responses, std::size_t stride) const;

  const ConvolutionProblem& problem_;
  int width_ = 0;
  int height_ = 0;
  float most_ = 0;
  std::vector<Pixel> pixels_;
  std::vector<std::uint8_t> seesNan_;  ///< [height][width]: whether a result's window has one
};

}  // namespace bankside::fft

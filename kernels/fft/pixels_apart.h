/// Pixels kept apart from a transform, which would spread them over the whole tile: those that are not
/// finite, and few that are so large that what surrounds them would be lost.
#pragma once

#include <cstdint>
#include <vector>

#include "core/problem.h"

namespace bankside::fft {

/// Those under one tile: a transform takes 0 for them, and they are added to the results that see them
/// afterwards, in the direct order of rows. Zero taps are left out, as by direct sums.
class PixelsApart {
 public:
  explicit PixelsApart(const ConvolutionProblem& problem) : problem_(problem) {}

  /// For a tile of width x height results: pixels that are not finite, or larger than `most`.
  void begin(int width, int height, float most);
  /// Pixels [width + kw - 1] under row `y` of the tile's windows.
  void addRow(int channel, int y, const float* pixels);
  /// After the last row.
  void end();
  bool any() const { return any_; }

  /// A filter's part of them into its responses. Shapes  taps [channels][kh][kw] · responses [height][stride]
  void addTo(const float* taps, float* responses, std::size_t stride) const;

 private:
  /// One row: its pixels, 0 for those that are not apart, and what each window of it holds; both empty where
  /// none is.
  struct Row {
    std::vector<float> pixels;
    std::vector<std::uint8_t> seen;
  };
  const Row& row(int channel, int y) const {
    return rows_[static_cast<std::size_t>(channel) * static_cast<std::size_t>(pixelRows()) +
                 static_cast<std::size_t>(y)];
  }
  int pixelRows() const { return height_ + problem_.filterHeight - 1; }
  /// What row `y` of the tile's windows adds at column `x`, given the row of taps and the sign they share.
  float sumOfRow(const Row& row, int x, const float* taps, int sign) const;

  const ConvolutionProblem& problem_;
  int width_ = 0;
  int height_ = 0;
  float most_ = 0;
  bool any_ = false;
  std::vector<Row> rows_;           ///< [channel][pixel row]
  std::vector<std::uint8_t> seen_;  ///< [height][width]: what a result's whole window holds
};

}  // namespace bankside::fft

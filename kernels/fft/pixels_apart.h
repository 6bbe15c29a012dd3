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
  PixelsApart(const ConvolutionProblem& problem, const CorrelationTaps& taps);

  /// For a tile of width x height results: pixels that are not finite, or larger than `most`.
  void begin(int width, int height, float most);
  /// Pixels [width + kw - 1] under row `y` of the tile's windows.
  void addRow(int channel, int y, const float* pixels);
  /// After the last row.
  void end();

  /// So many that direct sums of the whole tile cost less than adding them to transformed ones.
  bool tooMany() const;
  /// Every result of the bank sees a NaN under a tap that is not zero.
  bool allNan() const { return dense_ && nanResults_ == static_cast<std::size_t>(width_) * rows(); }
  /// A result that sees a NaN is NaN in every filter.
  bool alikeInAll() const { return dense_; }

  /// Their part in a filter's responses; `nan`: with results that a dense filter makes NaN.
  /// Shapes  responses [height][stride]
  void addTo(int filter, bool nan, float* responses, std::size_t stride) const;

  /// `value` where a window has a NaN. Shapes  to [height][stride]
  template <class T>
  void fillNan(T value, T* to, std::size_t stride) const {
    for (const Run& run : nanRuns_) {
      T* const row = to + static_cast<std::size_t>(run.y) * stride;
      for (int x = run.first; x < run.last; ++x) row[x] = value;
    }
  }

 private:
  struct Pixel {
    int channel, x, y;
    float value;
  };
  /// Results [first, last) of a row.
  struct Run {
    int y, first, last;
  };
  std::size_t rows() const { return static_cast<std::size_t>(height_); }
  using Word = std::uint64_t;
  static constexpr int wordBits = 64;
  void markWindows(int y);
  void addRuns(int y);
  void addPixel(const Pixel& pixel, const float* taps, float* responses, std::size_t stride) const;

  const ConvolutionProblem& problem_;
  const CorrelationTaps& taps_;
  std::vector<bool> denseFilters_;  ///< those without zero taps
  bool dense_ = true;               ///< all of them
  int width_ = 0;
  int height_ = 0;
  float most_ = 0;
  std::vector<Pixel> pixels_;  ///< without NaN where all filters are dense
  bool anyNan_ = false;
  std::vector<std::uint8_t> nanRows_;  ///< rows of pixels: whether any has one, in any channel
  int words_ = 0;                      ///< of a row's bits
  std::vector<Word> nans_;             ///< of one row
  std::vector<Word> windows_;          ///< [rows of pixels][words]: which windows see one of the row's
  std::vector<Run> nanRuns_;
  std::size_t nanResults_ = 0;
};

}  // namespace bankside::fft

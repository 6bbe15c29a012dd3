/// Which results of a group of rows are made plainly: cells of columns whose windows hold a pixel that a
/// group's sums cannot take, NaN, infinite or so large that they overflow. No result is made twice.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/highway/row_window.h"

namespace bankside::direct {

/// Cells lie on the image's own grid, and what is in one depends on no region, band, strip or thread: a tile
/// that begins or ends within a cell looks at all of it.
class PlainCells {
 public:
  /// As many columns as the widest kernels make at a time, or half of them.
  static constexpr int width = 64;

  /// Output pixels [first, last) of a tile, all made in one way.
  struct Run {
    int first = 0;
    int last = 0;
    bool plain = false;
  };

  /// Whole cells around output pixels [x0, x0 + pixels) of an image.
  struct Span {
    int first = 0;  ///< image column
    int count = 0;
  };
  static Span around(int x0, int pixels, int imageWidth);

  /// Marks the cells of `pixels` output pixels that see a pixel of a row beyond `most`; the row's first one
  /// lies under the first output pixel's first tap.
  static void mark(const float* row, int pixels, int filterWidth, float most, std::uint8_t* cells);

  /// For a window that was started for `span`. `most`: the largest |pixel| that groups take.
  void start(const ConvolutionProblem& problem, const Span& span, int windowRows, float most);

  /// The window stands at source row `first` and `rows` of its rows are ready. Calls go downwards.
  void moveTo(const RowWindow& window, int first, int rows);

  /// Of the group at which the window stands, from the span's first column to its last.
  const std::vector<Run>& runs() const { return runs_; }

 private:
  void makeRuns();

  int channels_ = 1;
  int filterWidth_ = 1;
  int windowRows_ = 1;
  int pixels_ = 0;
  float most_ = 0;
  bool started_ = false;
  int ready_ = 0;                         ///< source rows above this one were looked at
  std::vector<std::uint8_t> cellsOfRow_;  ///< [slot][cell], of all channels
  std::vector<std::uint8_t> anyOfRow_;    ///< [slot]
  std::vector<std::uint8_t> cells_;
  std::vector<Run> runs_;
};

}  // namespace bankside::direct

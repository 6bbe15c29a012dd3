#include "kernels/highway/plain_cells.h"

#include <algorithm>

#include "kernels/highway/row_extent.h"

namespace bankside::direct {

PlainCells::Span PlainCells::around(int x0, int pixels, int imageWidth) {
  const int first = x0 / width * width;
  const int last = std::min((x0 + pixels + width - 1) / width * width, imageWidth);
  return {first, last - first};
}

void PlainCells::start(const ConvolutionProblem& problem, const Span& span, int windowRows, float most) {
  channels_ = problem.tapChannels();
  filterWidth_ = problem.filterWidth;
  windowRows_ = windowRows;
  pixels_ = span.count;
  most_ = most;
  started_ = false;
  cells_.assign(static_cast<std::size_t>((pixels_ + width - 1) / width), 0);
  anyOfRow_.assign(static_cast<std::size_t>(windowRows), 0);
  cellsOfRow_.assign(anyOfRow_.size() * cells_.size(), 0);
}

void PlainCells::moveTo(const RowWindow& window, int first, int rows) {
  const int from = started_ ? std::max(ready_, first) : first;
  bool any = false;
  for (int r = 0; r < rows; ++r) {
    const auto slot = static_cast<std::size_t>(((first + r) % windowRows_ + windowRows_) % windowRows_);
    if (first + r >= from) {
      std::uint8_t* const cells = cellsOfRow_.data() + slot * cells_.size();
      anyOfRow_[slot] = 0;
      for (int c = 0; c < channels_; ++c) {
        const float* const row = window.rows()[c * windowRows_ + r];
        if (largestOfRow(row, pixels_ + filterWidth_ - 1) <= most_) continue;
        if (anyOfRow_[slot] == 0) std::fill(cells, cells + cells_.size(), std::uint8_t{0});
        mark(row, pixels_, filterWidth_, most_, cells);
        anyOfRow_[slot] = 1;
      }
    }
    any = any || anyOfRow_[slot] != 0;
  }
  ready_ = std::max(from, first + rows);
  started_ = true;
  std::fill(cells_.begin(), cells_.end(), std::uint8_t{0});
  for (int r = 0; any && r < rows; ++r) {
    const auto slot = static_cast<std::size_t>(((first + r) % windowRows_ + windowRows_) % windowRows_);
    if (anyOfRow_[slot] == 0) continue;
    const std::uint8_t* const cells = cellsOfRow_.data() + slot * cells_.size();
    for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] |= cells[i];
  }
  makeRuns();
}

void PlainCells::mark(const float* row, int pixels, int filterWidth, float most, std::uint8_t* cells) {
  for (int x = 0; x < pixels; x += width, ++cells) {
    const int seen = std::min(width, pixels - x) + filterWidth - 1;
    if (!(largestOfRow(row + x, seen) <= most)) *cells = 1;
  }
}

void PlainCells::makeRuns() {
  runs_.clear();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const int first = static_cast<int>(i) * width;
    const int last = std::min(first + width, pixels_);
    if (!runs_.empty() && runs_.back().plain == (cells_[i] != 0))
      runs_.back().last = last;
    else
      runs_.push_back({first, last, cells_[i] != 0});
  }
}

}  // namespace bankside::direct

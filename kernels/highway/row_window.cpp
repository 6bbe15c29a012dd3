#include "kernels/highway/row_window.h"

#include <algorithm>

namespace bankside::direct {

void RowWindow::start(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SourceBand& in,
                      const RowKernels& kernels, int firstChannel, int x0, int width, int windowRows) {
  problem_ = &problem;
  taps_ = &taps;
  in_ = &in;
  kernels_ = &kernels;
  firstChannel_ = firstChannel;
  firstX_ = x0 - taps.anchorX;
  pixels_ = width + problem.filterWidth - 1;
  windowRows_ = windowRows;
  started_ = false;
  stride_ = paddedRow(pixels_);
  const auto rows = static_cast<std::size_t>(problem.tapChannels()) * static_cast<std::size_t>(windowRows);
  data_ = ring_.atLeast(rows * stride_);
  table_.assign(rows, nullptr);
  // Vectors read past the last pixel. What they make there is never stored, but it shall not be slow (NaN,
  // denormals) or undefined.
  for (std::size_t i = 0; i < rows; ++i) {
    std::fill(data_ + i * stride_ + pixels_, data_ + (i + 1) * stride_, 0.0f);
  }
}

void RowWindow::moveTo(int y, int rows) {
  const int first = y - taps_->anchorY;
  const int from = started_ ? std::max(ready_, first) : first;
  for (int c = 0; c < problem_->tapChannels(); ++c) {
    const auto slots = static_cast<std::size_t>(c) * static_cast<std::size_t>(windowRows_);
    for (int r = 0; r < rows; ++r) {
      const int sourceY = first + r;
      const int slot = ((sourceY % windowRows_) + windowRows_) % windowRows_;
      float* row = data_ + (slots + static_cast<std::size_t>(slot)) * stride_;
      if (sourceY >= from) fill(c, sourceY, row);
      table_[slots + static_cast<std::size_t>(r)] = row;
    }
  }
  ready_ = std::max(from, first + rows);
  started_ = true;
}

void RowWindow::fill(int channel, int y, float* dst) const {
  const std::byte* row = in_->row(firstChannel_ + channel, y);
  const int width = problem_->width;
  const int left = row == nullptr ? pixels_ : std::clamp(-firstX_, 0, pixels_);
  const int right = row == nullptr ? pixels_ : std::clamp(width - firstX_, left, pixels_);
  if (row == nullptr || left > 0) {
    gatherRow(row, problem_->srcType, width, problem_->border, firstX_, left, dst);
  }
  if (right > left) {
    const auto offset = static_cast<std::size_t>(firstX_ + left) * sizeOf(problem_->srcType);
    kernels_->widen(problem_->srcType, row + offset, right - left, dst + left);
  }
  if (right < pixels_) {
    gatherRow(row, problem_->srcType, width, problem_->border, firstX_ + right, pixels_ - right, dst + right);
  }
}

}  // namespace bankside::direct

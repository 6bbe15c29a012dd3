#include "kernels/highway/row_window.h"

#include <algorithm>

namespace bankside::direct {

void RowWindow::start(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SourceBand& in,
                      const RowKernels& kernels, int firstChannel, int x0, int width, int windowRows,
                      bool inPlace) {
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
  middleTable_.assign(rows, nullptr);
  middleOfSlot_.assign(rows, nullptr);
  findMiddle(width, inPlace);
  // Vectors read past the last pixel. What they make there is never stored, but it shall not be slow (NaN,
  // denormals) or undefined.
  for (std::size_t i = 0; i < rows; ++i) {
    std::fill(data_ + i * stride_ + pixels_, data_ + (i + 1) * stride_, 0.0f);
  }
}

/// Whole parts of a row whose taps all lie inside the image.
void RowWindow::findMiddle(int width, bool inPlace) {
  // A multiple of what kernels make at a time: the parts do not end in single vectors, where the row does
  // not.
  constexpr int part = 64;
  constexpr int shortest = 4 * part;  // else the ends cost more than the copy
  middleFirst_ = middleLast_ = 0;
  if (!inPlace || problem_->srcType != ElementType::F32) return;
  const int first = (std::max(0, -firstX_) + part - 1) / part * part;
  const int inside = std::min(width, problem_->width - firstX_ - problem_->filterWidth + 1);
  const int last = first + (inside - first) / part * part;
  if (last - first < shortest) return;
  middleFirst_ = first;
  middleLast_ = last;
}

void RowWindow::moveTo(int y, int rows) {
  const int first = y - taps_->anchorY;
  const int from = started_ ? std::max(ready_, first) : first;
  for (int c = 0; c < problem_->tapChannels(); ++c) {
    const auto slots = static_cast<std::size_t>(c) * static_cast<std::size_t>(windowRows_);
    for (int r = 0; r < rows; ++r) {
      const int sourceY = first + r;
      const int slot = ((sourceY % windowRows_) + windowRows_) % windowRows_;
      const std::size_t at = slots + static_cast<std::size_t>(slot);
      float* row = data_ + at * stride_;
      if (sourceY >= from) middleOfSlot_[at] = fillRow(c, sourceY, row);
      table_[slots + static_cast<std::size_t>(r)] = row;
      middleTable_[slots + static_cast<std::size_t>(r)] = middleOfSlot_[at];
    }
  }
  ready_ = std::max(from, first + rows);
  started_ = true;
}

/// Fills what is not read in place; returns where the middle is to be read, as if from padded pixel 0 on.
const float* RowWindow::fillRow(int channel, int y, float* dst) const {
  const std::byte* row = in_->row(firstChannel_ + channel, y);
  const bool readable = row != nullptr && reinterpret_cast<std::uintptr_t>(row) % alignof(float) == 0;
  if (middleLast_ == 0 || !readable) {
    fill(row, 0, pixels_, dst);
    return dst;
  }
  fill(row, 0, std::min(pixels_, middleFirst_ + problem_->filterWidth - 1), dst);
  fill(row, middleLast_, pixels_, dst);
  return reinterpret_cast<const float*>(row) + firstX_;
}

/// Padded pixels [begin, end).
void RowWindow::fill(const std::byte* row, int begin, int end, float* dst) const {
  const int width = problem_->width;
  const int left = row == nullptr ? end : std::clamp(-firstX_, begin, end);
  const int right = row == nullptr ? end : std::clamp(width - firstX_, left, end);
  if (left > begin) {
    gatherRow(row, problem_->srcType, width, problem_->border, firstX_ + begin, left - begin, dst + begin);
  }
  if (right > left) {
    const auto offset = static_cast<std::size_t>(firstX_ + left) * sizeOf(problem_->srcType);
    kernels_->widen(problem_->srcType, row + offset, right - left, dst + left);
  }
  if (right < end) {
    gatherRow(row, problem_->srcType, width, problem_->border, firstX_ + right, end - right, dst + right);
  }
}

}  // namespace bankside::direct

#include "kernels/highway/row_window.h"

#include <algorithm>
#include <cstring>

namespace bankside::direct {
namespace {

/// Floats of a small image, padded: half of a first cache.
constexpr std::size_t wholeFloats = 4096;

/// Copies a few floats in pieces whose size is known: a call of memcpy takes longer than they do.
void copyFloats(const std::byte* src, int count, float* dst) {
  constexpr int piece = 4;
  constexpr int few = 64;
  if (count > few) {
    std::memcpy(dst, src, static_cast<std::size_t>(count) * sizeof(float));
    return;
  }
  int i = 0;
  for (; i + piece <= count; i += piece)
    std::memcpy(dst + i, src + i * std::ptrdiff_t{sizeof(float)}, piece * sizeof(float));
  for (; i < count; ++i) std::memcpy(dst + i, src + i * std::ptrdiff_t{sizeof(float)}, sizeof(float));
}

struct Rows {
  int count;
  std::ptrdiff_t srcBytes;
  std::size_t dstFloats;
};

template <int columns>
void copyColumns(const std::byte* src, float* dst, const Rows& rows) {
#pragma GCC unroll 4
  for (int y = 0; y < rows.count; ++y, src += rows.srcBytes, dst += rows.dstFloats) {
    float pixels[columns];
    std::memcpy(pixels, src, sizeof pixels);
    std::memcpy(dst, pixels, sizeof pixels);
  }
}

}  // namespace

void RowWindow::start(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SourceBand& in,
                      const RowKernels& kernels, int firstChannel, int x0, int width, int windowRows,
                      bool inPlace, RowRange all) {
  const int firstX = x0 - taps.anchorX;
  const int pixels = width + problem.filterWidth - 1;
  const bool same = problem_ == &problem && firstX_ == firstX && pixels_ == pixels &&
                    windowRows_ == windowRows && inPlace_ == inPlace && all_ == all;
  in_ = &in;
  firstChannel_ = firstChannel;
  started_ = false;
  if (!same) {
    problem_ = nullptr;  // should there be no memory
    taps_ = &taps;
    kernels_ = &kernels;
    firstX_ = firstX;
    pixels_ = pixels;
    windowRows_ = windowRows;
    inPlace_ = inPlace;
    all_ = all;
    layOut(problem, width);
    problem_ = &problem;
  }
  if (whole_) fillImage(in);
}

/// Every row of a small image that is looked at.
void RowWindow::fillImage(const SourceBand& in) {
  const int first = std::max(all_.first, 0);
  const int last = std::min(all_.first + all_.count, problem_->height);
  const auto plane = in.whole(firstChannel_);
  if (!plane || problem_->srcType != ElementType::F32) {
    for (int y = first; y < last; ++y) fillWhole(in.row(firstChannel_, y), wholeRow(y));
    return;
  }
  // Columns one after another: as many rows as there are cost less than a row's few pixels.
  const std::byte* src = plane->row(first) + (firstX_ + insideFirst_) * std::ptrdiff_t{sizeof(float)};
  float* const dst = wholeRow(first);
  const int inside = insideCount_;
  const Rows rows{last - first, plane->strideBytes, stride_};
  int x = 0;
  for (; x + 4 <= inside; x += 4)
    copyColumns<4>(src + x * std::ptrdiff_t{sizeof(float)}, dst + insideFirst_ + x, rows);
  for (; x < inside; ++x)
    copyColumns<1>(src + x * std::ptrdiff_t{sizeof(float)}, dst + insideFirst_ + x, rows);
  for (const EndPixel& end : ends_)
    copyColumns<1>(src + end.from * std::ptrdiff_t{sizeof(float)}, dst + end.at, rows);
}

/// What depends on nothing but the tile's place and size.
void RowWindow::layOut(const ConvolutionProblem& problem, int width) {
  stride_ = paddedRow(pixels_);
  findMiddle(problem, width);
  findEnds(problem);
  firstOfTable_ = 0;
  whole_ = fitsWhole(problem);
  const auto rows =
      whole_ ? static_cast<std::size_t>(all_.count)
             : static_cast<std::size_t>(problem.tapChannels()) * static_cast<std::size_t>(windowRows_);
  data_ = ring_.atLeast(rows * stride_);
  table_.assign(rows, nullptr);
  middleTable_.assign(rows, nullptr);
  middleOfSlot_.assign(rows, nullptr);
  // Vectors read past the last pixel. What they make there is never stored, but it shall not be slow (NaN,
  // denormals) or undefined.
  for (std::size_t i = 0; i < rows; ++i) {
    float* row = data_ + i * stride_;
    std::fill(row, row + insideFirst_, problem.border.value);
    std::fill(row + insideFirst_ + insideCount_, row + pixels_, problem.border.value);
    std::fill(row + pixels_, row + stride_, 0.0f);
  }
  if (whole_) layOutWhole(problem);
}

bool RowWindow::fitsWhole(const ConvolutionProblem& problem) const {
  if (all_.count == 0 || problem.tapChannels() > 1 || !endsRepeat_) return false;
  if (static_cast<std::size_t>(all_.count) * stride_ > wholeFloats) return false;
  for (int i = 0; i < all_.count; ++i) {
    const int inside = borderIndex(all_.first + i, problem.height, problem.border);
    if (inside >= 0 && (inside < all_.first || inside >= all_.first + all_.count)) return false;
  }
  return true;
}

void RowWindow::layOutWhole(const ConvolutionProblem& problem) {
  for (int i = 0; i < all_.count; ++i) {
    const int y = all_.first + i;
    const int inside = borderIndex(y, problem.height, problem.border);
    float* row = wholeRow(inside < 0 ? y : inside);
    if (inside < 0) std::fill(row, row + pixels_, problem.border.value);
    table_[static_cast<std::size_t>(i)] = row;
  }
}

/// Whole parts of a row whose taps all lie inside the image.
void RowWindow::findMiddle(const ConvolutionProblem& problem, int width) {
  // A multiple of what kernels make at a time: the parts do not end in single vectors, where the row does
  // not.
  constexpr int part = 64;
  constexpr int shortest = 4 * part;  // else the ends cost more than the copy
  middleFirst_ = middleLast_ = 0;
  if (!inPlace_ || problem.srcType != ElementType::F32) return;
  const int first = (std::max(0, -firstX_) + part - 1) / part * part;
  const int inside = std::min(width, problem.width - firstX_ - problem.filterWidth + 1);
  const int last = first + (inside - first) / part * part;
  if (last - first < shortest) return;
  middleFirst_ = first;
  middleLast_ = last;
}

/// Where the ends of a row can be had from the row itself; a tile of a wider image may lack some of it.
void RowWindow::findEnds(const ConvolutionProblem& problem) {
  ends_.clear();
  insideFirst_ = std::clamp(-firstX_, 0, pixels_);
  insideCount_ = std::clamp(problem.width - firstX_, insideFirst_, pixels_) - insideFirst_;
  endsRepeat_ = middleLast_ == 0;
  for (int i = 0; i < pixels_ && endsRepeat_; ++i) {
    const int inside = borderIndex(firstX_ + i, problem.width, problem.border);
    if (inside == firstX_ + i || inside < 0) continue;
    const int from = inside - firstX_;
    endsRepeat_ = from >= 0 && from < pixels_;
    ends_.push_back({i, from - insideFirst_});
  }
}

void RowWindow::moveRing(int first, int rows) {
  const int from = started_ ? std::max(ready_, first) : first;
  const int firstSlot = ((first % windowRows_) + windowRows_) % windowRows_;
  for (int c = 0; c < problem_->tapChannels(); ++c) {
    const auto slots = static_cast<std::size_t>(c) * static_cast<std::size_t>(windowRows_);
    int slot = firstSlot;
    for (int r = 0; r < rows; ++r) {
      const std::size_t at = slots + static_cast<std::size_t>(slot);
      float* row = data_ + at * stride_;
      if (first + r >= from) middleOfSlot_[at] = fillRow(c, first + r, row);
      table_[slots + static_cast<std::size_t>(r)] = row;
      middleTable_[slots + static_cast<std::size_t>(r)] = middleOfSlot_[at];
      if (++slot == windowRows_) slot = 0;
    }
  }
  ready_ = std::max(from, first + rows);
  started_ = true;
}

/// Fills what is not read in place; returns where the middle is to be read, as if from padded pixel 0 on.
const float* RowWindow::fillRow(int channel, int y, float* dst) const {
  const std::byte* row = in_->row(firstChannel_ + channel, y);
  if (endsRepeat_ && row != nullptr) {
    fillWhole(row, dst);
    return dst;
  }
  const bool readable = row != nullptr && reinterpret_cast<std::uintptr_t>(row) % alignof(float) == 0;
  if (middleLast_ == 0 || !readable) {
    fill(row, 0, pixels_, dst);
    return dst;
  }
  fill(row, 0, std::min(pixels_, middleFirst_ + problem_->filterWidth - 1), dst);
  fill(row, middleLast_, pixels_, dst);
  return reinterpret_cast<const float*>(row) + firstX_;
}

void RowWindow::fillWhole(const std::byte* row, float* dst) const {
  const std::byte* src =
      row + (firstX_ + insideFirst_) * static_cast<std::ptrdiff_t>(sizeOf(problem_->srcType));
  float* const inside = dst + insideFirst_;
  if (problem_->srcType != ElementType::F32) {
    kernels_->widen(problem_->srcType, src, insideCount_, inside);
    for (const EndPixel& end : ends_) dst[end.at] = inside[end.from];
    return;
  }
  copyFloats(src, insideCount_, inside);
  // What the row has already is read from it: what was just written must first be there.
  for (const EndPixel& end : ends_)
    std::memcpy(dst + end.at, src + end.from * std::ptrdiff_t{sizeof(float)}, sizeof(float));
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

bool lowEnoughInPlace(const ConvolutionProblem& problem) { return problem.filterHeight <= 5; }

}  // namespace bankside::direct

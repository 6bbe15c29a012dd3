#include "core/imageio/read_ahead.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/stopwatch.h"

namespace bankside {

ReadAhead::ReadAhead(std::unique_ptr<Source> inner, std::int64_t bytes) : inner_(std::move(inner)) {
  const std::int64_t rowBytes =
      static_cast<std::int64_t>(channels()) * width() * static_cast<std::int64_t>(sizeOf(type()));
  blockRows_ = static_cast<int>(std::clamp<std::int64_t>(bytes / 2 / rowBytes, 1, height()));
}

ReadAhead::~ReadAhead() {
  if (reading_.valid()) reading_.wait();
}

void ReadAhead::readRows(int channel, int firstRow, MutablePlane dst) {
  const std::size_t bytes = static_cast<std::size_t>(dst.width) * sizeOf(dst.type);
  for (int y = 0; y < dst.height; ++y) {
    const int row = firstRow + y;
    moveTo(row / blockRows_);
    std::copy_n(std::as_const(here_.rows).plane(channel).row(row % blockRows_), bytes, dst.row(y));
  }
}

double ReadAhead::seconds() const {
  if (reading_.valid()) reading_.wait();
  return seconds_;
}

void ReadAhead::moveTo(int number) {
  if (here_.number == number) return;
  if (reading_.valid()) reading_.wait();
  if (next_.number == number) {
    std::swap(here_, next_);
  } else {
    fill(here_, number);  // what went wrong ahead is thrown here
  }
  if ((number + 1) * static_cast<std::int64_t>(blockRows_) < height()) readNext();
}

void ReadAhead::readNext() {
  next_.number = here_.number + 1;
  try {
    reading_ = std::async(std::launch::async, [this] { fill(next_, next_.number); });
  } catch (const std::exception&) {
    next_.number = -1;  // no thread can be had: it is read when it is asked for
  }
}

void ReadAhead::fill(Block& block, int number) {
  const auto start = Clock::now();
  block.number = -1;  // whatever is thrown below, no half-read block is ever found
  if (block.rows.empty()) block.rows = Image(channels(), blockRows_, width(), type());
  const int first = number * blockRows_;
  const int rows = std::min(blockRows_, height() - first);
  for (int y = 0; y < rows; ++y) {
    for (int c = 0; c < channels(); ++c) {
      MutablePlane row = block.rows.plane(c);
      row.data = row.row(y);
      row.height = 1;
      inner_->readRows(c, first + y, row);
    }
  }
  block.number = number;
  seconds_ += secondsSince(start);
}

}  // namespace bankside

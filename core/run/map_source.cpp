#include "core/run/map_source.h"

#include <algorithm>
#include <chrono>

#include "core/error.h"
#include "core/parallel.h"

namespace bankside {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Blocks that a budget is cut into: more of them follow a band more closely, fewer share more halo rows.
constexpr int blocksHeld = 8;

}  // namespace

MapSource::MapSource(BankPass& first, Activation activation, Source& image, std::int64_t budget, Spare& spare,
                     std::stop_token stop)
    : first_(first),
      activation_(activation),
      image_(image),
      spare_(spare),
      stop_(std::move(stop)),
      channels_(static_cast<int>(first.names(image.channels()).size())),
      hidden_(first.hidden(image.channels())),
      steps_(first.steps(image)),
      times_(steps_.size()) {
  std::int64_t rowBytes = 0;
  for (const ElementType type : first.planes(image.channels()))
    rowBytes += static_cast<std::int64_t>(image.width()) * static_cast<std::int64_t>(sizeOf(type));
  const std::int64_t rows = std::clamp<std::int64_t>(budget / rowBytes, 2, image.height() + 1);
  if (rows >= image.height()) {
    blockRows_ = image.height();
  } else {
    blockRows_ = static_cast<int>(std::max<std::int64_t>(1, rows / blocksHeld));
    capacity_ = static_cast<int>(rows / blockRows_);
  }
}

MapSource::~MapSource() {
  spare_.clear();
  for (Block& block : blocks_) spare_.push_back(std::move(block.planes));
}

std::optional<ConstPlane> MapSource::resident(int channel) const {
  if (blockRows_ < image_.height() || blocks_.empty() || blocks_.front().number != 0) return std::nullopt;
  return blocks_.front().planes[hidden_ + static_cast<std::size_t>(channel)].plane(0);
}

void MapSource::readRows(int channel, int firstRow, MutablePlane dst) {
  const std::size_t bytes = static_cast<std::size_t>(dst.width) * sizeof(float);
  for (int y = 0; y < dst.height; ++y) {
    const int row = firstRow + y;
    const Block& from = block(row / blockRows_);
    const Image& plane = from.planes[hidden_ + static_cast<std::size_t>(channel)];
    std::copy_n(plane.plane(0).row(row % blockRows_), bytes, dst.row(y));
  }
}

void MapSource::fill() {
  if (blockRows_ >= image_.height()) block(0);
}

const std::vector<BankPass::Step>& MapSource::steps() {
  first_.makePlans(steps_);
  return steps_;
}

double MapSource::seconds() const {
  double sum = combineSeconds_ + activationSeconds_;
  for (const PhaseTimes& times : times_) sum += times.total();
  return sum;
}

MapSource::Block& MapSource::block(int number) {
  ++clock_;
  Block* oldest = nullptr;
  for (Block& block : blocks_) {
    if (block.number == number) {
      block.used = clock_;
      return block;
    }
    if (oldest == nullptr || block.used < oldest->used) oldest = &block;
  }
  if (static_cast<int>(blocks_.size()) < capacity_) oldest = &blocks_.emplace_back();
  oldest->number = -1;  // whatever is thrown below, no half-made block is ever found
  oldest->used = clock_;
  if (oldest->planes.empty() && !spare_.empty()) {
    oldest->planes = std::move(spare_.back());
    spare_.pop_back();
  }
  const std::vector<ElementType> types = first_.planes(image_.channels());
  const bool fits = oldest->planes.size() == types.size() && oldest->planes.front().height() == blockRows_ &&
                    oldest->planes.front().width() == image_.width();
  if (!fits) {
    oldest->planes.clear();
    for (const ElementType type : types) oldest->planes.emplace_back(1, blockRows_, image_.width(), type);
  }
  oldest->number = number;
  try {
    compute(*oldest);
  } catch (...) {
    oldest->number = -1;
    throw;
  }
  return *oldest;
}

void MapSource::compute(Block& block) {
  first_.makePlans(steps_);
  const int firstRow = block.number * blockRows_;
  const Region band{0, firstRow, image_.width(), std::min(blockRows_, image_.height() - firstRow)};
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const PhaseTimes times = BankPass::run(steps_[i], image_, band, block.planes, stop_);
    times_[i].upload += times.upload;
    times_[i].compute += times.compute;
    times_[i].download += times.download;
  }
  combineSeconds_ += first_.combine(image_.channels(), band.height, block.planes);
  const auto start = Clock::now();
  if (activation_ != Activation::None) {
    const ThreadTeam team(first_.options().threads);
    for (std::size_t plane = hidden_; plane < block.planes.size(); ++plane) {
      const auto values = block.planes[plane].view<float>(0);
      team.forRanges(0, band.height, 16, [&](int first, int last) {
        for (int y = first; y < last; ++y) activate(activation_, values.row(y), values.width);
      });
    }
  }
  activationSeconds_ += secondsSince(start);
  if (stop_.stop_requested()) throw Cancelled();
}

}  // namespace bankside

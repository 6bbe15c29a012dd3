#include "core/run/map_source.h"

#include <algorithm>

#include "core/error.h"

namespace bankside {
namespace {

/// Blocks that a budget is cut into: more of them follow a band more closely, fewer share more halo rows.
constexpr int blocksHeld = 8;

}  // namespace

MapSource::MapSource(BankPass& stage, Source& seen, MapSource* before, const FilterBank& next,
                     std::int64_t budget, Spare& spare, std::stop_token stop)
    : stage_(stage),
      seen_(seen),
      before_(before),
      spare_(spare),
      stop_(std::move(stop)),
      channels_(static_cast<int>(stage.names(seen.channels()).size())),
      hidden_(stage.hidden(seen.channels())),
      steps_(stage.steps(seen)),
      times_(steps_.size()) {
  std::int64_t rowBytes = 0;
  for (const ElementType type : stage.planes(seen.channels()))
    rowBytes += static_cast<std::int64_t>(seen.width()) * static_cast<std::int64_t>(sizeOf(type));
  // With fewer rows than a filter sees, every stage would make those before it again for each of its rows.
  // A third more than the filter: blocks begin anywhere against its rows, and two of them may be cut.
  const int tallest = tallestFilter(next);
  const int least = std::min(tallest + tallest / 3 + 1, seen.height());
  const std::int64_t rows = std::clamp<std::int64_t>(budget / rowBytes, least, seen.height() + 1);
  if (rows >= seen.height()) {
    blockRows_ = seen.height();
    return;
  }
  blockRows_ = static_cast<int>(std::max<std::int64_t>(1, rows / blocksHeld));
  if (before != nullptr) blockRows_ = rowsWithin(*before, stage.bank(), blockRows_);
  capacity_ = static_cast<int>(rows / blockRows_);
}

MapSource::~MapSource() {
  spare_.clear();
  for (Block& block : blocks_) spare_.push_back(std::move(block.planes));
}

std::optional<ConstPlane> MapSource::resident(int channel) const {
  if (blockRows_ < seen_.height() || blocks_.empty() || blocks_.front().number != 0) return std::nullopt;
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

void MapSource::hold(const ConvolutionProblem& problem, const Region& band) {
  const bool turned = problem.mode == FilterMode::Convolution;
  const int above = turned ? problem.filterHeight - 1 - problem.anchorY : problem.anchorY;
  const int first = band.y - above;
  for (int y = first; y < first + band.height + problem.filterHeight - 1; ++y) {
    const int row = borderIndex(y, seen_.height(), problem.border);
    if (row >= 0) block(row / blockRows_);
  }
}

const std::vector<BankPass::Step>& MapSource::steps() {
  stage_.makePlans(steps_);
  return steps_;
}

double MapSource::seconds() const {
  double sum = combineSeconds_ + activationSeconds_ + (before_ != nullptr ? before_->seconds() : 0);
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
  if (static_cast<int>(blocks_.size()) < capacity_) {
    spare_.reserve(blocks_.size() + 1);  // the destructor gives every block's planes back, and must not throw
    oldest = &blocks_.emplace_back();
  }
  oldest->number = -1;  // whatever is thrown below, no half-made block is ever found
  oldest->used = clock_;
  if (oldest->planes.empty() && !spare_.empty()) {
    oldest->planes = std::move(spare_.back());
    spare_.pop_back();
  }
  const std::vector<ElementType> types = stage_.planes(seen_.channels());
  const bool fits = oldest->planes.size() == types.size() && oldest->planes.front().height() == blockRows_ &&
                    oldest->planes.front().width() == seen_.width();
  if (!fits) {
    oldest->planes.clear();
    for (const ElementType type : types) oldest->planes.emplace_back(1, blockRows_, seen_.width(), type);
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
  stage_.makePlans(steps_);
  const int firstRow = block.number * blockRows_;
  const Region band{0, firstRow, seen_.width(), std::min(blockRows_, seen_.height() - firstRow)};
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    times_[i] += runStep(steps_[i], seen_, before_, band, block.planes, stop_);
  }
  combineSeconds_ += stage_.combine(seen_.channels(), band.height, block.planes);
  activationSeconds_ += stage_.activate(seen_.channels(), band.height, block.planes);
  if (stop_.stop_requested()) throw Cancelled();
}

PhaseTimes runStep(const BankPass::Step& step, Source& seen, MapSource* maps, const Region& band,
                   std::vector<Image>& buffers, const std::stop_token& stop) {
  if (maps == nullptr) return BankPass::run(step, seen, band, buffers, stop);
  maps->hold(step.problem, band);
  const double held = maps->seconds();
  PhaseTimes times = BankPass::run(step, seen, band, buffers, stop);
  times.upload = std::max(0.0, times.upload - (maps->seconds() - held));
  return times;
}

int tallestFilter(const FilterBank& bank) {
  int height = 1;
  for (const Filter& f : bank.filters()) height = std::max(height, f.height);
  return height;
}

int rowsWithin(const MapSource& maps, const FilterBank& bank, int rows) {
  if (maps.heldRows() >= maps.height()) return rows;
  return std::clamp(maps.heldRows() - tallestFilter(bank) + 1, 1, rows);
}

}  // namespace bankside

#include "core/judge/exact_rows.h"

#include <algorithm>
#include <cmath>

namespace bankside {
namespace {

std::int64_t bytesOf(const std::vector<double>& values) {
  return static_cast<std::int64_t>(sizeof(values) + sizeof(double) * values.capacity());
}

std::int64_t bytesOf(const ExactRow& row) {
  return bytesOf(row.value) + bytesOf(row.magnitude) + static_cast<std::int64_t>(row.touched.capacity());
}

}  // namespace

ExactRows::Of::Of(ExactRows& all, const ConvolutionProblem& problem, const FilterBank& bank, int x, int width)
    : all_(all), problem_(problem), taps_(correlationTaps(problem, bank)), x_(x), width_(width) {}

template <class Kept>
const Kept* ExactRows::Of::find(const std::map<Key, Kept>& all, const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto at = all.find(key);
  return at == all.end() ? nullptr : &at->second;
}

template <class Kept, class Make>
const Kept& ExactRows::Of::keep(std::map<Key, Kept>& all, const Key& key, Kept& own, const Make& make) {
  if (const Kept* kept = find(all, key)) return *kept;
  make(own);
  const std::int64_t bytes = bytesOf(own);
  if (all_.left_.fetch_sub(bytes) < bytes) {
    all_.left_ += bytes;
    return own;
  }
  const std::lock_guard lock(mutex_);
  const auto [at, fresh] = all.try_emplace(key, std::move(own));
  if (!fresh) all_.left_ += bytes;
  return at->second;
}

const ExactRow& ExactRows::Of::row(const SourceBand& in, int group, int filter, int y, ExactRow& own) {
  return keep(rows_, {y, group, filter}, own,
              [&](ExactRow& row) { exactResponse(problem_, taps_, in, group, filter, y, x_, width_, row); });
}

const std::vector<double>& ExactRows::Of::largestOfBlock(const SourceBand& in, int group, int filter, int top,
                                                         int rows, std::vector<double>& own) {
  std::map<Key, std::vector<double>>* blocks = nullptr;
  {
    const std::lock_guard lock(mutex_);
    blocks = &blocks_[rows];
  }
  return keep(*blocks, {top, group, filter}, own, [&](std::vector<double>& largest) {
    largest.assign(static_cast<std::size_t>(width_), 0.0);
    std::vector<double> made;
    for (int y = top; y < top + rows; ++y) {
      const ExactRow* kept = find(rows_, {y, group, filter});
      if (kept == nullptr) exactMagnitude(problem_, taps_, in, group, filter, y, x_, width_, made);
      const std::vector<double>& magnitude = kept == nullptr ? made : kept->magnitude;
      // A row that is not finite adds nothing to its neighbours' bound: too strict at worst.
      for (std::size_t x = 0; x < largest.size(); ++x)
        if (std::isfinite(magnitude[x])) largest[x] = std::max(largest[x], magnitude[x]);
    }
  });
}

double ExactRows::Of::largest(const FilterBank& bank, Source& source) {
  if (!largest_) largest_ = largestMagnitude(problem_, bank, source);
  return *largest_;
}

ExactRows::Of& ExactRows::of(const ConvolutionProblem& problem, const FilterBank& bank, int x, int width) {
  for (Of& part : parts_) {
    if (part.problem_ == problem && part.x_ == x && part.width_ == width) return part;
  }
  return parts_.emplace_back(*this, problem, bank, x, width);
}

}  // namespace bankside

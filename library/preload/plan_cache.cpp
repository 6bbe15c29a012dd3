#include "library/preload/plan_cache.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bankside::preload {
namespace {

constexpr std::size_t mostPlans = 64;

/// Whether rows are multiples of one row, as far as float sums could tell: passes along rows and columns do
/// it.
bool isRankOne(const std::vector<float>& taps, int width) {
  const auto largest =
      std::max_element(taps.begin(), taps.end(), [](float a, float b) { return std::abs(a) < std::abs(b); });
  const std::size_t across = static_cast<std::size_t>(width);
  const auto at = static_cast<std::size_t>(largest - taps.begin());
  const std::size_t row = at / across * across, column = at % across;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    const double alike = static_cast<double>(taps[row + i % across]) * taps[i / across * across + column];
    if (std::abs(alike - static_cast<double>(taps[i]) * *largest) > 1e-7 * *largest * *largest) return false;
  }
  return true;
}

}  // namespace

PlanCache::Key PlanCache::keyOf(const FilterCall& call, int threads) {
  Key key{
      call.srcType, call.dstType, call.width, call.height, call.kernelWidth, call.kernelHeight, call.anchorX,
      call.anchorY, call.edge(),  threads,    {}};
  key.taps.reserve(static_cast<std::size_t>(call.kernelWidth) * static_cast<std::size_t>(call.kernelHeight));
  for (int y = 0; y < call.kernelHeight; ++y) {
    const std::uint8_t* row = call.kernel + call.kernelStep * static_cast<std::size_t>(y);
    for (int x = 0; x < call.kernelWidth; ++x) key.taps.push_back(call.tap(row, x));
  }
  return key;
}

std::shared_ptr<bk_plan> PlanCache::make(const Key& key, const FilterCall& call) {
  const auto free = [](auto* handle, auto how) {
    return std::unique_ptr<std::remove_pointer_t<decltype(handle)>, decltype(how)>(handle, how);
  };
  bk_context_options threads{};
  threads.size = sizeof threads;
  threads.threads = key.threads;
  bk_context* made = nullptr;
  if (bk_context_create(&threads, &made) != BK_OK) return nullptr;
  const auto context = free(made, &bk_context_free);

  const int32_t anchor[] = {key.anchorX < 0 ? key.kernelWidth / 2 : key.anchorX,
                            key.anchorY < 0 ? key.kernelHeight / 2 : key.anchorY};
  bk_taps taps{};
  taps.size = sizeof taps;
  taps.taps = key.taps.data();
  taps.filters = 1;
  taps.channels = 1;
  taps.height = key.kernelHeight;
  taps.width = key.kernelWidth;
  taps.anchor = anchor;
  bk_bank* filled = nullptr;
  if (bk_bank_from_taps(&taps, &filled) != BK_OK) return nullptr;
  const auto bank = free(filled, &bk_bank_free);

  bk_plan_options options{};
  options.size = sizeof options;
  options.channels = call.channels();
  options.height = key.height;
  options.width = key.width;
  options.type = call.srcDepth();
  options.result_type = call.dstDepth();
  options.border = call.edge();
  // Transforms round everything near a bright pixel as that is rounded; OpenCV's, of such values, do not.
  const bool wide = options.type != BK_U8 && options.result_type == BK_F32;
  if (wide && !isRankOne(key.taps, key.kernelWidth)) options.precision = BK_PRECISION_EXACT;
  bk_plan* plan = nullptr;
  if (bk_plan_create(context.get(), bank.get(), &options, &plan) != BK_OK) return nullptr;
  return {plan, FreePlan{}};
}

std::shared_ptr<bk_plan> PlanCache::find(const FilterCall& call, int threads) {
  Key key = keyOf(call, threads);
  {
    const std::lock_guard lock(held_->mutex);
    auto& entries = held_->entries;
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
    if (found != entries.end()) {
      entries.splice(entries.begin(), entries, found);
      return found->plan;
    }
  }
  std::shared_ptr<bk_plan> plan = make(key, call);
  const std::lock_guard lock(held_->mutex);
  held_->entries.push_front({std::move(key), plan});
  if (held_->entries.size() > mostPlans) held_->entries.pop_back();
  return plan;
}

void PlanCache::abandon() {
  (void)held_.release();
  held_ = std::make_unique<Held>();
}

}  // namespace bankside::preload

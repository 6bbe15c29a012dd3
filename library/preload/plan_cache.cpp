#include "library/preload/plan_cache.h"

#include <algorithm>
#include <string_view>

namespace bankside::preload {
namespace {

constexpr std::size_t mostPlans = 64;

bool isTransformed(const bk_plan* plan) {
  bk_plan_info info{};
  info.size = sizeof info;
  return bk_plan_describe(plan, &info) == BK_OK && std::string_view(info.engine) == "cpu:fft";
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
  bk_plan* plan = nullptr;
  if (bk_plan_create(context.get(), bank.get(), &options, &plan) != BK_OK) return nullptr;
  if (wide && isTransformed(plan)) {
    bk_plan_free(plan);
    options.engine = "cpu:direct";
    if (bk_plan_create(context.get(), bank.get(), &options, &plan) != BK_OK) return nullptr;
  }
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

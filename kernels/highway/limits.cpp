#include "kernels/highway/limits.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

#include "core/image.h"
#include "core/parallel.h"

#include "kernels/highway/disabled_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/highway/limits.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;

/// Twelve chains: more than latency x issue rate of any core so far (4 x 2), and they leave registers free
/// on targets with sixteen. Returns a value so that nothing is optimised away.
float multiplyAdds(std::size_t rounds, float factor) {
  const Tag d;
  const auto x = hn::Set(d, factor);
  const auto y = hn::Set(d, 1.0f - factor);
  // Twelve different values: equal chains a compiler would merge into one.
  auto a0 = hn::Iota(d, 0.0f), a1 = hn::Iota(d, 1.0f), a2 = hn::Iota(d, 2.0f), a3 = hn::Iota(d, 3.0f);
  auto a4 = hn::Iota(d, 4.0f), a5 = hn::Iota(d, 5.0f), a6 = hn::Iota(d, 6.0f), a7 = hn::Iota(d, 7.0f);
  auto a8 = hn::Iota(d, 8.0f), a9 = hn::Iota(d, 9.0f), a10 = hn::Iota(d, 10.0f), a11 = hn::Iota(d, 11.0f);
  for (std::size_t i = 0; i < rounds; ++i) {
    a0 = hn::MulAdd(a0, x, y);
    a1 = hn::MulAdd(a1, x, y);
    a2 = hn::MulAdd(a2, x, y);
    a3 = hn::MulAdd(a3, x, y);
    a4 = hn::MulAdd(a4, x, y);
    a5 = hn::MulAdd(a5, x, y);
    a6 = hn::MulAdd(a6, x, y);
    a7 = hn::MulAdd(a7, x, y);
    a8 = hn::MulAdd(a8, x, y);
    a9 = hn::MulAdd(a9, x, y);
    a10 = hn::MulAdd(a10, x, y);
    a11 = hn::MulAdd(a11, x, y);
  }
  const auto low = hn::Add(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)), hn::Add(a4, a5));
  const auto high = hn::Add(hn::Add(hn::Add(a6, a7), hn::Add(a8, a9)), hn::Add(a10, a11));
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(low, high)));
}

/// One chain: each multiply-add waits for the one before it.
float chainedMultiplyAdds(std::size_t rounds, float factor) {
  const Tag d;
  const auto x = hn::Set(d, factor);
  const auto y = hn::Set(d, 1.0f - factor);
  auto a = hn::Iota(d, 0.0f);
  for (std::size_t i = 0; i < rounds; ++i) a = hn::MulAdd(a, x, y);
  return hn::GetLane(hn::SumOfLanes(d, a));
}

double operationsARound() { return 12.0 * 2 * static_cast<double>(hn::Lanes(Tag())); }

/// A row of every plane after the other, around the caches: what a bank's direct engine does at best.
void storeRows(float* const* rows, int planes, std::size_t count, float value) {
  const Tag d;
  const auto v = hn::Set(d, value);
  for (int p = 0; p < planes; ++p) {
    for (std::size_t x = 0; x < count; x += hn::Lanes(d)) hn::Stream(v, d, rows[p] + x);
  }
}

void copyRow(const float* from, float* to, std::size_t count) {
  const Tag d;
  for (std::size_t x = 0; x < count; x += hn::Lanes(d)) hn::Stream(hn::Load(d, from + x), d, to + x);
}

const char* targetName() { return hwy::TargetName(HWY_TARGET); }

}  // namespace bankside::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bankside {

HWY_EXPORT(multiplyAdds);
HWY_EXPORT(chainedMultiplyAdds);
HWY_EXPORT(operationsARound);
HWY_EXPORT(storeRows);
HWY_EXPORT(copyRow);
HWY_EXPORT(targetName);

namespace {

using Clock = std::chrono::steady_clock;

/// Floats of a row; a multiple of every vector.
constexpr std::size_t rowFloats = 4096;

/// Calls `work(thread)` on threads that start together, again and again for `seconds` and at least five
/// times; the shortest time. Threads of its own: a pool may give two parts to one.
double shortest(int threads, double seconds, const std::function<void(int)>& work) {
  double best = 1e30;
  const auto begin = Clock::now();
  Clock::time_point start;
  bool go = true;
  int tries = 0;
  std::barrier gate(threads, [&]() noexcept {
    const auto now = Clock::now();
    if (tries > 0) best = std::min(best, std::chrono::duration<double>(now - start).count());
    go = tries < 5 || std::chrono::duration<double>(now - begin).count() < seconds;
    ++tries;
    start = Clock::now();
  });
  std::latch begun(1);
  bool all = false;
  const auto member = [&](int thread) {
    begun.wait();
    if (!all) return;
    for (gate.arrive_and_wait(); go; gate.arrive_and_wait()) work(thread);
  };
  std::vector<std::jthread> others;
  try {
    for (int t = 1; t < threads; ++t) others.emplace_back(member, t);
  } catch (...) {
    begun.count_down();  // the gate would wait for all
    throw;
  }
  all = true;
  begun.count_down();
  member(0);
  return best;
}

}  // namespace

double multiplyAddsALatency() {
  constexpr std::size_t rounds = 2000;
  constexpr int tries = 30;  // the least counts: others may be using the machine
  volatile float kept = 0;
  double chained = 1e30;
  double side = 1e30;
  const auto seconds = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  for (int i = 0; i < tries; ++i) {
    const auto start = Clock::now();
    kept = HWY_DYNAMIC_DISPATCH(chainedMultiplyAdds)(rounds, 0.5f);
    chained = std::min(chained, seconds(start));
    const auto again = Clock::now();
    kept = HWY_DYNAMIC_DISPATCH(multiplyAdds)(rounds, 0.5f);
    side = std::min(side, seconds(again) / 12);
  }
  (void)kept;
  return chained / side;
}

MachineLimits measureLimits(const LimitOptions& options) {
  const int threads =
      options.threads <= 0 ? availableThreads() : std::min(options.threads, availableThreads());
  MachineLimits limits{.threads = threads, .target = HWY_DYNAMIC_DISPATCH(targetName)()};

  // About 2 ms of work on a current core: short enough that some tries go undisturbed.
  constexpr std::size_t rounds = 500'000;
  std::vector<float> kept(static_cast<std::size_t>(threads) * 64);
  const double fma = shortest(threads, options.seconds, [&](int t) {
    kept[static_cast<std::size_t>(t) * 64] += HWY_DYNAMIC_DISPATCH(multiplyAdds)(rounds, 0.5f);
  });
  limits.flops = HWY_DYNAMIC_DISPATCH(operationsARound)() * static_cast<double>(rounds) * threads / fma;

  const int rows = std::max(
      threads, static_cast<int>(options.planeBytes / (rowFloats * sizeof(float))) / threads * threads);
  std::vector<Image> planes;
  for (int p = 0; p < options.planes; ++p)
    planes.emplace_back(1, rows, static_cast<int>(rowFloats), ElementType::F32);
  const double bytes = static_cast<double>(rows) * rowFloats * sizeof(float);
  const auto part = [&](int thread) { return rows / threads * thread; };
  const double store = shortest(threads, options.seconds, [&](int t) {
    std::vector<float*> at(planes.size());
    for (int y = part(t); y < part(t + 1); ++y) {
      for (std::size_t p = 0; p < planes.size(); ++p) at[p] = planes[p].view<float>(0).row(y);
      HWY_DYNAMIC_DISPATCH(storeRows)(at.data(), options.planes, rowFloats, 1.0f);
    }
    hwy::FlushStream();
  });
  limits.storeBytes = bytes * options.planes / store;

  // Whole planes, so that what is read was not just written; the pairs take turns.
  const std::size_t half = planes.size() / 2;
  const double copy = shortest(threads, options.seconds, [&](int t) {
    for (std::size_t p = 0; p < half; ++p) {
      const auto from = planes[p].view<float>(0);
      const auto to = planes[p + half].view<float>(0);
      for (int y = part(t); y < part(t + 1); ++y)
        HWY_DYNAMIC_DISPATCH(copyRow)(from.row(y), to.row(y), rowFloats);
    }
    hwy::FlushStream();
  });
  limits.copyBytes = 2 * bytes * static_cast<double>(half) / copy;
  return limits;
}

}  // namespace bankside
#endif

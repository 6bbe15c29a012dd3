#include "kernels/highway/row_values.h"

#include <algorithm>
#include <cmath>

#include "kernels/highway/disabled_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/highway/row_values.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::direct::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<D>;

void add(const float* pixels, int count, ValueRange& range) {
  const D d;
  const DI di;
  constexpr int lanes = static_cast<int>(HWY_LANES(float));
  const auto infinite = hn::Set(d, INFINITY);
  const auto none = hn::Neg(infinite);
  auto low = hn::Set(d, range.low);
  auto high = hn::Set(d, range.high);
  auto odd = hn::Zero(di);
  const auto take = [&](const float* from) HWY_ATTR {
    const auto v = hn::LoadU(d, from);
    const auto finite = hn::Lt(hn::Abs(v), infinite);
    low = hn::Min(low, hn::IfThenElse(finite, v, infinite));
    high = hn::Max(high, hn::IfThenElse(finite, v, none));
    odd = hn::Add(odd, hn::BitCast(di, hn::IfThenZeroElse(finite, hn::BitCast(d, hn::Set(di, 1)))));
  };
  int x = 0;
  for (; x + lanes <= count; x += lanes) take(pixels + x);
  range.low = hn::GetLane(hn::MinOfLanes(d, low));
  range.high = hn::GetLane(hn::MaxOfLanes(d, high));
  range.nonFinite += hn::GetLane(hn::SumOfLanes(di, odd));
  for (; x < count; ++x) {
    if (std::isfinite(pixels[x])) {
      range.low = std::min(range.low, pixels[x]);
      range.high = std::max(range.high, pixels[x]);
    } else {
      ++range.nonFinite;
    }
  }
}

void bins(const float* pixels, int count, float low, float scale, int last, std::int32_t* to) {
  const D d;
  const DI di;
  constexpr int lanes = static_cast<int>(HWY_LANES(float));
  const auto infinite = hn::Set(d, INFINITY);
  const auto first = hn::Set(d, low);
  const auto steps = hn::Set(d, scale);
  const auto half = hn::Set(d, 0.5f);
  const auto most = hn::Set(d, static_cast<float>(last));
  const auto outside = hn::Set(di, last + 1);
  const auto bin = [&](const float* from) HWY_ATTR {
    const auto v = hn::LoadU(d, from);
    const auto finite = hn::Lt(hn::Abs(v), infinite);
    const auto at = hn::Add(hn::Mul(hn::Sub(v, first), steps), half);
    // A difference of what is very far apart is infinite, and infinity times no step is no number.
    const auto inside = hn::IfThenElseZero(hn::Gt(at, hn::Zero(d)), hn::Min(at, most));
    return hn::IfThenElse(hn::RebindMask(di, finite), hn::ConvertTo(di, inside), outside);
  };
  int x = 0;
  for (; x + lanes <= count; x += lanes) hn::StoreU(bin(pixels + x), di, to + x);
  for (; x < count; ++x) {
    const float at = (pixels[x] - low) * scale + 0.5f;
    const float inside = at > 0 ? std::min(at, static_cast<float>(last)) : 0.0f;
    to[x] = std::isfinite(pixels[x]) ? static_cast<std::int32_t>(inside) : last + 1;
  }
}

void means(const float* upper, const float* lower, int count, float* to) {
  int x = 0;
#if HWY_TARGET != HWY_SCALAR
  const D d;
  constexpr int lanes = static_cast<int>(HWY_LANES(float));
  const auto quarter = hn::Set(d, 0.25f);
  const auto pairs = [&](const float* from) HWY_ATTR {
    const auto a = hn::LoadU(d, from);
    const auto b = hn::LoadU(d, from + lanes);
    return hn::Add(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a));
  };
  for (; x + lanes <= count; x += lanes) {
    const auto sum = hn::Add(pairs(upper + 2 * x), pairs(lower + 2 * x));
    hn::StoreU(hn::Mul(quarter, sum), d, to + x);
  }
#endif
  for (; x < count; ++x) {
    to[x] = 0.25f * ((upper[2 * x] + upper[2 * x + 1]) + (lower[2 * x] + lower[2 * x + 1]));
  }
}

}  // namespace bankside::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bankside::direct {

HWY_EXPORT(add);
HWY_EXPORT(bins);
HWY_EXPORT(means);

void addValues(const float* pixels, int count, ValueRange& range) {
  HWY_DYNAMIC_DISPATCH(add)(pixels, count, range);
}

void findBins(const float* pixels, int count, float low, float scale, int last, std::int32_t* to) {
  HWY_DYNAMIC_DISPATCH(bins)(pixels, count, low, scale, last, to);
}

void meanOfFour(const float* upper, const float* lower, int count, float* to) {
  HWY_DYNAMIC_DISPATCH(means)(upper, lower, count, to);
}

}  // namespace bankside::direct
#endif

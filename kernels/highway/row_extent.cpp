#include "kernels/highway/row_extent.h"

#include <cstdint>
#include <cstring>

#include "kernels/highway/disabled_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/highway/row_extent.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::direct::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<D>;

// Magnitudes as bits, which compare as integers do.

float largest(const float* pixels, int count) {
  const D d;
  const DI di;
  constexpr int lanes = static_cast<int>(HWY_LANES(float));
  const auto magnitude = hn::Set(di, 0x7fffffff);
  auto most = hn::Zero(di);
  int x = 0;
  for (; x + lanes <= count; x += lanes)
    most = hn::Max(most, hn::And(hn::BitCast(di, hn::LoadU(d, pixels + x)), magnitude));
  HWY_ALIGN float rest[lanes] = {};
  std::memcpy(rest, pixels + x, static_cast<std::size_t>(count - x) * sizeof(float));
  most = hn::Max(most, hn::And(hn::BitCast(di, hn::Load(d, rest)), magnitude));
  most = hn::Min(most, hn::Set(di, 0x7f800000));
  return hn::GetLane(hn::MaxOfLanes(d, hn::BitCast(d, most)));
}

RowExtent extent(const float* pixels, int count, float mostPlain) {
  const D d;
  const DI di;
  constexpr int lanes = static_cast<int>(HWY_LANES(float));
  const auto magnitude = hn::Set(di, 0x7fffffff);
  const auto infinite = hn::Set(di, 0x7f800000);
  const auto bound = hn::BitCast(di, hn::Set(d, mostPlain));
  auto most = hn::Zero(di);
  auto plain = hn::Zero(di);
  auto huge = hn::Zero(di);
  const auto take = [&](const float* from) HWY_ATTR {
    const auto size = hn::And(hn::BitCast(di, hn::LoadU(d, from)), magnitude);
    const auto finite = hn::IfThenElseZero(hn::Lt(size, infinite), size);
    const auto beyond = hn::Gt(finite, bound);
    most = hn::Max(most, finite);
    plain = hn::Max(plain, hn::IfThenZeroElse(beyond, finite));
    huge = hn::Sub(huge, hn::VecFromMask(di, beyond));
  };
  int x = 0;
  for (; x + lanes <= count; x += lanes) take(pixels + x);
  HWY_ALIGN float rest[lanes] = {};
  std::memcpy(rest, pixels + x, static_cast<std::size_t>(count - x) * sizeof(float));
  take(rest);
  return {hn::GetLane(hn::MaxOfLanes(d, hn::BitCast(d, most))),
          hn::GetLane(hn::MaxOfLanes(d, hn::BitCast(d, plain))),
          static_cast<int>(hn::GetLane(hn::SumOfLanes(di, huge)))};
}

void scale(const float* pixels, int count, float most, float first, float second, float* to) {
  const D d;
  constexpr int lanes = static_cast<int>(HWY_LANES(float));
  const auto bound = hn::Set(d, most);
  const auto one = hn::Set(d, first);
  const auto other = hn::Set(d, second);
  const auto scaled = [&](const float* from) HWY_ATTR {
    const auto pixel = hn::LoadU(d, from);
    const auto taken = hn::IfThenElseZero(hn::Le(hn::Abs(pixel), bound), pixel);
    return hn::Mul(hn::Mul(taken, one), other);
  };
  int x = 0;
  for (; x + lanes <= count; x += lanes) hn::StoreU(scaled(pixels + x), d, to + x);
  HWY_ALIGN float rest[lanes] = {};
  const std::size_t bytes = static_cast<std::size_t>(count - x) * sizeof(float);
  std::memcpy(rest, pixels + x, bytes);
  hn::Store(scaled(rest), d, rest);
  std::memcpy(to + x, rest, bytes);
}

}  // namespace bankside::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bankside::direct {

HWY_EXPORT(largest);
HWY_EXPORT(extent);
HWY_EXPORT(scale);

float largestOfRow(const float* pixels, int count) { return HWY_DYNAMIC_DISPATCH(largest)(pixels, count); }

RowExtent extentOfRow(const float* pixels, int count, float most) {
  return HWY_DYNAMIC_DISPATCH(extent)(pixels, count, most);
}

void scaleRow(const float* pixels, int count, float most, const PowerOfTwo& power, float* to) {
  HWY_DYNAMIC_DISPATCH(scale)(pixels, count, most, power.first, power.second, to);
}

}  // namespace bankside::direct
#endif

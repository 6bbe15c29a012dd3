#include "kernels/highway/row_extent.h"

#include <cstring>

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/highway/row_extent.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::direct::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<D>;

/// Magnitudes as bits, which compare as integers do.
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

}  // namespace bankside::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bankside::direct {

HWY_EXPORT(largest);

float largestOfRow(const float* pixels, int count) { return HWY_DYNAMIC_DISPATCH(largest)(pixels, count); }

}  // namespace bankside::direct
#endif

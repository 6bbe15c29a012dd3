// Included once for every SIMD target, see Highway's foreach_target.h.
#if defined(BANKSIDE_CONVERT_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BANKSIDE_CONVERT_ROW_INL
#undef BANKSIDE_CONVERT_ROW_INL
#else
#define BANKSIDE_CONVERT_ROW_INL
#endif

#include <algorithm>
#include <cstring>

#include "core/element_type.h"
#include "kernels/highway/block_kernel-inl.h"

// Half precision in hardware; elsewhere core's portable bits (Highway's own emulation rounds differently).
#undef BANKSIDE_HALF_IN_HARDWARE
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#define BANKSIDE_HALF_IN_HARDWARE 1
#else
#define BANKSIDE_HALF_IN_HARDWARE 0
#endif

HWY_BEFORE_NAMESPACE();
namespace bankside::direct::HWY_NAMESPACE {

template <class T>
HWY_INLINE void widenIntegers(const T* src, int count, float* dst) {
  const hn::Rebind<T, D> dt;
  int i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::ConvertTo(D(), hn::PromoteTo(DI(), hn::LoadU(dt, src + i))), D(), dst + i);
  }
  for (; i < count; ++i) dst[i] = static_cast<float>(src[i]);
}

HWY_INLINE void widenHalf(const Half* src, int count, float* dst) {
  int i = 0;
#if BANKSIDE_HALF_IN_HARDWARE
  const hn::Rebind<hwy::float16_t, D> dh;
  for (; i + lanes <= count; i += lanes) {
    const auto* halves = reinterpret_cast<const hwy::float16_t*>(src + i);
    hn::StoreU(hn::PromoteTo(D(), hn::LoadU(dh, halves)), D(), dst + i);
  }
#endif
  for (; i < count; ++i) dst[i] = toFloat(src[i]);
}

void widenRow(ElementType type, const std::byte* src, int count, float* dst) {
  switch (type) {
    case ElementType::U8: return widenIntegers(reinterpret_cast<const std::uint8_t*>(src), count, dst);
    case ElementType::U16: return widenIntegers(reinterpret_cast<const std::uint16_t*>(src), count, dst);
    case ElementType::F16: return widenHalf(reinterpret_cast<const Half*>(src), count, dst);
    case ElementType::F32: std::memcpy(dst, src, static_cast<std::size_t>(count) * sizeof(float)); return;
  }
}

/// To nearest, ties to even; what is not above 0 (NaN too) becomes 0.
template <class T>
HWY_INLINE void narrowIntegers(const float* src, int count, T* dst) {
  const hn::Rebind<T, D> dt;
  const V limit = hn::Set(D(), static_cast<float>(hwy::LimitsMax<T>()));
  int i = 0;
  for (; i + lanes <= count; i += lanes) {
    const V v = hn::LoadU(D(), src + i);
    const V clamped = hn::Min(hn::IfThenElseZero(hn::Gt(v, hn::Zero(D())), v), limit);
    hn::StoreU(hn::DemoteTo(dt, hn::NearestInt(clamped)), dt, dst + i);
  }
  for (; i < count; ++i) dst[i] = fromFloat<T>(src[i]);
}

HWY_INLINE void narrowHalf(const float* src, int count, Half* dst) {
  int i = 0;
#if BANKSIDE_HALF_IN_HARDWARE
  const hn::Rebind<hwy::float16_t, D> dh;
  const V quiet = hn::BitCast(D(), hn::Set(DI(), 0x7fc00000));
  for (; i + lanes <= count; i += lanes) {
    const V v = hn::LoadU(D(), src + i);
    const V oneNaN = hn::IfThenElse(hn::IsNaN(v), hn::CopySign(quiet, v), v);  // core drops the payload
    hn::StoreU(hn::DemoteTo(dh, oneNaN), dh, reinterpret_cast<hwy::float16_t*>(dst + i));
  }
#endif
  for (; i < count; ++i) dst[i] = toHalf(src[i]);
}

HWY_INLINE void copyFloats(const float* src, int count, float* dst, bool stream) {
  constexpr int line = std::max(lanes, static_cast<int>(rowAlignment / sizeof(float)));
  int i = 0;
  if (stream) {  // whole cache lines, as storeStrip()
    for (const int end = count / line * line; i < end; i += lanes)
      hn::Stream(hn::LoadU(D(), src + i), D(), dst + i);
  }
  std::memcpy(dst + i, src + i, static_cast<std::size_t>(count - i) * sizeof(float));
}

void narrowRow(ElementType type, const float* src, int count, std::byte* dst, bool stream) {
  switch (type) {
    case ElementType::U8: return narrowIntegers(src, count, reinterpret_cast<std::uint8_t*>(dst));
    case ElementType::U16: return narrowIntegers(src, count, reinterpret_cast<std::uint16_t*>(dst));
    case ElementType::F16: return narrowHalf(src, count, reinterpret_cast<Half*>(dst));
    case ElementType::F32: return copyFloats(src, count, reinterpret_cast<float*>(dst), stream);
  }
}

void narrowIndexRow(const std::int32_t* src, int count, std::uint16_t* dst) {
  const hn::Rebind<std::uint16_t, DI> dt;
  int i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::DemoteTo(dt, hn::LoadU(DI(), src + i)), dt, dst + i);
  }
  for (; i < count; ++i) dst[i] = static_cast<std::uint16_t>(src[i]);
}

/// `value` is padded by rowSlack.
void finishRow(Combine combine, int filterCount, int count, float* value) {
  if (combine == Combine::Mean) {
    const V reciprocal = hn::Set(D(), 1.0f / static_cast<float>(filterCount));
    for (int i = 0; i < count; i += lanes) {
      hn::StoreU(hn::Mul(hn::LoadU(D(), value + i), reciprocal), D(), value + i);
    }
  } else if (combine == Combine::Magnitude) {
    for (int i = 0; i < count; i += lanes) {
      hn::StoreU(hn::Sqrt(hn::LoadU(D(), value + i)), D(), value + i);
    }
  }
}

}  // namespace bankside::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

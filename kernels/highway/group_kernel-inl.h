// Included once for every SIMD target, see Highway's foreach_target.h.
#if defined(BANKSIDE_GROUP_KERNEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BANKSIDE_GROUP_KERNEL_INL
#undef BANKSIDE_GROUP_KERNEL_INL
#else
#define BANKSIDE_GROUP_KERNEL_INL
#endif

#include "kernels/highway/block_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::direct::HWY_NAMESPACE {

template <int filters, int vectors>
HWY_INLINE void makeGroupStrip(const GroupCall& call, int x) {
  const D d;
  constexpr int count = filters * vectors;
  V kept[groupSlots][count];
  for (const GroupStep* step = call.steps; step != call.steps + call.stepCount; ++step) {
    if (!(step->wantedBy & call.wanted)) continue;
    V acc[count];
    if (step->from >= 0) {
      const V* from = kept[step->from];
#pragma GCC unroll 32
      for (int i = 0; i < count; ++i) acc[i] = from[i];
    } else {
#pragma GCC unroll 32
      for (int i = 0; i < count; ++i) acc[i] = hn::Zero(d);
    }
    if (step->plus >= 0) {
      const V* plus = kept[step->plus];
#pragma GCC unroll 32
      for (int i = 0; i < count; ++i) acc[i] = hn::Add(acc[i], plus[i]);
    }
    addProgram<filters, 1, vectors>(step->program, call.rows, x, acc);
    if (step->to >= 0) {
      V* to = kept[step->to];
#pragma GCC unroll 32
      for (int i = 0; i < count; ++i) to[i] = acc[i];
      continue;
    }
    finishStrip<filters, 1, vectors>(call.results[step->row], x, acc);
  }
}

template <int filters>
void makeGroup(const GroupCall& call) {
  constexpr int vectors = vectorsFor(filters);
  int x = call.first;
  for (; x + vectors * lanes <= call.pixels; x += vectors * lanes) makeGroupStrip<filters, vectors>(call, x);
  for (; x < call.pixels; x += lanes) makeGroupStrip<filters, 1>(call, x);
}

/// `count` is rounded up to whole vectors.
void subtractRow(const float* a, const float* b, int count, float* dst) {
  const D d;
  for (int i = 0; i < count; i += lanes)
    hn::StoreU(hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, dst + i);
}

}  // namespace bankside::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#include "kernels/fft/tile_kernels.h"

#include <cmath>
#include <limits>

#include "kernels/highway/disabled_targets.h"
// The scalar target too, so that tests can run it.
#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fft/tile_kernels.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/fft/exact_transforms-inl.h"
#include "kernels/fft/tile_passes-inl.h"
#include "kernels/highway/block_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::fft::HWY_NAMESPACE {

namespace dn = bankside::direct::HWY_NAMESPACE;

float largest(const float* extent) {
  const D d;
  const V poison = hn::Load(d, extent + lanes);
  if (!hn::AllTrue(d, hn::Eq(poison, poison))) return std::numeric_limits<float>::infinity();
  return hn::GetLane(hn::MaxOfLanes(d, hn::Load(d, extent)));
}

void combineRow(Combine combine, int filter, const float* HWY_RESTRICT response, int count,
                float* HWY_RESTRICT value, std::int32_t* HWY_RESTRICT index) {
  const D d;
  const hn::RebindToSigned<D> di;
  for (int x = 0; x < count; x += lanes) {
    const V r = hn::Load(d, response + x);
    if (filter == 0) {
      hn::Store(combine == Combine::Magnitude ? hn::Mul(r, r) : r, d, value + x);
      if (index != nullptr) hn::Store(hn::Zero(di), di, index + x);
      continue;
    }
    V v = hn::Load(d, value + x);
    switch (combine) {
      case Combine::None: break;
      case Combine::Max: v = hn::IfThenElse(dn::replaces<Combine::Max>(r, v), r, v); break;
      case Combine::AbsMax: v = hn::IfThenElse(dn::replaces<Combine::AbsMax>(r, v), r, v); break;
      case Combine::ArgMax: {
        const auto take = dn::replaces<Combine::ArgMax>(r, v);
        v = hn::IfThenElse(take, r, v);
        const auto old = hn::Load(di, index + x);
        hn::Store(hn::IfThenElse(hn::RebindMask(di, take), hn::Set(di, filter), old), di, index + x);
        break;
      }
      case Combine::Mean:
      case Combine::Sum: v = hn::Add(v, r); break;
      case Combine::Magnitude: v = dn::squareAndAdd(v, r); break;
    }
    hn::Store(v, d, value + x);
  }
}

TileKernels makeKernels() {
  TileKernels k;
  k.target = hwy::TargetName(HWY_TARGET);
  k.lanes = lanes;
  k.fused = HWY_NATIVE_FMA != 0;
  k.packRow = packRow;
  k.largest = largest;
  k.forward = forwardTile;
  k.respond = respond;
  k.doubles = doubles;
  k.exactTransforms = exactTransforms;
  k.combineRow = combineRow;
  return k;
}

const TileKernels* targetKernels() {
  static const TileKernels kernels = makeKernels();
  return &kernels;
}

}  // namespace bankside::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bankside::fft {

HWY_EXPORT(targetKernels);

const TileKernels& tileKernels() { return *HWY_DYNAMIC_DISPATCH(targetKernels)(); }

TileTransforms makeTileTransforms(int width, int height, const TileKernels& kernels) {
  TileTransforms t;
  t.x = makeTransform(width);
  t.y = makeTransform(height);
  t.lanes = kernels.lanes;
  // Not a power of two apart, or a row of blocks would fall on the same cache sets.
  t.groupFloats = 2 * static_cast<std::size_t>(kernels.lanes) * static_cast<std::size_t>(height) + 64;
  return t;
}

}  // namespace bankside::fft
#endif

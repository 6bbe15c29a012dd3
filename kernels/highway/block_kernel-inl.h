// Included once for every SIMD target, see Highway's foreach_target.h.
#if defined(BANKSIDE_BLOCK_KERNEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BANKSIDE_BLOCK_KERNEL_INL
#undef BANKSIDE_BLOCK_KERNEL_INL
#else
#define BANKSIDE_BLOCK_KERNEL_INL
#endif

#include <cmath>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/highway/row_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::direct::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
using DI = hn::RebindToSigned<D>;
using VI = hn::Vec<DI>;
constexpr int lanes = static_cast<int>(HWY_LANES(float));

/// Vectors of pixels for so many filters x rows. Accumulators + pixels + one tap must fit the registers: 32
/// on AVX-512 and Arm, else 16.
constexpr int vectorsFor(int filtersTimesRows) {
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
  return filtersTimesRows <= 1 ? 8 : filtersTimesRows <= 6 ? 4 : 2;
#else
  return filtersTimesRows <= 2 ? 4 : filtersTimesRows <= 4 ? 3 : 2;
#endif
}

/// acc[row][filter][vector] += tap * pixel over one run of taps. `taps` moves on.
template <int filters, int vectors, int firstRow, int lastRow>
HWY_INLINE void addRun(const float* HWY_RESTRICT src, int count, const float*& taps, V* acc) {
  const D d;
  const float* HWY_RESTRICT t = taps;
  const float* const end = src + count;
  do {  // a run has at least one column
    V pixels[vectors];
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) pixels[v] = hn::LoadU(d, src + v * lanes);
#pragma GCC unroll 16
    for (int k = 0; k < (lastRow - firstRow + 1) * filters; ++k) {
      const V tap = hn::Set(d, t[k]);
#pragma GCC unroll 16
      for (int v = 0; v < vectors; ++v) {
        V& a = acc[(firstRow * filters + k) * vectors + v];
        a = hn::MulAdd(tap, pixels[v], a);
      }
    }
    t += (lastRow - firstRow + 1) * filters;
  } while (++src != end);
  taps = t;
}

/// value <- combine(value, r), as core's Combiner.
HWY_INLINE V takeLarger(V value, V r) {
  const auto take = hn::Or(hn::Gt(r, value), hn::AndNot(hn::IsNaN(value), hn::IsNaN(r)));
  return hn::IfThenElse(take, r, value);
}

HWY_INLINE V takeLargerMagnitude(V value, V r) {
  const auto take = hn::Or(hn::Gt(hn::Abs(r), hn::Abs(value)), hn::AndNot(hn::IsNaN(value), hn::IsNaN(r)));
  return hn::IfThenElse(take, r, value);
}

HWY_INLINE V addSquare(V value, V r) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(r, r, value);
#else
  // The combine is defined with one rounding on every target.
  const D d;
  HWY_ALIGN float a[lanes];
  HWY_ALIGN float b[lanes];
  hn::Store(value, d, a);
  hn::Store(r, d, b);
  for (int i = 0; i < lanes; ++i) a[i] = std::fma(b[i], b[i], a[i]);
  return hn::Load(d, a);
#endif
}

template <int filters, int rows, int vectors>
HWY_INLINE void combineStrip(const BlockCall& call, int x, const V* acc) {
  const D d;
  const DI di;
  const bool starts = call.firstFilter == 0;
  for (int j = 0; j < rows; ++j) {
    for (int v = 0; v < vectors; ++v) {
      float* at = call.value[j] + x + v * lanes;
      const V* r = acc + j * filters * vectors + v;
      V value = starts ? r[0] : hn::Load(d, at);
      const int first = starts ? 1 : 0;
      switch (call.combine) {
        case Combine::None: break;
        case Combine::Max:
          for (int f = first; f < filters; ++f) value = takeLarger(value, r[f * vectors]);
          break;
        case Combine::AbsMax:
          for (int f = first; f < filters; ++f) value = takeLargerMagnitude(value, r[f * vectors]);
          break;
        case Combine::ArgMax: {
          std::int32_t* indexAt = call.index[j] + x + v * lanes;
          VI index = starts ? hn::Zero(di) : hn::Load(di, indexAt);
          for (int f = first; f < filters; ++f) {
            const V response = r[f * vectors];
            const auto take =
                hn::Or(hn::Gt(response, value), hn::AndNot(hn::IsNaN(value), hn::IsNaN(response)));
            value = hn::IfThenElse(take, response, value);
            index = hn::IfThenElse(hn::RebindMask(di, take), hn::Set(di, call.firstFilter + f), index);
          }
          hn::Store(index, di, indexAt);
          break;
        }
        case Combine::Mean:
        case Combine::Sum:
          for (int f = first; f < filters; ++f) value = hn::Add(value, r[f * vectors]);
          break;
        case Combine::Magnitude:
          if (starts) value = hn::Mul(value, value);
          for (int f = first; f < filters; ++f) value = addSquare(value, r[f * vectors]);
          break;
      }
      hn::Store(value, d, at);
    }
  }
}

template <int filters, int rows, int vectors>
HWY_INLINE void storeStrip(const BlockCall& call, int x, const V* acc) {
  const D d;
  if (call.stream) {
#pragma GCC unroll 16
    for (int k = 0; k < rows * filters; ++k) {
#pragma GCC unroll 16
      for (int v = 0; v < vectors; ++v) hn::Stream(acc[k * vectors + v], d, call.dst[k] + x + v * lanes);
    }
    return;
  }
#pragma GCC unroll 16
  for (int k = 0; k < rows * filters; ++k) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) hn::StoreU(acc[k * vectors + v], d, call.dst[k] + x + v * lanes);
  }
}

/// The last pixels of a row, fewer than a vector.
template <int filters, int rows>
HWY_INLINE void storePart(const BlockCall& call, int x, const V* acc) {
  HWY_ALIGN float whole[lanes];
  for (int k = 0; k < rows * filters; ++k) {
    hn::Store(acc[k], D(), whole);
    std::memcpy(call.dst[k] + x, whole, static_cast<std::size_t>(call.pixels - x) * sizeof(float));
  }
}

/// Everything that `vectors` vectors of pixels from `x` on need, in registers from +0 to the result.
template <int filters, int rows, int vectors>
HWY_INLINE void makeStrip(const BlockCall& call, int x) {
  const D d;
  V acc[filters * rows * vectors];
#pragma GCC unroll 32
  for (int i = 0; i < filters * rows * vectors; ++i) acc[i] = hn::Zero(d);
  const float* taps = call.program->taps.data();
  const TapRun* run = call.program->runs.data();
  for (const TapRun* end = run + call.program->runs.size(); run != end; ++run) {
    const float* src = call.rows[run->row] + run->column + x;
    if constexpr (rows == 1) {
      addRun<filters, vectors, 0, 0>(src, run->count, taps, acc);
    } else if constexpr (rows == 2) {
      switch (run->firstRow * 2 + run->lastRow) {
        case 0: addRun<filters, vectors, 0, 0>(src, run->count, taps, acc); break;
        case 1: addRun<filters, vectors, 0, 1>(src, run->count, taps, acc); break;
        default: addRun<filters, vectors, 1, 1>(src, run->count, taps, acc); break;
      }
    } else {
      static_assert(rows == 4);
      switch (run->firstRow * 4 + run->lastRow) {
        case 0: addRun<filters, vectors, 0, 0>(src, run->count, taps, acc); break;
        case 1: addRun<filters, vectors, 0, 1>(src, run->count, taps, acc); break;
        case 2: addRun<filters, vectors, 0, 2>(src, run->count, taps, acc); break;
        case 3: addRun<filters, vectors, 0, 3>(src, run->count, taps, acc); break;
        case 5: addRun<filters, vectors, 1, 1>(src, run->count, taps, acc); break;
        case 6: addRun<filters, vectors, 1, 2>(src, run->count, taps, acc); break;
        case 7: addRun<filters, vectors, 1, 3>(src, run->count, taps, acc); break;
        case 10: addRun<filters, vectors, 2, 2>(src, run->count, taps, acc); break;
        case 11: addRun<filters, vectors, 2, 3>(src, run->count, taps, acc); break;
        default: addRun<filters, vectors, 3, 3>(src, run->count, taps, acc); break;
      }
    }
  }
  if (call.combine != Combine::None) {
    combineStrip<filters, rows, vectors>(call, x, acc);
  } else if (x + vectors * lanes <= call.pixels) {
    storeStrip<filters, rows, vectors>(call, x, acc);
  } else {
    storePart<filters, rows>(call, x, acc);
  }
}

template <int filters, int rows>
void makeBlock(const BlockCall& call) {
  constexpr int vectors = vectorsFor(filters * rows);
  int x = 0;
  for (; x + vectors * lanes <= call.pixels; x += vectors * lanes) makeStrip<filters, rows, vectors>(call, x);
  for (; x < call.pixels; x += lanes) makeStrip<filters, rows, 1>(call, x);
}

}  // namespace bankside::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

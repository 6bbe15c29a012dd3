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

/// Loads a vector that stays in its register. GCC would rather load it again for each of its uses, and a load
/// that crosses a cache line costs as much as two multiply-adds.
HWY_INLINE V loadOnce(const float* src) {
  V v = hn::LoadU(D(), src);
#if HWY_ARCH_X86 && HWY_COMPILER_GCC_ACTUAL && HWY_TARGET != HWY_SCALAR
  auto raw = v.raw;
#if HWY_TARGET <= HWY_AVX3
  asm("" : "+v"(raw));
#else
  asm("" : "+x"(raw));
#endif
  v.raw = raw;
#endif
  return v;
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
    for (int v = 0; v < vectors; ++v) pixels[v] = loadOnce(src + v * lanes);
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

/// One step of core's Combiner: r replaces the value if it is larger or NaN and the value is not NaN.
template <Combine combine>
HWY_INLINE auto replaces(V r, V value) {
  const auto notLarger = combine == Combine::AbsMax ? hn::Le(hn::Abs(r), hn::Abs(value)) : hn::Le(r, value);
  return hn::AndNot(notLarger, hn::Eq(value, value));
}

HWY_INLINE V squareAndAdd(V value, V r) {
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

/// The responses of a block into the running value (and index) of one vector of pixels.
/// `r[f * stride]` is filter f's.
template <Combine combine, int filters, int stride>
HWY_INLINE void combineVector(const BlockCall& call, int row, int x, const V* r) {
  const D d;
  const DI di;
  float* const at = call.value[row] + x;
  std::int32_t* const indexAt = combine == Combine::ArgMax ? call.index[row] + x : nullptr;
  V value = r[0];
  VI index = hn::Zero(di);
  if (call.firstFilter == 0) {
    if constexpr (combine == Combine::Magnitude) value = hn::Mul(value, value);
  } else {
    value = hn::Load(d, at);
    if constexpr (combine == Combine::ArgMax) index = hn::Load(di, indexAt);
  }
  const auto take = [&](int f) HWY_ATTR {
    const V response = r[f * stride];
    if constexpr (combine == Combine::Sum) {
      value = hn::Add(value, response);
    } else if constexpr (combine == Combine::Magnitude) {
      value = squareAndAdd(value, response);
    } else {
      const auto better = replaces<combine>(response, value);
      value = hn::IfThenElse(better, response, value);
      if constexpr (combine == Combine::ArgMax) {
        index = hn::IfThenElse(hn::RebindMask(di, better), hn::Set(di, call.firstFilter + f), index);
      }
    }
  };
  if (call.firstFilter != 0) take(0);
#pragma GCC unroll 16
  for (int f = 1; f < filters; ++f) take(f);
  hn::Store(value, d, at);
  if constexpr (combine == Combine::ArgMax) hn::Store(index, di, indexAt);
}

template <Combine combine, int filters, int rows, int vectors>
HWY_INLINE void combineStripAs(const BlockCall& call, int x, const V* responses) {
  for (int j = 0; j < rows; ++j) {
    for (int v = 0; v < vectors; ++v) {
      combineVector<combine, filters, vectors>(call, j, x + v * lanes, responses + j * filters * vectors + v);
    }
  }
}

/// Not inlined, and fed from memory: six combines unrolled inside every kernel cost more compile time than
/// they are worth.
template <int filters, int rows, int vectors>
HWY_NOINLINE void combineStrip(const BlockCall& call, int x, const V* responses) {
  switch (call.combine) {
    case Combine::None: break;
    case Combine::Max: return combineStripAs<Combine::Max, filters, rows, vectors>(call, x, responses);
    case Combine::AbsMax: return combineStripAs<Combine::AbsMax, filters, rows, vectors>(call, x, responses);
    case Combine::ArgMax: return combineStripAs<Combine::ArgMax, filters, rows, vectors>(call, x, responses);
    case Combine::Mean:
    case Combine::Sum: return combineStripAs<Combine::Sum, filters, rows, vectors>(call, x, responses);
    case Combine::Magnitude:
      return combineStripAs<Combine::Magnitude, filters, rows, vectors>(call, x, responses);
  }
}

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
/// Combine::Max of a strip, from the registers: most banks that combine at all are matched filters. Two
/// operations a response, since x86's maximum keeps its second operand on ties, as Combiner does. False, with
/// nothing written, if a value may be NaN: then only combineStrip() is right.
template <int filters, int rows, int vectors>
HWY_INLINE bool maxStrip(const BlockCall& call, int x, const V* acc) {
  const D d;
  V values[rows * vectors];
  V sum = hn::Zero(d);  // not finite if any response is not
#pragma GCC unroll 32
  for (int i = 0; i < rows * vectors; ++i) {
    const V* r = acc + i / vectors * filters * vectors + i % vectors;
    V value = r[0];
    V total = r[0];
    if (call.firstFilter != 0) {
      const V before = hn::Load(d, call.value[i / vectors] + x + i % vectors * lanes);
      value = hn::Max(value, before);
      total = hn::Add(total, before);
    }
#pragma GCC unroll 16
    for (int f = 1; f < filters; ++f) {
      value = hn::Max(r[f * vectors], value);
      total = hn::Add(total, r[f * vectors]);
    }
    values[i] = value;
    sum = hn::Add(sum, total);
  }
  if (!hn::AllTrue(d, hn::Eq(hn::Sub(sum, sum), hn::Zero(d)))) return false;
#pragma GCC unroll 32
  for (int i = 0; i < rows * vectors; ++i) {
    hn::Store(values[i], d, call.value[i / vectors] + x + i % vectors * lanes);
  }
  return true;
}
#endif

template <int filters, int rows, int vectors>
HWY_INLINE void storeStrip(const BlockCall& call, int x, const V* acc) {
  const D d;
  // What is left at a row's end, a vector at a time, is no whole cache line unless a vector is.
  constexpr bool streams = vectors > 1 || lanes * sizeof(float) >= rowAlignment;
  if (streams && call.stream) {
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
#pragma GCC unroll 16
  for (int k = 0; k < rows * filters; ++k) {
    hn::Store(acc[k], D(), whole);
    std::memcpy(call.dst[k] + x, whole, static_cast<std::size_t>(call.pixels - x) * sizeof(float));
  }
}

/// All runs of a program, whatever it skips.
template <int filters, int rows, int vectors>
HWY_INLINE void addProgram(const TapProgram& program, const float* const* sourceRows, int x, V* acc) {
  const float* taps = program.taps.data();
  const TapRun* run = program.runs.data();
  for (const TapRun* end = run + program.runs.size(); run != end; ++run) {
    const float* src = sourceRows[run->row] + run->column + x;
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
}

/// The program of a dense side x side filter in one channel, without a loop or a branch: at 3 x 3 and 5 x 5
/// those cost as much as the arithmetic.
template <int filters, int rows, int vectors, int side>
HWY_INLINE void addSquare(const BlockCall& call, int x, V* acc) {
  const D d;
  const float* HWY_RESTRICT taps = call.program->taps.data();
#pragma GCC unroll 16
  for (int r = 0; r < side + rows - 1; ++r) {
    const float* HWY_RESTRICT src = call.rows[r] + x;
    const int firstRow = r < side ? 0 : r - side + 1;
    const int lastRow = r < rows ? r : rows - 1;
#pragma GCC unroll 16
    for (int kx = 0; kx < side; ++kx) {
      V pixels[vectors];
#pragma GCC unroll 16
      for (int v = 0; v < vectors; ++v) pixels[v] = loadOnce(src + kx + v * lanes);
#pragma GCC unroll 16
      for (int k = firstRow * filters; k < (lastRow + 1) * filters; ++k) {
        const V tap = hn::Set(d, *taps++);
#pragma GCC unroll 16
        for (int v = 0; v < vectors; ++v) {
          acc[k * vectors + v] = hn::MulAdd(tap, pixels[v], acc[k * vectors + v]);
        }
      }
    }
  }
}

/// Finished sums to where they belong.
template <int filters, int rows, int vectors>
HWY_INLINE void finishStrip(const BlockCall& call, int x, const V* acc) {
  if (call.combine != Combine::None) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    if (call.combine == Combine::Max && maxStrip<filters, rows, vectors>(call, x, acc)) return;
#endif
    V responses[filters * rows * vectors];  // a copy: `acc` itself shall have no address
#pragma GCC unroll 32
    for (int i = 0; i < filters * rows * vectors; ++i) responses[i] = acc[i];
    combineStrip<filters, rows, vectors>(call, x, responses);
  } else if (x + vectors * lanes <= call.pixels) {
    storeStrip<filters, rows, vectors>(call, x, acc);
  } else {
    storePart<filters, rows>(call, x, acc);
  }
}

/// Everything that `vectors` vectors of pixels from `x` on need, in registers from +0 to the result.
/// `side` is 0 for any program.
template <int filters, int rows, int vectors, int side>
HWY_INLINE void makeStrip(const BlockCall& call, int x) {
  const D d;
  V acc[filters * rows * vectors];
#pragma GCC unroll 32
  for (int i = 0; i < filters * rows * vectors; ++i) acc[i] = hn::Zero(d);
  if constexpr (side == 0) {
    addProgram<filters, rows, vectors>(*call.program, call.rows, x, acc);
  } else {
    addSquare<filters, rows, vectors, side>(call, x, acc);
  }
  finishStrip<filters, rows, vectors>(call, x, acc);
}

template <int filters, int rows, int side>
void makeBlock(const BlockCall& call) {
  constexpr int vectors = vectorsFor(filters * rows);
  int x = call.first;
  for (; x + vectors * lanes <= call.pixels; x += vectors * lanes) {
    makeStrip<filters, rows, vectors, side>(call, x);
  }
  for (; x < call.pixels; x += lanes) makeStrip<filters, rows, 1, 0>(call, x);
}

}  // namespace bankside::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

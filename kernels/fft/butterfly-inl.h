// Included once for every SIMD target, see Highway's foreach_target.h.
#if defined(BANKSIDE_FFT_BUTTERFLY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BANKSIDE_FFT_BUTTERFLY_INL
#undef BANKSIDE_FFT_BUTTERFLY_INL
#else
#define BANKSIDE_FFT_BUTTERFLY_INL
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::fft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr int lanes = static_cast<int>(HWY_LANES(float));

/// y_m = sum_q x_q exp(-2 pi i q m / radix), in place. With `re` and `im` exchanged it is the inverse.
template <int radix>
HWY_INLINE void butterfly(V* re, V* im);

template <>
HWY_INLINE void butterfly<3>(V* re, V* im) {
  const D d;
  const V half = hn::Set(d, 0.5f);
  const V root = hn::Set(d, 0.866025403784438647f);
  const V sumRe = hn::Add(re[1], re[2]);
  const V sumIm = hn::Add(im[1], im[2]);
  const V differenceRe = hn::Sub(re[1], re[2]);
  const V differenceIm = hn::Sub(im[1], im[2]);
  const V middleRe = hn::NegMulAdd(half, sumRe, re[0]);
  const V middleIm = hn::NegMulAdd(half, sumIm, im[0]);
  re[0] = hn::Add(re[0], sumRe);
  im[0] = hn::Add(im[0], sumIm);
  re[1] = hn::MulAdd(root, differenceIm, middleRe);
  im[1] = hn::NegMulAdd(root, differenceRe, middleIm);
  re[2] = hn::NegMulAdd(root, differenceIm, middleRe);
  im[2] = hn::MulAdd(root, differenceRe, middleIm);
}

template <>
HWY_INLINE void butterfly<4>(V* re, V* im) {
  const V r0 = hn::Add(re[0], re[2]);
  const V i0 = hn::Add(im[0], im[2]);
  const V r1 = hn::Sub(re[0], re[2]);
  const V i1 = hn::Sub(im[0], im[2]);
  const V r2 = hn::Add(re[1], re[3]);
  const V i2 = hn::Add(im[1], im[3]);
  const V r3 = hn::Sub(re[1], re[3]);
  const V i3 = hn::Sub(im[1], im[3]);
  re[0] = hn::Add(r0, r2);
  im[0] = hn::Add(i0, i2);
  re[1] = hn::Add(r1, i3);
  im[1] = hn::Sub(i1, r3);
  re[2] = hn::Sub(r0, r2);
  im[2] = hn::Sub(i0, i2);
  re[3] = hn::Sub(r1, i3);
  im[3] = hn::Add(i1, r3);
}

/// Two of four; the root of a half is multiplied inside the last additions.
template <>
HWY_INLINE void butterfly<8>(V* re, V* im) {
  const D d;
  const V root = hn::Set(d, 0.707106781186547524f);
  V evenRe[4];
  V evenIm[4];
  V oddRe[4];
  V oddIm[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    evenRe[k] = hn::Add(re[k], re[k + 4]);
    evenIm[k] = hn::Add(im[k], im[k + 4]);
    oddRe[k] = hn::Sub(re[k], re[k + 4]);
    oddIm[k] = hn::Sub(im[k], im[k + 4]);
  }
  butterfly<4>(evenRe, evenIm);
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    re[2 * k] = evenRe[k];
    im[2 * k] = evenIm[k];
  }
  const V r0 = hn::Add(oddRe[0], oddIm[2]);
  const V i0 = hn::Sub(oddIm[0], oddRe[2]);
  const V r1 = hn::Sub(oddRe[0], oddIm[2]);
  const V i1 = hn::Add(oddIm[0], oddRe[2]);
  // (x1 w + x3 w^3) / root and (x1 w - x3 w^3) / root with w = root (1 - i).
  const V a = hn::Add(oddRe[1], oddIm[1]);
  const V b = hn::Sub(oddIm[1], oddRe[1]);
  const V c = hn::Sub(oddIm[3], oddRe[3]);
  const V e = hn::Add(oddRe[3], oddIm[3]);
  const V r2 = hn::Add(a, c);
  const V i2 = hn::Sub(b, e);
  const V r3 = hn::Sub(a, c);
  const V i3 = hn::Add(b, e);
  re[1] = hn::MulAdd(root, r2, r0);
  im[1] = hn::MulAdd(root, i2, i0);
  re[5] = hn::NegMulAdd(root, r2, r0);
  im[5] = hn::NegMulAdd(root, i2, i0);
  re[3] = hn::MulAdd(root, i3, r1);
  im[3] = hn::NegMulAdd(root, r3, i1);
  re[7] = hn::NegMulAdd(root, i3, r1);
  im[7] = hn::MulAdd(root, r3, i1);
}

/// Forward: re + i im times w. With `re` and `im` exchanged: times the conjugate of w.
HWY_INLINE void multiplyTwiddle(const float* HWY_RESTRICT w, V& re, V& im) {
  const D d;
  const V wr = hn::Set(d, w[0]);
  const V wi = hn::Set(d, w[1]);
  const V r = hn::NegMulAdd(im, wi, hn::Mul(re, wr));
  im = hn::MulAdd(re, wi, hn::Mul(im, wr));
  re = r;
}

/// One block of a lanes x lanes matrix turned over: row i is `src + i * step`, and so is the result's.
HWY_INLINE void transposeBlock(const float* HWY_RESTRICT src, float* HWY_RESTRICT dst, int step) {
  const D d;
#if HWY_TARGET == HWY_SCALAR
  (void)step;
  hn::Store(hn::Load(d, src), d, dst);
#else
  const hn::RepartitionToWide<D> wide;
  V four[lanes];  // four[4 q + c]: columns 4 b + c of rows 4 q .. 4 q + 3, one a 128-bit block b
#pragma GCC unroll 4
  for (int q = 0; q < lanes; q += 4) {
    const V r0 = hn::Load(d, src + (q + 0) * step);
    const V r1 = hn::Load(d, src + (q + 1) * step);
    const V r2 = hn::Load(d, src + (q + 2) * step);
    const V r3 = hn::Load(d, src + (q + 3) * step);
    const auto a = hn::BitCast(wide, hn::InterleaveLower(d, r0, r1));
    const auto b = hn::BitCast(wide, hn::InterleaveUpper(d, r0, r1));
    const auto c = hn::BitCast(wide, hn::InterleaveLower(d, r2, r3));
    const auto e = hn::BitCast(wide, hn::InterleaveUpper(d, r2, r3));
    four[q + 0] = hn::BitCast(d, hn::InterleaveLower(wide, a, c));
    four[q + 1] = hn::BitCast(d, hn::InterleaveUpper(wide, a, c));
    four[q + 2] = hn::BitCast(d, hn::InterleaveLower(wide, b, e));
    four[q + 3] = hn::BitCast(d, hn::InterleaveUpper(wide, b, e));
  }
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {
#if HWY_MAX_BYTES == 16
    hn::Store(four[c], d, dst + c * step);
#elif HWY_MAX_BYTES == 32
    hn::Store(hn::ConcatLowerLower(d, four[4 + c], four[c]), d, dst + c * step);
    hn::Store(hn::ConcatUpperUpper(d, four[4 + c], four[c]), d, dst + (4 + c) * step);
#else
    static_assert(lanes == 16);
    const V lower02 = hn::ConcatLowerLower(d, four[8 + c], four[c]);
    const V lower13 = hn::ConcatLowerLower(d, four[12 + c], four[4 + c]);
    const V upper02 = hn::ConcatUpperUpper(d, four[8 + c], four[c]);
    const V upper13 = hn::ConcatUpperUpper(d, four[12 + c], four[4 + c]);
    hn::Store(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(lower13), lower02), d, dst + c * step);
    hn::Store(hn::OddEvenBlocks(lower13, hn::SwapAdjacentBlocks(lower02)), d, dst + (4 + c) * step);
    hn::Store(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(upper13), upper02), d, dst + (8 + c) * step);
    hn::Store(hn::OddEvenBlocks(upper13, hn::SwapAdjacentBlocks(upper02)), d, dst + (12 + c) * step);
#endif
  }
#endif
}

}  // namespace bankside::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

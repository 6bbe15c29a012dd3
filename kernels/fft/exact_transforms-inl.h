// Included once for every SIMD target, see Highway's foreach_target.h.
#if defined(BANKSIDE_FFT_EXACT_TRANSFORMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BANKSIDE_FFT_EXACT_TRANSFORMS_INL
#undef BANKSIDE_FFT_EXACT_TRANSFORMS_INL
#else
#define BANKSIDE_FFT_EXACT_TRANSFORMS_INL
#endif

#include <complex>

#include "hwy/highway.h"
#include "kernels/fft/transform.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::fft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D64 = hn::ScalableTag<double>;
using V64 = hn::Vec<D64>;
constexpr int doubles = static_cast<int>(HWY_LANES(double));

/// One complex number of every transform.
struct Numbers {
  V64 re;
  V64 im;
};

HWY_INLINE Numbers loadNumbers(const double* at) {
  const D64 d;
  return {hn::Load(d, at), hn::Load(d, at + doubles)};
}

HWY_INLINE void storeNumbers(const Numbers& x, double* at) {
  const D64 d;
  hn::Store(x.re, d, at);
  hn::Store(x.im, d, at + doubles);
}

HWY_INLINE Numbers plus(const Numbers& a, const Numbers& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}

HWY_INLINE Numbers minus(const Numbers& a, const Numbers& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}

/// Rounded as products without a fused multiply-add are, so that a spectrum is the same on every machine.
HWY_INLINE Numbers times(const Numbers& a, std::complex<double> root) {
  const D64 d;
  const V64 re = hn::Set(d, root.real());
  const V64 im = hn::Set(d, root.imag());
  return {hn::Sub(hn::Mul(a.re, re), hn::Mul(a.im, im)), hn::Add(hn::Mul(a.re, im), hn::Mul(a.im, re))};
}

/// Decimation in time. `step`: elements of `in` from one to the next of this level.
inline void transformLevel(const double* HWY_RESTRICT in, int step, int length,
                           const std::complex<double>* const* levels, double* HWY_RESTRICT out) {
  constexpr int element = 2 * doubles;
  if (length == 1) {
    storeNumbers(loadNumbers(in), out);
    return;
  }
  const int radix = smallestRadix(length);
  const int part = length / radix;
  for (int q = 0; q < radix; ++q)
    transformLevel(in + q * step * element, step * radix, part, levels + 1, out + q * part * element);
  const std::complex<double>* roots = *levels;
  double* const second = out + part * element;
  if (radix == 2) {
    for (int k = 0; k < part; ++k) {
      const Numbers a = loadNumbers(out + k * element);
      const Numbers b = times(loadNumbers(second + k * element), roots[k]);
      storeNumbers(plus(a, b), out + k * element);
      storeNumbers(minus(a, b), second + k * element);
    }
    return;
  }
  double* const third = second + part * element;
  const std::complex<double> one = roots[part];
  const std::complex<double> two = roots[2 * part];
  for (int k = 0; k < part; ++k) {
    const Numbers a = loadNumbers(out + k * element);
    const Numbers b = times(loadNumbers(second + k * element), roots[k]);
    const Numbers c = times(loadNumbers(third + k * element), roots[2 * k]);
    storeNumbers(plus(plus(a, b), c), out + k * element);
    storeNumbers(plus(plus(a, times(b, one)), times(c, two)), second + k * element);
    storeNumbers(plus(plus(a, times(b, two)), times(c, one)), third + k * element);
  }
}

void exactTransforms(const double* in, int length, double* out) {
  transformLevel(in, 1, length, rootsOfLevels(length).data(), out);
}

}  // namespace bankside::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// Included once for every SIMD target, see Highway's foreach_target.h.
#if defined(BANKSIDE_FFT_TILE_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BANKSIDE_FFT_TILE_PASSES_INL
#undef BANKSIDE_FFT_TILE_PASSES_INL
#else
#define BANKSIDE_FFT_TILE_PASSES_INL
#endif

#include "kernels/fft/butterfly-inl.h"
#include "kernels/fft/tile_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::fft::HWY_NAMESPACE {

constexpr int element = 2 * lanes;  ///< floats of one complex vector: real lanes, then imaginary ones

template <int radix>
HWY_INLINE void forwardPass(const Transform& t, const Pass& pass, float* HWY_RESTRICT data) {
  const D d;
  const int stride = pass.block / radix;
  for (int b = 0; b < t.length; b += pass.block) {
    const float* HWY_RESTRICT w = t.twiddles.data() + pass.twiddles;
    for (int j = 0; j < stride; ++j) {
      float* HWY_RESTRICT p = data + (b + j) * element;
      V re[radix];
      V im[radix];
#pragma GCC unroll 8
      for (int m = 0; m < radix; ++m) {
        re[m] = hn::Load(d, p + m * stride * element);
        im[m] = hn::Load(d, p + m * stride * element + lanes);
      }
      butterfly<radix>(re, im);
      if (stride > 1) {
#pragma GCC unroll 8
        for (int m = 1; m < radix; ++m) multiplyTwiddle(w + 2 * (m - 1), re[m], im[m]);
        w += 2 * (radix - 1);
      }
#pragma GCC unroll 8
      for (int m = 0; m < radix; ++m) {
        hn::Store(re[m], d, p + m * stride * element);
        hn::Store(im[m], d, p + m * stride * element + lanes);
      }
    }
  }
}

/// `load(i, re, im)` gives element i, `store(i, re, im)` takes it.
template <int radix, class LoadElement, class StoreElement>
HWY_INLINE void inversePass(const Transform& t, const Pass& pass, const LoadElement& load,
                            const StoreElement& store) {
  const int stride = pass.block / radix;
  for (int b = 0; b < t.length; b += pass.block) {
    const float* HWY_RESTRICT w = t.twiddles.data() + pass.twiddles;
    for (int j = 0; j < stride; ++j) {
      V re[radix];
      V im[radix];
#pragma GCC unroll 8
      for (int m = 0; m < radix; ++m) load(b + j + m * stride, re[m], im[m]);
      if (stride > 1) {
#pragma GCC unroll 8
        for (int m = 1; m < radix; ++m) multiplyTwiddle(w + 2 * (m - 1), im[m], re[m]);
        w += 2 * (radix - 1);
      }
      butterfly<radix>(im, re);
#pragma GCC unroll 8
      for (int m = 0; m < radix; ++m) store(b + j + m * stride, re[m], im[m]);
    }
  }
}

HWY_INLINE void forwardPasses(const Transform& t, float* data) {
  for (const Pass& pass : t.passes) {
    switch (pass.radix) {
      case 2: forwardPass<2>(t, pass, data); break;
      case 3: forwardPass<3>(t, pass, data); break;
      case 4: forwardPass<4>(t, pass, data); break;
      default: forwardPass<8>(t, pass, data); break;
    }
  }
}

template <class LoadElement, class StoreElement>
HWY_INLINE void inversePassOf(const Transform& t, const Pass& pass, const LoadElement& load,
                              const StoreElement& store) {
  switch (pass.radix) {
    case 2: return inversePass<2>(t, pass, load, store);
    case 3: return inversePass<3>(t, pass, load, store);
    case 4: return inversePass<4>(t, pass, load, store);
    default: return inversePass<8>(t, pass, load, store);
  }
}

/// All passes; the first takes its elements from `load`, the last gives them to `store`, those between stay
/// in `data`. Transforms have two passes or more.
template <class LoadElement, class StoreElement>
HWY_INLINE void inversePasses(const Transform& t, float* HWY_RESTRICT data, const LoadElement& load,
                              const StoreElement& store) {
  const D d;
  const auto loadHere = [=](int i, V& re, V& im) HWY_ATTR {
    re = hn::Load(d, data + i * element);
    im = hn::Load(d, data + i * element + lanes);
  };
  const auto storeHere = [=](int i, V re, V im) HWY_ATTR {
    hn::Store(re, d, data + i * element);
    hn::Store(im, d, data + i * element + lanes);
  };
  const int last = static_cast<int>(t.passes.size()) - 1;
  inversePassOf(t, t.passes[static_cast<std::size_t>(last)], load, storeHere);
  for (int p = last - 1; p > 0; --p)
    inversePassOf(t, t.passes[static_cast<std::size_t>(p)], loadHere, storeHere);
  inversePassOf(t, t.passes[0], loadHere, store);
}

void packRow(const TileTransforms& t, const float* first, const float* second, int y, float* space) {
  const D d;
  float* dst = space + y * element;
  for (int x = 0; x < t.x.length; x += lanes, dst += t.groupFloats) {
    hn::Store(hn::LoadU(d, first + x), d, dst);
    hn::Store(hn::LoadU(d, second + x), d, dst + lanes);
  }
}

void forwardTile(const TileTransforms& t, float* space, float* spectrum) {
  for (int g = 0; g < t.x.length / lanes; ++g) forwardPasses(t.y, space + g * t.groupFloats);
  for (int y = 0; y < t.y.length; y += lanes) {
    float* rows = spectrum + static_cast<std::ptrdiff_t>(y) * t.x.length * 2;
    for (int x = 0; x < t.x.length; x += lanes) {
      const float* src = space + x / lanes * t.groupFloats + y * element;
      transposeBlock(src, rows + x * element, element);
      transposeBlock(src + lanes, rows + x * element + lanes, element);
    }
    forwardPasses(t.x, rows);
  }
}

void respond(const ResponseCall& call) {
  const D d;
  const TileTransforms& t = *call.transforms;
  const auto spectrumFloats = t.spectrumFloats();
  float* HWY_RESTRICT buffer = call.buffer;
  const auto keep = [=](int i, V re, V im) HWY_ATTR {
    hn::Store(re, d, buffer + i * element);
    hn::Store(im, d, buffer + i * element + lanes);
  };
  for (int y = 0; y < t.y.length; y += lanes) {
    const auto row = static_cast<std::size_t>(y) * static_cast<std::size_t>(t.x.length) * 2;
    const float* HWY_RESTRICT spectra = call.spectra + row;
    const float* HWY_RESTRICT filter = call.filter + row;
    const int channels = call.channels;
    const auto product = [=](int i, V& re, V& im) HWY_ATTR {
      const float* HWY_RESTRICT z = spectra + i * element;
      const float* HWY_RESTRICT h = filter + i * element;
      V zr = hn::Load(d, z);
      V zi = hn::Load(d, z + lanes);
      V hr = hn::Load(d, h);
      V hi = hn::Load(d, h + lanes);
      re = hn::NegMulAdd(zi, hi, hn::Mul(zr, hr));
      im = hn::MulAdd(zr, hi, hn::Mul(zi, hr));
      for (int c = 1; c < channels; ++c) {
        z += spectrumFloats;
        h += spectrumFloats;
        zr = hn::Load(d, z);
        zi = hn::Load(d, z + lanes);
        hr = hn::Load(d, h);
        hi = hn::Load(d, h + lanes);
        re = hn::NegMulAdd(zi, hi, hn::MulAdd(zr, hr, re));
        im = hn::MulAdd(zr, hi, hn::MulAdd(zi, hr, im));
      }
    };
    inversePasses(t.x, buffer, product, keep);
    for (int x = 0; x < call.keptColumns; x += lanes) {
      float* dst = call.space + x / lanes * t.groupFloats + y * element;
      transposeBlock(buffer + x * element, dst, element);
      transposeBlock(buffer + x * element + lanes, dst + lanes, element);
    }
  }
  for (int x = 0; x < call.keptColumns; x += lanes) {
    float* HWY_RESTRICT data = call.space + x / lanes * t.groupFloats;
    const auto load = [=](int i, V& re, V& im) HWY_ATTR {
      re = hn::Load(d, data + i * element);
      im = hn::Load(d, data + i * element + lanes);
    };
    float* HWY_RESTRICT first = call.responses[0] == nullptr ? nullptr : call.responses[0] + x;
    float* HWY_RESTRICT second = call.responses[1] == nullptr ? nullptr : call.responses[1] + x;
    const auto stride = static_cast<std::ptrdiff_t>(call.responseStride);
    const int rows = call.keptRows;
    const auto give = [=](int i, V re, V im) HWY_ATTR {
      if (i >= rows) return;
      if (first != nullptr) hn::Store(re, d, first + i * stride);
      if (second != nullptr) hn::Store(im, d, second + i * stride);
    };
    inversePasses(t.y, data, load, give);
  }
}

}  // namespace bankside::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// Included once for every SIMD target, see Highway's foreach_target.h.
#if defined(BANKSIDE_FFT_TILE_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BANKSIDE_FFT_TILE_PASSES_INL
#undef BANKSIDE_FFT_TILE_PASSES_INL
#else
#define BANKSIDE_FFT_TILE_PASSES_INL
#endif

#include <cstring>

#include "hwy/cache_control.h"
#include "kernels/fft/butterfly-inl.h"
#include "kernels/fft/tile_kernels.h"
#include "kernels/highway/block_kernel-inl.h"

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

void packRow(const TileTransforms& t, const float* first, const float* second, int y, float* space,
             float* extent) {
  const D d;
  const V zero = hn::Zero(d);
  // The largest so far, and a sum that is NaN once anything was not finite.
  V firstMost = hn::Load(d, extent);
  V firstPoison = hn::Load(d, extent + lanes);
  V secondMost = hn::Load(d, extent + 2 * lanes);
  V secondPoison = hn::Load(d, extent + 3 * lanes);
  float* dst = space + y * element;
  for (int x = 0; x < t.x.length; x += lanes, dst += t.groupFloats) {
    const V a = hn::LoadU(d, first + x);
    const V b = hn::LoadU(d, second + x);
    firstMost = hn::Max(firstMost, hn::Abs(a));
    firstPoison = hn::MulAdd(a, zero, firstPoison);
    secondMost = hn::Max(secondMost, hn::Abs(b));
    secondPoison = hn::MulAdd(b, zero, secondPoison);
    hn::Store(a, d, dst);
    hn::Store(b, d, dst + lanes);
  }
  hn::Store(firstMost, d, extent);
  hn::Store(firstPoison, d, extent + lanes);
  hn::Store(secondMost, d, extent + 2 * lanes);
  hn::Store(secondPoison, d, extent + 3 * lanes);
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

/// Products of a row group, summed over channels, back along x into `buffer`.
template <bool oneChannel>
HWY_INLINE void respondAlongX(const ResponseCall& call, int y) {
  const D d;
  const TileTransforms& t = *call.transforms;
  const auto spectrumFloats = t.spectrumFloats();
  const auto row = static_cast<std::size_t>(y) * static_cast<std::size_t>(t.x.length) * 2;
  const float* HWY_RESTRICT spectra = call.spectra + row;
  const float* HWY_RESTRICT filter = call.filter + row;
  float* HWY_RESTRICT buffer = call.buffer;
  const int channels = call.channels;
  const auto product = [=](int i, V& re, V& im) HWY_ATTR {
    const float* z = spectra + i * element;
    const float* h = filter + i * element;
    const V zr = hn::Load(d, z);
    const V zi = hn::Load(d, z + lanes);
    const V hr = hn::Load(d, h);
    const V hi = hn::Load(d, h + lanes);
    re = hn::NegMulAdd(zi, hi, hn::Mul(zr, hr));
    im = hn::MulAdd(zr, hi, hn::Mul(zi, hr));
    if constexpr (!oneChannel) {
      for (int c = 1; c < channels; ++c) {
        z += spectrumFloats;
        h += spectrumFloats;
        const V nextZr = hn::Load(d, z);
        const V nextZi = hn::Load(d, z + lanes);
        const V nextHr = hn::Load(d, h);
        const V nextHi = hn::Load(d, h + lanes);
        re = hn::NegMulAdd(nextZi, nextHi, hn::MulAdd(nextZr, nextHr, re));
        im = hn::MulAdd(nextZr, nextHi, hn::MulAdd(nextZi, nextHr, im));
      }
    }
  };
  const auto keep = [=](int i, V re, V im) HWY_ATTR {
    hn::Store(re, d, buffer + i * element);
    hn::Store(im, d, buffer + i * element + lanes);
  };
  inversePasses(t.x, buffer, product, keep);
}

/// What becomes of a response: stored, stored around the caches, or the larger one is.
enum class Give { Store, Stream, Larger };

template <Give give>
HWY_INLINE void giveRow(V response, float* row) {
  const D d;
  if constexpr (give == Give::Stream) {
    hn::Stream(response, d, row);
  } else if constexpr (give == Give::Larger) {
    const V value = hn::LoadU(d, row);
    const auto better = direct::HWY_NAMESPACE::replaces<Combine::Max>(response, value);
    hn::StoreU(hn::IfThenElse(better, response, value), d, row);
  } else {
    hn::StoreU(response, d, row);
  }
}

/// One column group back along y. `first` and `second` take the rows; null where nobody wants them.
template <Give how>
HWY_INLINE void respondAlongY(const Transform& t, float* HWY_RESTRICT data, int rows,
                              const ResponseCall::Response& first, const ResponseCall::Response& second) {
  const D d;
  const auto load = [=](int i, V& re, V& im) HWY_ATTR {
    re = hn::Load(d, data + i * element);
    im = hn::Load(d, data + i * element + lanes);
  };
  float* const firstData = first.data;
  float* const secondData = second.data;
  const std::ptrdiff_t firstStride = first.stride;
  const std::ptrdiff_t secondStride = second.stride;
  const auto give = [=](int i, V re, V im) HWY_ATTR {
    if (i >= rows) return;
    if (firstData != nullptr) giveRow<how>(re, firstData + i * firstStride);
    if (secondData != nullptr) giveRow<how>(im, secondData + i * secondStride);
  };
  inversePasses(t, data, load, give);
}

void respond(const ResponseCall& call) {
  const TileTransforms& t = *call.transforms;
  const int columns = HWY_MAX(call.responses[0].columns, call.responses[1].columns);
  for (int y = 0; y < t.y.length; y += lanes) {
    if (call.channels == 1) {
      respondAlongX<true>(call, y);
    } else {
      respondAlongX<false>(call, y);
    }
    for (int x = 0; x < columns; x += lanes) {
      float* dst = call.space + x / lanes * t.groupFloats + y * element;
      transposeBlock(call.buffer + x * element, dst, element);
      transposeBlock(call.buffer + x * element + lanes, dst + lanes, element);
    }
  }
  for (int x = 0; x < columns; x += lanes) {
    float* data = call.space + x / lanes * t.groupFloats;
    ResponseCall::Response here[2];
    int parts = 0;
    for (int i = 0; i < 2; ++i) {
      const ResponseCall::Response& whole = call.responses[i];
      if (whole.data == nullptr || x >= whole.columns) continue;
      here[i] = {whole.data + x, HWY_MIN(lanes, whole.columns - x), whole.stride};
      if (here[i].columns == lanes) continue;
      here[i].data = call.panel + i * t.y.length * lanes;
      here[i].stride = lanes;
      ++parts;
    }
    if (call.larger) {
      respondAlongY<Give::Larger>(t.y, data, call.rows, here[0], here[1]);
    } else if (call.stream && parts == 0) {
      respondAlongY<Give::Stream>(t.y, data, call.rows, here[0], here[1]);
    } else {
      respondAlongY<Give::Store>(t.y, data, call.rows, here[0], here[1]);
    }
    for (int i = 0; i < 2 && parts > 0; ++i) {
      if (here[i].data == nullptr || here[i].columns == lanes) continue;
      for (int y = 0; y < call.rows; ++y) {
        std::memcpy(call.responses[i].data + y * call.responses[i].stride + x, here[i].data + y * lanes,
                    static_cast<std::size_t>(here[i].columns) * sizeof(float));
      }
    }
  }
}

}  // namespace bankside::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

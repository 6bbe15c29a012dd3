/// In the place of kernels/cuda/device/tf32_product.cuh: `mma.sync` m16n8k8 by a warp's thirty-two lanes.
///
/// Products of TF32 numbers are exact in f32; they are added one after another and rounded, where the tensor
/// cores align and cut.
#pragma once

#include <cmath>

#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::cuda {

struct Tf32Product {
  float* sum;
  float taps[4];
  float pixels[2];
};

/// The bits below TF32's ten after the point are not looked at.
inline float asTf32(float value) { return __uint_as_float(__float_as_uint(value) & 0xffffe000u); }

inline void multiplyTf32(float (&sum)[4], const float4& taps, const std::uint32_t (&pixels)[2]) {
  Tf32Product mine{sum,
                   {asTf32(taps.x), asTf32(taps.y), asTf32(taps.z), asTf32(taps.w)},
                   {asTf32(__uint_as_float(pixels[0])), asTf32(__uint_as_float(pixels[1]))}};
  on_host::meet(on_host::Group::Warp, "mma.sync", &mine, [](void* const* of, int) {
    // PTX ISA, fragments of m16n8k8: with g = lane / 4 and t = lane % 4, a lane holds of A rows g, g + 8 of
    // column t, then of column t + 4; of B rows t and t + 4 of column g; of C columns 2t and 2t + 1 of row g,
    // then of row g + 8.
    const auto lane = [&](int i) { return static_cast<Tf32Product*>(of[i]); };
    for (int g = 0; g < 8; ++g) {
      for (int t = 0; t < 4; ++t) {
        for (int i = 0; i < 4; ++i) {
          float total = lane(4 * g + t)->sum[i];
          const int column = 2 * t + i % 2;
          for (int k = 0; k < 8; ++k) {
            const float a = lane(4 * g + k % 4)->taps[k / 4 * 2 + i / 2];
            const float b = lane(4 * column + k % 4)->pixels[k / 4];
            total = std::fma(a, b, total);
          }
          lane(4 * g + t)->sum[i] = total;
        }
      }
    }
  });
}

}  // namespace bankside::cuda

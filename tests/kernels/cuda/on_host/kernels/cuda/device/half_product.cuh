/// In the place of kernels/cuda/device/half_product.cuh: `mma.sync` m16n8k16, worked off at the warp's next
/// barrier as two instructions of eight columns.
///
/// Products of halves are exact in f32; they are added one after another and rounded, where the tensor cores
/// align and cut.
#pragma once

#include "tests/kernels/cuda/on_host/block.h"
#include "tests/kernels/cuda/on_host/cuda_fp16.h"

namespace bankside::cuda {

inline std::uint32_t packHalves(float low, float high) {
  const __half2 both = __floats2half2_rn(low, high);
  return static_cast<std::uint32_t>(both.x.bits) | static_cast<std::uint32_t>(both.y.bits) << 16;
}

inline float halfOf(std::uint32_t word, int which) {
  return __half2float(__half{static_cast<std::uint16_t>(word >> 16 * which)});
}

/// PTX ISA, fragments of m16n8k16: a lane's words hold columns 2t and 2t + 1, then those eight on. In which
/// order an instruction takes its columns is all the same, so the first of each pair stands for column t of
/// eight, the second for column t + 4.
inline void multiplyHalves(float (&sum)[4], const uint4& taps, const std::uint32_t (&pixels)[2]) {
  const std::uint32_t rows[2][2] = {{taps.x, taps.y}, {taps.z, taps.w}};
  for (int i = 0; i < 2; ++i) {
    on_host::pending().warpProducts.push_back(
        {sum,
         {halfOf(rows[i][0], 0), halfOf(rows[i][1], 0), halfOf(rows[i][0], 1), halfOf(rows[i][1], 1)},
         {halfOf(pixels[i], 0), halfOf(pixels[i], 1)}});
  }
}

}  // namespace bankside::cuda

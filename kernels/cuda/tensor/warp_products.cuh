/// Products by warps, each for itself: 16 groups of pixels times 8 columns of taps an instruction.
///
/// Pixels come from shared memory, where a core is a row of the instruction's matrix, and a step's two cores
/// are its two halves. Taps come from global memory in the order of its registers: all warps read the same
/// ones at about the same time, so that the first-level cache has them and shared memory is left to pixels.
#pragma once

#include "kernels/cuda/device/half_product.cuh"
#include "kernels/cuda/device/load_matrices.cuh"
#include "kernels/cuda/pixels/fused.h"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_arguments.h"
#include "kernels/cuda/tensor/warp_order.h"

namespace bankside::cuda {

/// What a kernel of warps is compiled for; see TensorLayout.
template <PixelParts parts_, TapParts halves_, bool chained_, Fused kept_>
struct WarpShape {
  static constexpr PixelParts parts = parts_;
  static constexpr TapParts halves = halves_;
  /// Whether results are added up from several sums.
  static constexpr bool chained = chained_;
  static constexpr Fused kept = kept_;
  static constexpr bool fused = kept != Fused::None;
  static constexpr bool asksLanes = true;
  static_assert(parts != PixelParts::Split || chained);
  static constexpr int outputs = TensorLayout::outputsOf(warpColumns, halves);
  static constexpr int eights = outputs / 8;
  static constexpr int values = 4 * eights;  ///< of a lane, for 16 groups and a block of taps
  /// Of 16 groups, multiplied together: as many as registers hold the sums of.
  static constexpr int tiles = chained || kept == Fused::Index ? 2 : 4;
};

/// Where a warp finds a turn's pixels.
struct WarpPixels {
  /// Of the ring's first row, the lane's row of the first tile's matrix.
  std::uint32_t row;
  const std::uint32_t* places;  ///< TensorArguments::corePlaces, from the strip's first core on
  bool second;                  ///< whether the lane says where rows of the second core lie
};

/// The halves of a step's pixels for all tiles.
template <int tiles>
__device__ __forceinline__ void loadPixels(uint4 (&pixels)[tiles], const WarpPixels& from, int step) {
  const std::uint32_t place = from.places[2 * step];
  const std::uint32_t core = (place & 0xffffu) + (from.second ? place >> 16 : 0);
#pragma unroll
  for (int i = 0; i < tiles; ++i)
    pixels[i] = loadMatrices(from.row + core * coreBytes + static_cast<std::uint32_t>(i * 16 * coreBytes));
}

/// sum += pixels x taps over `count` steps from `first` on. `taps`: the lane's of the first step and column,
/// `sixteens` x 16 columns of the step's. What lies one step beyond is read, too, and not used.
template <int tiles, int sixteens>
__device__ __forceinline__ void addSteps(float (&sum)[tiles][2 * sixteens][4], const WarpPixels& from,
                                         const uint4* taps, int first, int count) {
  taps += first * unitsOfStep;
  uint4 next[tiles];
  loadPixels(next, from, first);
  uint4 tap = __ldg(taps);
#pragma unroll 1
  for (int step = first; step < first + count; ++step) {
    uint4 pixels[tiles];
#pragma unroll
    for (int i = 0; i < tiles; ++i) pixels[i] = next[i];
    loadPixels(next, from, step + 1);
#pragma unroll
    for (int n = 0; n < sixteens; ++n) {
      const uint4 now = tap;
      tap = __ldg(taps + (n + 1 < sixteens ? (n + 1) * unitsOfSixteen : unitsOfStep));
      const std::uint32_t one[2] = {now.x, now.y};
      const std::uint32_t other[2] = {now.z, now.w};
#pragma unroll
      for (int i = 0; i < tiles; ++i) {
        multiplyHalves(sum[i][2 * n], pixels[i], one);
        multiplyHalves(sum[i][2 * n + 1], pixels[i], other);
      }
    }
    taps += unitsOfStep;
  }
}

template <int tiles, int eights>
__device__ __forceinline__ void clear(float (&sum)[tiles][eights][4]) {
#pragma unroll
  for (auto& tile : sum)
#pragma unroll
    for (auto& eight : tile)
#pragma unroll
      for (float& s : eight) s = 0.0f;
}

/// One block of taps times the pixels of `S::tiles` x 16 groups. `second`: bytes from the first to the second
/// parts of pixels.
template <class S>
__device__ __forceinline__ void multiplyByWarp(const TensorArguments& a, const WarpPixels& from,
                                               const uint4* taps, float (&value)[S::tiles][S::eights][4]) {
  constexpr int sixteens = warpColumns / 16;
  clear(value);
  if constexpr (S::halves == TapParts::High) {
    addSteps<S::tiles, sixteens>(value, from, taps, 0, a.layout.steps);
    return;
  } else {
    const int each = S::chained ? a.layout.chainSteps() : a.layout.steps;
#pragma unroll 1
    for (int first = 0; first < a.layout.steps; first += each) {
      float sum[S::tiles][2 * S::eights][4];
      clear(sum);
      addSteps<S::tiles, sixteens>(sum, from, taps, first, each);
#pragma unroll
      for (int t = 0; t < S::tiles; ++t)
#pragma unroll
        for (int j = 0; j < S::eights; ++j)
#pragma unroll
          for (int i = 0; i < 4; ++i)
            value[t][j][i] += __fmaf_rn(sum[t][S::eights + j][i], lowWeight, sum[t][j][i]);
      if (!S::chained) break;
    }
    if constexpr (S::parts == PixelParts::Split) {
      // What pixels left over, times either half of the taps.
      WarpPixels rest = from;
      rest.row += static_cast<std::uint32_t>(a.walk.plane);
#pragma unroll 1
      for (int half = 0; half < a.layout.secondHalves(); ++half) {
        float sum[S::tiles][S::eights][4];
        clear(sum);
        addSteps<S::tiles, sixteens / 2>(sum, rest, taps + half * (sixteens / 2) * unitsOfSixteen, 0,
                                         a.layout.steps);
        const float weight = half > 0 ? lowWeight * lowWeight : lowWeight;
#pragma unroll
        for (int t = 0; t < S::tiles; ++t)
#pragma unroll
          for (int j = 0; j < S::eights; ++j)
#pragma unroll
            for (int i = 0; i < 4; ++i) value[t][j][i] = __fmaf_rn(sum[t][j][i], weight, value[t][j][i]);
      }
    }
  }
}

}  // namespace bankside::cuda

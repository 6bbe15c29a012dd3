/// The tensor-core kernel: taps and pixels in shared memory, sums in registers, results straight from them.
///
/// With g = lane / 4, t = lane % 4 and w the warp, a lane holds for slot 8w + g of a block of taps the sums
/// of both halves, of the groups 8j + 2t and 8j + 2t + 1 for all j.
#pragma once

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/tensor/plain_tile.cuh"
#include "kernels/cuda/tensor/stage_groups.cuh"
#include "kernels/cuda/tensor/tensor_arguments.h"
#include "kernels/cuda/tensor/tensor_combine.cuh"
#include "kernels/cuda/tensor/tensor_results.cuh"

namespace bankside::cuda {

/// What a kernel is compiled for. `chained`: a result is more than one chain of sums.
template <int columns_, int shifts_, PixelParts parts_, bool chained_, Fused kept_, int warpgroups_>
struct TensorShape {
  static constexpr int columns = columns_;
  static constexpr int shifts = shifts_;
  static constexpr PixelParts parts = parts_;
  static constexpr bool chained = chained_;
  static constexpr Fused kept = kept_;
  static constexpr bool fused = kept != Fused::None;
  static constexpr int width = columns * shifts;
  /// Results of a lane for one block of taps and one strip.
  static constexpr int values = columns / 4;
  static constexpr int warpgroups = warpgroups_;
  static constexpr int threads = warpgroups * tensorWarpgroup;
  /// Four warpgroups a multiprocessor in either case.
  static constexpr int minBlocks = 4 / warpgroups;
};

/// Products of `count` steps from `first` on. Both halves together: value[2j + e] is group 8j + 2t + e.
template <class S>
__device__ __forceinline__ void multiplyChain(const TensorArguments& a, std::uint32_t taps,
                                              std::uint32_t pixels, int first, int count,
                                              float (&value)[S::values], bool add, float weight) {
  float sum[2 * S::values];
  constexpr std::uint32_t stepUnits = TensorLayout::stepBytes / 16;
  taps += static_cast<std::uint32_t>(first) * stepUnits;
  const std::uint32_t* step = a.step + first;
  // Read a turn ahead: products wait for their descriptors otherwise.
  std::uint32_t next = pixels + step[1];
  beginProducts();
  addProducts<false>(sum, taps, pixels + step[0]);
  // The compiler keeps products on their way through a loop if each turn begins anew.
#pragma unroll 1
  for (int i = 1; i < count; ++i) {
    const std::uint32_t at = next;
    next = pixels + step[i + 1];
    taps += stepUnits;
    beginProducts();
    addProducts<true>(sum, taps, at);
  }
  waitForProducts();
  settle(sum);
#pragma unroll
  for (int j = 0; j < S::values / 2; ++j) {
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const float whole = __fmaf_rn(sum[4 * j + 2 + e], lowWeight, sum[4 * j + e]);
      float& place = value[2 * j + e];
      if constexpr (S::chained) {
        place = add ? __fmaf_rn(whole, weight, place) : whole * weight;
      } else {
        place = whole;
      }
    }
  }
}

/// One block of taps times the pixels of a strip. The parts of pixels that weigh less are added first.
template <class S>
__device__ __forceinline__ void multiply(const TensorArguments& a, std::uint32_t taps, std::uint32_t pixels,
                                         float (&value)[S::values]) {
  if constexpr (!S::chained) {
    multiplyChain<S>(a, taps, pixels, 0, a.layout.steps, value, false, 1.0f);
  } else {
    // One loop over chains: [plane][chain of a plane], the second plane first.
    constexpr int planes = S::parts == PixelParts::Whole ? 1 : 2;
    const int each = a.layout.chainSteps();
    const int chains = a.layout.chains();
#pragma unroll 1
    for (int chain = 0; chain < planes * chains; ++chain) {
      const bool second = planes == 2 && chain < chains;
      const int first = (planes == 2 && !second ? chain - chains : chain) * each;
      const std::uint32_t at =
          second ? pixels + static_cast<std::uint32_t>(a.shared.plane / coreBytes) : pixels;
      multiplyChain<S>(a, taps, at, first, each, value, chain > 0, second ? lowWeight : 1.0f);
    }
  }
}

/// The taps and units of a pass to shared memory. Called by the whole block; `waitForCopies`,
/// `showToProducts` and a barrier must follow.
template <int threads>
__device__ __forceinline__ void loadPass(const TensorArguments& a, int pass, char* shared) {
  const int words = a.layout.passBytes() / 16;
  const uint4* from = static_cast<const uint4*>(a.packedTaps) + static_cast<std::ptrdiff_t>(pass) * words;
  uint4* const taps = reinterpret_cast<uint4*>(shared);
  for (int i = static_cast<int>(threadIdx.x); i < words; i += threads)
    copyUnitAsync(reinterpret_cast<float*>(taps + i), reinterpret_cast<const float*>(from + i));
  Unit* const units = reinterpret_cast<Unit*>(shared + a.shared.units);
  for (int i = static_cast<int>(threadIdx.x); i < a.layout.units(); i += threads) {
    const int of = pass * a.layout.units() + i;
    const int filter = of / a.layout.rowStep;
    const int row = of % a.layout.rowStep;
    const bool any = filter < a.base.filterCount;
    const std::ptrdiff_t plane = a.base.combine == Combine::None ? filter * a.base.dst.planeStride : 0;
    units[i] = {plane + row * a.base.dst.stride, any ? __ldg(a.scales + filter) : 0.0f,
                any ? row : Unit::none};
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::minBlocks)
    tensorKernel(const __grid_constant__ TensorArguments a) {
  extern __shared__ __align__(128) char shared[];
  // The same for all lanes, which the compiler would not know: products want whole warps.
  const int warpgroup = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / tensorWarpgroup, 0);
  const int thread = static_cast<int>(threadIdx.x) % tensorWarpgroup;
  const int rowStep = a.layout.rowStep;
  const int strips = a.shared.strips;
  const int x0 = static_cast<int>(blockIdx.x) * S::width - a.before;
  const int y0 = static_cast<int>(blockIdx.y) * strips * rowStep - a.above;
  loadPass<S::threads>(a, S::fused ? 0 : static_cast<int>(blockIdx.z), shared);
  char* const staged = shared + a.shared.pixels;
  const TileGroups tile{.columns = a.layout.groups(),
                        .shifts = S::shifts,
                        .rows = (strips - 1) * rowStep + a.layout.reach(),
                        .pitch = a.layout.pitch(),
                        .x0 = a.base.x + x0 - a.base.anchorX,
                        .y0 = a.base.y + y0 - a.base.anchorY,
                        .wanted = min(S::width, a.base.width - x0) + a.base.filterWidth - 1};
  const float pixelScale = stageGroups<S::threads, S::parts>(a.base, tile, staged, a.shared.plane);
  if (pixelScale == 0.0f) {
    if (S::fused || blockIdx.z == 0) plainTile<S::threads, S::width>(a.base, x0, y0, strips * rowStep);
    return;
  }

  const Unit* const units = reinterpret_cast<const Unit*>(shared + a.shared.units);
  const std::uint32_t taps = sharedUnits(shared) | coresApart(128);
  const std::uint32_t pixels = sharedUnits(staged);
  const auto blockUnits = static_cast<std::uint32_t>(a.layout.blockBytes() / 16);
  const auto stripUnits = static_cast<std::uint32_t>(rowStep * a.layout.pitch() / 16);
  float value[S::values];
  if constexpr (!S::fused) {
#pragma unroll 1
    for (int strip = warpgroup; strip < strips; strip += S::warpgroups) {
      const int y = y0 + strip * rowStep;
      if (y >= a.base.height) return;
#pragma unroll 1
      for (int block = 0; block < a.layout.blocks; ++block) {
        multiply<S>(a, taps + static_cast<std::uint32_t>(block) * blockUnits,
                    pixels + static_cast<std::uint32_t>(strip) * stripUnits, value);
        writeResults<S>(a.base, value, units + block * a.layout.unitsPerBlock(), pixelScale, x0, y, thread);
      }
    }
  } else {
    // Passes are loaded by the whole block, whatever a warpgroup has to do.
    const auto combineStrips = [&](auto&& take, auto&& finish) {
#pragma unroll 1
      for (int first = 0; first < strips; first += S::warpgroups) {
        const int strip = first + warpgroup;
        const int y = y0 + strip * rowStep;
        const bool busy = strip < strips && y < a.base.height;
#pragma unroll 1
        for (int pass = 0; pass < a.layout.passes; ++pass) {
          if (a.layout.passes > 1 && (first > 0 || pass > 0)) {
            __syncthreads();
            loadPass<S::threads>(a, pass, shared);
            waitForCopies();
            showToProducts();
            __syncthreads();
          }
          if (!busy) continue;
#pragma unroll 1
          for (int block = 0; block < a.layout.blocks; ++block) {
            multiply<S>(a, taps + static_cast<std::uint32_t>(block) * blockUnits,
                        pixels + static_cast<std::uint32_t>(strip) * stripUnits, value);
            const int unit = block * a.layout.unitsPerBlock();
            take(value, units + unit, pass * a.layout.units() + unit, y);
          }
        }
        if (busy) finish(y);
      }
    };
    if constexpr (S::kept == Fused::Value) {
      if (rowStep == 1) {
        CombinedRow<S> combined(a.shared.results, warpgroup, thread);
        combineStrips([&](float(&v)[S::values], const Unit* of, int first,
                          int) { combined.take(a.base.combine, v, of, first == 0, pixelScale); },
                      [&](int y) { combined.finish(a.base, x0, y); });
        return;
      }
    }
    Combined<S> combined(a.shared.results, warpgroup, thread);
    combineStrips([&](float(&v)[S::values], const Unit* of, int first,
                      int y) { combined.take(a, v, of, first, pixelScale, x0, y); },
                  [&](int y) { combined.finish(a, x0, y); });
  }
}

}  // namespace bankside::cuda

/// The tensor-core kernel: pixels and taps in shared memory, sums in registers, results straight from them.
#pragma once

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/tensor/plain_tile.cuh"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/stage_groups.cuh"
#include "kernels/cuda/tensor/tensor_arguments.h"
#include "kernels/cuda/tensor/tensor_combine.cuh"
#include "kernels/cuda/tensor/tensor_results.cuh"

namespace bankside::cuda {

/// What a kernel is compiled for; see TensorLayout.
template <int tapColumns_, PixelParts parts_, bool chained_, Fused kept_>
struct TensorShape {
  static constexpr int tapColumns = tapColumns_;
  static constexpr PixelParts parts = parts_;
  static constexpr bool chained = chained_;
  static constexpr Fused kept = kept_;
  static constexpr bool fused = kept != Fused::None;
  /// Of one half, in eights.
  static constexpr int eights = tapColumns / 16;
  /// Results of a lane for one block of taps: those of eight columns j are group, next output, the group 8
  /// further on, its next output, from 4j on.
  static constexpr int values = 4 * eights;
};

/// Where a turn's pixels begin, and from which instruction on they lie at the ring's start again.
struct RingPlace {
  std::uint32_t pixels;
  std::uint32_t ringUnits;
  int wrapAt;
};

/// Whose turn it is to start products: one warpgroup's after the other's, so that they neither multiply nor
/// write all at the same time.
template <class S>
class Baton {
 public:
  /// Where one chain keeps the tensor cores busy: not narrow ones, nor several for a result.
  static constexpr bool used = S::parts == PixelParts::Whole && !S::chained;
  __device__ __forceinline__ Baton(int warpgroup, int warpgroups)
      : own_(warpgroup), next_(warpgroup + 1 < warpgroups ? warpgroup + 1 : 0) {}
  /// Every warpgroup will take it `times` times.
  __device__ __forceinline__ void begin(int times) {
    left_ = times;
    if (used && next_ == 0) giveTurn(0);
  }
  __device__ __forceinline__ void take() {
    if constexpr (used) waitForTurn(own_);
  }
  __device__ __forceinline__ void give() {
    if constexpr (used) {
      if (--left_ > 0 || next_ != 0) giveTurn(next_);
    }
  }
  /// What a warpgroup does that has nothing to multiply.
  __device__ __forceinline__ void pass(int times) {
#pragma unroll 1
    for (int i = 0; used && i < times; ++i) {
      take();
      give();
    }
  }

 private:
  int own_, next_;
  int left_ = 0;
};

/// The sum of `count` products, an even number, of descriptors from `first` on.
template <class S, int columns>
__device__ __forceinline__ void multiplySteps(const TensorArguments& a, Baton<S>& baton, float* sum,
                                              RingPlace place, std::uint32_t taps, std::uint32_t stepUnits,
                                              int first, int count) {
  const std::uint32_t* step = a.step + first;
  const int wrapAt = place.wrapAt - first;
  std::uint32_t pixels = place.pixels;
  // Read ahead: products wait for their descriptors otherwise.
  const auto placeOf = [&](int i) { return (i >= wrapAt ? pixels - place.ringUnits : pixels) + step[i]; };
  std::uint32_t one = placeOf(0);
  std::uint32_t two = placeOf(1);
  baton.take();
  beginProducts();
  addProducts<columns, false>(sum, one, taps);
  addProducts<columns, true>(sum, two, taps + stepUnits);
  one = placeOf(2);
  two = placeOf(3);
  // The compiler keeps products on their way through a loop if each turn begins anew and is like every other.
  const auto addUntil = [&](int i, int end) {
#pragma unroll 1
    for (; i < end; i += 2) {
      const std::uint32_t at = one;
      const std::uint32_t after = two;
      one = placeOf(i + 2);
      two = placeOf(i + 3);
      taps += 2 * stepUnits;
      beginProducts();
      addProducts<columns, true>(sum, at, taps);
      addProducts<columns, true>(sum, after, taps + stepUnits);
    }
  };
  // Products into the same sums wait for each other: two warpgroups at a time.
  int begun = 2;
  if constexpr (Baton<S>::used) {
    const int half = max(2, (count / 2 + 1) & ~1);
    addUntil(2, half);
    baton.give();
    begun = half;
  }
  addUntil(begun, count);
  waitForProducts();
}

/// One block of taps times the pixels of 64 groups. Of the sums, those of the taps' high halves come first.
template <class S>
__device__ __forceinline__ void multiply(const TensorArguments& a, Baton<S>& baton, std::uint32_t taps,
                                         RingPlace place, float (&value)[S::values]) {
  float sum[2 * S::values];
  constexpr std::uint32_t stepUnits = S::tapColumns * 2;
  RingPlace second = place;
  second.pixels += static_cast<std::uint32_t>(a.shared.plane / coreBytes);
  if constexpr (!S::chained) {
    multiplySteps<S, S::tapColumns>(a, baton, sum, place, taps, stepUnits, 0, a.layout.steps);
    settle(sum);
#pragma unroll
    for (int i = 0; i < S::values; ++i) value[i] = __fmaf_rn(sum[S::values + i], lowWeight, sum[i]);
    if constexpr (S::parts == PixelParts::Split) {
      // What pixels left over, times the high halves: it weighs as much as the low halves' sums.
      float rest[S::values];
      multiplySteps<S, S::tapColumns / 2>(a, baton, rest, second, taps, stepUnits, 0, a.layout.steps);
      settle(rest);
#pragma unroll
      for (int i = 0; i < S::values; ++i) value[i] = __fmaf_rn(rest[i], lowWeight, value[i]);
    }
  } else {
    // One loop over chains: [plane][chain of a plane], the second plane, which weighs less, first.
    constexpr int planes = S::parts == PixelParts::Whole ? 1 : 2;
    const int each = a.layout.chainSteps();
    const int chains = a.layout.chains();
#pragma unroll 1
    for (int chain = 0; chain < planes * chains; ++chain) {
      const bool low = planes == 2 && chain < chains;
      const int first = (planes == 2 && !low ? chain - chains : chain) * each;
      const float weight = low ? lowWeight : 1.0f;
      multiplySteps<S, S::tapColumns>(a, baton, sum, low ? second : place,
                                      taps + static_cast<std::uint32_t>(first) * stepUnits, stepUnits, first,
                                      each);
      settle(sum);
#pragma unroll
      for (int i = 0; i < S::values; ++i) {
        const float whole = __fmaf_rn(sum[S::values + i], lowWeight, sum[i]);
        value[i] = chain > 0 ? __fmaf_rn(whole, weight, value[i]) : whole * weight;
      }
    }
  }
}

/// How often `multiply` takes the baton.
template <class S>
__device__ __forceinline__ int chainsOfBlock(const TensorLayout& layout) {
  constexpr int planes = S::parts == PixelParts::Whole ? 1 : 2;
  return S::chained ? planes * layout.chains() : planes;
}

/// The taps and units of a pass to shared memory. Called by the whole block; `waitForCopies`,
/// `showToProducts` and a barrier must follow.
__device__ __forceinline__ void loadPass(const TensorArguments& a, int pass, char* shared) {
  const int threads = static_cast<int>(blockDim.x);
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

/// What a warpgroup multiplies in turn: 64 groups of a strip.
struct Turns {
  int last;   ///< turn of a strip: 0 or 1
  int count;  ///< of a chunk
  __device__ __forceinline__ explicit Turns(const TensorArguments& a)
      : last(a.layout.groups / groupsOfProduct - 1), count(a.shared.strips << last) {}
  __device__ __forceinline__ int strip(int turn) const { return turn >> last; }
  __device__ __forceinline__ int group(int turn) const { return (turn & last) * groupsOfProduct; }
};

template <class S>
__global__ void __launch_bounds__(mostTensorThreads(S::tapColumns, S::parts, S::chained), 1)
    tensorKernel(const __grid_constant__ TensorArguments a) {
  extern __shared__ __align__(128) char shared[];
  __shared__ int plainChunk[mostChunks];  // whether what was staged for it is more than products can take
  // The same for all lanes, which the compiler would not know: products want whole warps.
  const int warpgroup = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / tensorWarpgroup, 0);
  const int thread = static_cast<int>(threadIdx.x) % tensorWarpgroup;
  const int multipliers = a.shared.multipliers();
  const int rowStep = a.layout.rowStep;
  const int chunkRows = a.shared.strips * rowStep;
  const int x0 = static_cast<int>(blockIdx.x) * a.layout.width() - a.before;
  const int y0 = static_cast<int>(blockIdx.y) * a.shared.chunks * chunkRows - a.above;
  loadPass(a, S::fused ? 0 : static_cast<int>(blockIdx.z), shared);
  char* const staged = shared + a.shared.pixels;
  // The first piece holds all rows that the first chunk needs, each other one those that the next chunk adds.
  TileGroups piece{.groups = a.layout.stagedGroups(),
                   .shiftsLog2 = a.layout.shiftsLog2,
                   .rows = chunkRows - rowStep + a.layout.reach(),
                   .pitch = a.layout.pitch(),
                   .x0 = a.base.x + x0 - a.base.anchorX,
                   .y0 = a.base.y + y0 - a.base.anchorY,
                   .wanted = min(a.layout.width(), a.base.width - x0) + a.base.filterWidth - 1,
                   .firstSlot = 0,
                   .ring = a.shared.ring,
                   .twice = a.shared.stagers > 0 && a.layout.repeatsRow()};
  const Crew all{static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x)};
  const bool mayBePlain = S::parts == PixelParts::Whole && a.base.src.type == ElementType::F16;
  float pixelScale = 1.0f;
  if (S::parts == PixelParts::Split && a.base.src.type == ElementType::F32) {
    pixelScale = stageScaled(a.base, piece, all, staged, a.shared.plane);
    if (pixelScale == 0.0f) {
      if (S::fused || blockIdx.z == 0)
        plainTile(a.base, x0, y0, a.layout.width(), chunkRows, all.thread, all.threads);
      return;
    }
    pixelScale = 1 / pixelScale;
  } else {
    if (mayBePlain) {
      if (all.thread < mostChunks) plainChunk[all.thread] = 0;
      __syncthreads();
    }
    if (stageGroups<S::parts>(a.base, piece, all, staged, a.shared.plane)) plainChunk[0] = 1;
    if constexpr (S::parts == PixelParts::Split) pixelScale = 1 / scaleOfWords;
  }
  waitForCopies();
  showToProducts();
  __syncthreads();

  const Unit* const units = reinterpret_cast<const Unit*>(shared + a.shared.units);
  const std::uint32_t taps = sharedUnits(shared) | coresApart(128);
  const std::uint32_t pixels = sharedUnits(staged);
  const auto blockUnits = static_cast<std::uint32_t>(a.layout.blockBytes() / 16);
  const auto rowUnits = static_cast<std::uint32_t>(a.layout.pitch() / 16);
  const std::uint32_t ringUnits = static_cast<std::uint32_t>(a.shared.ring) * rowUnits;
  const Turns turns(a);
  // Rows of a piece are read by the chunks after it, too.
  const auto isPlain = [&](int chunk) {
    bool plain = false;
    for (int i = max(0, chunk - ceilDiv(a.layout.reach(), chunkRows)); i <= chunk; ++i)
      plain = plain || plainChunk[i] != 0;
    return plain;
  };
  Baton<S> baton(warpgroup, multipliers);
  int slot = 0;  // of the ring, where the chunk begins
#pragma unroll 1
  for (int chunk = 0;; ++chunk) {
    const int chunkY = y0 + chunk * chunkRows;
    const bool more = chunk + 1 < a.shared.chunks && chunkY + chunkRows < a.base.height;
    if (warpgroup >= multipliers) {
      if (more) {
        piece.y0 += piece.rows;
        piece.firstSlot += piece.rows;
        if (piece.firstSlot >= piece.ring) piece.firstSlot -= piece.ring;
        piece.rows = chunkRows;
        // What staging derives from it would be kept in registers from chunk to chunk.
        asm volatile("" : "+r"(piece.x0));
        if (stageGroups<S::parts>(a.base, piece, {thread, tensorWarpgroup}, staged, a.shared.plane))
          plainChunk[chunk + 1] = 1;
        showToProducts();
      }
    } else {
      const bool plain = mayBePlain && isPlain(chunk);
      const auto placeOf = [&](int turn) {
        int row = slot + turns.strip(turn) * rowStep;
        if (row >= a.shared.ring) row -= a.shared.ring;
        return RingPlace{pixels + static_cast<std::uint32_t>(row) * rowUnits +
                             static_cast<std::uint32_t>(turns.group(turn)),
                         ringUnits, ((a.shared.ring - row) * a.layout.cores + 1) >> 1};
      };
      const int chainsOfPass = a.layout.blocks * chainsOfBlock<S>(a.layout);
      baton.begin(ceilDiv(turns.count, multipliers) * chainsOfPass * (S::fused ? a.layout.passes : 1));
      const auto columnOf = [&](int turn) { return x0 + (turns.group(turn) << a.layout.shiftsLog2); };
      const auto inside = [&](int x, int y) { return x < a.base.width && y < a.base.height; };
      if constexpr (!S::fused) {
#pragma unroll 1
        for (int turn = warpgroup; turn < turns.count + warpgroup; turn += multipliers) {
          const int x = columnOf(turn);
          const int y = chunkY + turns.strip(turn) * rowStep;
          if (turn >= turns.count || !inside(x, y) || plain) {
            baton.pass(chainsOfPass);
            continue;
          }
#pragma unroll 1
          for (int block = 0; block < a.layout.blocks; ++block) {
            float value[S::values];
            multiply<S>(a, baton, taps + static_cast<std::uint32_t>(block) * blockUnits, placeOf(turn),
                        value);
            writeResults<S>(a, value, units + block * a.layout.unitsPerBlock(), pixelScale, x, y, thread);
          }
        }
      } else {
        Combined<S> combined(a, thread);
        // Passes are loaded by the whole block, whatever a warpgroup has to do; then nobody only stages.
#pragma unroll 1
        for (int first = 0; first < turns.count; first += multipliers) {
          const int turn = first + warpgroup;
          const int x = columnOf(turn);
          const int y = chunkY + turns.strip(turn) * rowStep;
          const bool busy = turn < turns.count && inside(x, y) && !plain;
          combined.begin(a.base.combine);
#pragma unroll 1
          for (int pass = 0; pass < a.layout.passes; ++pass) {
            if (a.layout.passes > 1 && (first > 0 || pass > 0)) {
              __syncthreads();
              loadPass(a, pass, shared);
              waitForCopies();
              showToProducts();
              __syncthreads();
            }
            if (!busy) {
              baton.pass(chainsOfPass);
              continue;
            }
#pragma unroll 1
            for (int block = 0; block < a.layout.blocks; ++block) {
              float value[S::values];
              multiply<S>(a, baton, taps + static_cast<std::uint32_t>(block) * blockUnits, placeOf(turn),
                          value);
              combined.take(a, value, units + block * a.layout.unitsPerBlock(),
                            pass * a.layout.blocks + block, pixelScale);
            }
          }
          if (busy) combined.finish(a, x, y);
        }
      }
    }
    if (!more) break;
    slot += chunkRows;
    if (slot >= a.shared.ring) slot -= a.shared.ring;
    __syncthreads();
  }
  if constexpr (S::parts == PixelParts::Whole) {
    if (!mayBePlain || (!S::fused && blockIdx.z > 0)) return;
#pragma unroll 1
    for (int chunk = 0; chunk < a.shared.chunks; ++chunk)
      if (isPlain(chunk))
        plainTile(a.base, x0, y0 + chunk * chunkRows, a.layout.width(), chunkRows, all.thread, all.threads);
  }
}

}  // namespace bankside::cuda

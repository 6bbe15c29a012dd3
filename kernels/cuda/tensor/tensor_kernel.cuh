/// The tensor-core kernel: pixels and taps in shared memory, sums in registers, results straight from them.
///
/// A block walks down a band of columns. All warps stage its first rows; then one warpgroup stages rows in a
/// ring (stage_groups.cuh), the others multiply strips in turn and write their results; chunk by chunk they
/// tell each other what is there and what is done with, and wait for nothing else.
#pragma once

#include "kernels/cuda/tensor/band_scale.cuh"
#include "kernels/cuda/tensor/multiply_chains.cuh"
#include "kernels/cuda/tensor/put_groups.cuh"
#include "kernels/cuda/tensor/stage_chunks.cuh"
#include "kernels/cuda/tensor/tensor_combine.cuh"
#include "kernels/cuda/tensor/tensor_results.cuh"
#include "kernels/cuda/tensor/turns.cuh"

namespace bankside::cuda {

/// The taps and units of a pass to one of their buffers, by `threads` threads. `waitForCopies`,
/// `showToProducts` and a barrier must follow.
template <class S>
__device__ __forceinline__ void loadPass(const TensorArguments& a, int pass, char* shared, int buffer,
                                         int thread, int threads) {
  const int words = a.layout.passBytes() / 16;
  const uint4* from = static_cast<const uint4*>(a.packedTaps) + static_cast<std::ptrdiff_t>(pass) * words;
  uint4* const taps = reinterpret_cast<uint4*>(shared + buffer * a.layout.passBytes());
  for (int i = thread; i < words; i += threads)
    copyUnitAsync(reinterpret_cast<float*>(taps + i), reinterpret_cast<const float*>(from + i));
  Unit* const units = reinterpret_cast<Unit*>(shared + a.walk.units + buffer * a.walk.unitBytes);
  const int perBlock = a.layout.unitsOf(S::outputs);
  const int perEight = a.layout.unitsOfEight();
  const int count = a.layout.blocks * perBlock;
  for (int i = thread; i < count; i += threads) {
    const int place = i / perBlock * a.layout.unitPlacesOf(S::eights) +
                      i % perEight * TensorLayout::unitsApart(S::eights) + i % perBlock / perEight;
    units[place] = unitOf(a, pass * count + i);
  }
}

/// Where the chunk of a warpgroup's turn lies. Follows the stagers, and tells them what it is done with.
/// `isLeft(chunk)` says which chunks are left to direct sums.
template <class S, class IsLeft>
class ChunkFollower {
 public:
  __device__ __forceinline__ ChunkFollower(const TensorArguments& a, const Turns& turns,
                                           ChunkBarriers& barriers, IsLeft& isLeft)
      : a_(a),
        barriers_(barriers),
        isLeft_(isLeft),
        turns_(a.walk.strips << turns.last),
        rows_(a.walk.strips * a.layout.rowStep) {}

  /// Until the chunk with that turn is there. By the whole warpgroup.
  __device__ __forceinline__ void follow(int turn) {
    while (turn >= end_) {
      if (chunk_ >= 0) arriveAtPhase(barriers_.empty[chunk_ & 1]);
      ++chunk_;
      end_ += turns_;
      waitForPhase(barriers_.full[chunk_ & 1], chunk_ >> 1);
      const int first = first_ + chunk_ * rows_ >= a_.walk.ring ? first_ - a_.walk.ring : first_;
      // Behind the wait, so that the compiler knows it of all that follows from it; chained sums, and
      // results that are sums as they are, leave no register for that.
      first_ = S::chained || S::halves == TapParts::High ? first : sameForWarp(first);
      left_ = mayFallBack(a_.base.src.type) && isLeft_(chunk_);
    }
  }
  __device__ __forceinline__ bool left() const { return left_; }
  /// Of the ring, where that strip of the block begins.
  __device__ __forceinline__ int slotOf(int strip) const {
    const int row = first_ + strip * a_.layout.rowStep;
    return row >= a_.walk.ring ? row - a_.walk.ring : row;
  }

 private:
  const TensorArguments& a_;
  ChunkBarriers& barriers_;
  IsLeft& isLeft_;
  int turns_, rows_;  ///< of a chunk
  int chunk_ = -1;
  bool left_ = false;
  int end_ = 0;    ///< its last turn's successor
  int first_ = 0;  ///< where the block's first row would be, had the ring no end
};

/// What one warpgroup multiplies: every `consumers`th turn of the block. `isLeft`: see ChunkFollower.
template <class S, class IsLeft>
__device__ __forceinline__ void multiplyTurns(const TensorArguments& a, const Turns& turns, char* shared,
                                              ChunkBarriers& barriers, float pixelScale, int warpgroup,
                                              int thread, IsLeft&& isLeft) {
  const Unit* const units = reinterpret_cast<const Unit*>(shared + a.walk.units);
  const std::uint32_t first = sameForWarp(sharedUnits(shared));
  const std::uint32_t taps = first | coresApart(128);
  const std::uint32_t pixels = first + static_cast<std::uint32_t>(a.walk.pixels / 16);
  const auto blockUnits = static_cast<std::uint32_t>(a.layout.blockBytes() / 16);
  const int consumers = a.walk.consumers;
  const int chainsOfPass = a.layout.blocks;  // where the barrier is used, a block of taps has one
  OrderedBarrier<S> order(warpgroup, consumers);
  if constexpr (OrderedBarrier<S>::used)
    order.begin(ceilDiv(turns.count(), consumers) * chainsOfPass * (S::fused ? a.layout.passes : 1));
  ChunkFollower<S, IsLeft> chunks(a, turns, barriers, isLeft);
  [[maybe_unused]] Combined<S> combined(a, thread);
  [[maybe_unused]] int buffer = 0;
#pragma unroll 1
  for (int begin = 0; begin < turns.count(); begin += consumers) {
    const int turn = begin + warpgroup;
    // To the last chunk even without a turn: who waits for the barrier must not be waited for by stagers.
    chunks.follow(min(turn, turns.count() - 1));
    const int strip = turns.strip(turn);
    const int part = turns.part(turn);
    const bool busy = strip < turns.strips && part < turns.parts && !chunks.left();
    const int group = part * groupsOfProduct;
    const int x = turns.x0 + (group << a.layout.shiftsLog2);
    const int y = turns.y0 + strip * a.layout.rowStep;
    RingPlace place{pixels + static_cast<std::uint32_t>(group), chunks.slotOf(strip) * a.layout.cores};
    if constexpr (S::chained) {
      place.pixels = sameForWarp(place.pixels);
      place.core = sameForWarp(place.core);
    }
    if constexpr (!S::fused) {
      if (!busy) {
        order.skip(chainsOfPass);
        continue;
      }
#pragma unroll 1
      for (int block = 0; block < a.layout.blocks; ++block) {
        float value[S::values];
        multiply<S>(a, order, taps + static_cast<std::uint32_t>(block) * blockUnits, place, value);
        writeResults<S>(a, value, units + block * a.layout.unitPlacesOf(S::eights),
                        (turns.pass * a.layout.blocks + block) * a.layout.unitsOf(S::outputs), pixelScale, x,
                        y, S::asksLanes ? turns.wholeRows(strip, a.base.combine) : turns.whole(strip, part),
                        thread);
      }
    } else {
      combined.begin(a.base.combine);
#pragma unroll 1
      for (int pass = 0; pass < a.layout.passes; ++pass) {
        const int threads = consumers * tensorWarpgroup;
        const auto load = [&](int which, int to) {
          loadPass<S>(a, which, shared, to, warpgroup * tensorWarpgroup + thread, threads);
        };
        const bool inTurns = a.layout.tapBuffers > 1;
        if (inTurns) {
          // Everybody is done with the other buffer, and everybody's part of this one is there.
          waitAtBarrier(consumersBarrier, threads);
          load(pass + 1 < a.layout.passes ? pass + 1 : 0, buffer ^ 1);
        } else if (a.layout.passes > 1 && (begin > 0 || pass > 0)) {
          waitAtBarrier(consumersBarrier, threads);
          load(pass, 0);
          waitForCopies();
          showToProducts();
          waitAtBarrier(consumersBarrier, threads);
        }
        if (busy) {
#pragma unroll 1
          for (int block = 0; block < a.layout.blocks; ++block) {
            float value[S::values];
            const auto tapBlock = static_cast<std::uint32_t>(buffer * a.layout.blocks + block);
            multiply<S>(a, order, taps + tapBlock * blockUnits, place, value);
            combined.take(a, value,
                          units + buffer * (a.walk.unitBytes / static_cast<int>(sizeof(Unit))) +
                              block * a.layout.unitPlacesOf(S::eights),
                          pass * a.layout.blocks + block, pixelScale);
          }
        } else {
          order.skip(chainsOfPass);
        }
        if (inTurns) {
          waitForCopies();
          showToProducts();
          buffer ^= 1;
        }
      }
      if (busy) combined.finish(a, x, y);
    }
  }
  // The stagers wait for everybody, chunk by chunk.
  chunks.follow(turns.count() - 1);
}

template <class S>
__global__ void __launch_bounds__(tensorThreads(tensorConsumers(S::tapColumns, S::parts, S::chained)), 1)
    tensorKernel(const __grid_constant__ TensorArguments a) {
  extern __shared__ __align__(128) char shared[];
  __shared__ std::uint32_t leftGroups[TensorWalk::mostChunks];
  __shared__ ChunkBarriers barriers;
  const int warp = sameForWarp(static_cast<int>(threadIdx.x) / 32);
  const int thread = static_cast<int>(threadIdx.x) % tensorWarpgroup;
  const int threads = static_cast<int>(blockDim.x);
  const int consumers = a.walk.consumers;
  const Turns turns(a);
  const int rowStep = a.layout.rowStep;
  const int chunkRows = a.walk.strips * rowStep;
  const GroupRows rows(a, a.base.x + turns.x0 - a.base.anchorX, a.base.y + turns.y0 - a.base.anchorY,
                       turns.strips * rowStep - rowStep + a.walk.reach);
  loadPass<S>(a, turns.pass, shared, 0, static_cast<int>(threadIdx.x), threads);
  for (int i = static_cast<int>(threadIdx.x); i < a.walk.chunks; i += threads) leftGroups[i] = 0;
  if (threadIdx.x == 0) barriers.begin(consumers);
  constexpr bool wide = S::parts != PixelParts::Whole;
  BandScale band{wide ? scaleOfWords : 1.0f, true};
  if (wide && a.base.src.type == ElementType::F32) band = bandScale(a, rows);
  const auto leave = [&](int y, int count) {
    markResults(a.base, turns.x0, y, a.layout.width(), count, static_cast<int>(threadIdx.x), threads);
  };
  // Through a barrier, so that the compiler knows all threads to agree.
  if (__syncthreads_or(band.scale == 0.0f ? 1 : 0) != 0) {
    waitForCopies();
    leave(turns.y0, turns.strips * rowStep);
    return;
  }
  // Direct sums do a chunk where half of what it reads is for them. Rows are read by the chunks after it,
  // too.
  const auto isLeft = [&](int chunk) {
    const auto mostGroups = static_cast<std::uint32_t>(chunkRows * a.layout.stagedGroups());
    bool left = false;
    for (int i = max(0, chunk - a.walk.before); i <= chunk; ++i)
      left = left || 2 * leftGroups[i] > mostGroups;
    return sameForWarp(left);
  };
  withPut<S>(a, band, shared, [&](auto pixel, auto&& put) {
    stageFirstRows<decltype(pixel)>(a, rows, shared, leftGroups, warp, put);
  });
  waitForCopies();
  showToProducts();
  __syncthreads();
  const int warpgroup = sameForWarp(static_cast<int>(threadIdx.x) / tensorWarpgroup);
  if (warpgroup >= consumers) {
    withPut<S>(a, band, shared, [&](auto pixel, auto&& put) {
      stageRows<decltype(pixel)>(a, rows, shared, barriers, leftGroups, warp, put);
    });
  } else {
    multiplyTurns<S>(a, turns, shared, barriers, 1 / band.scale, warpgroup, thread, isLeft);
  }
  if (!mayFallBack(a.base.src.type)) return;
  __syncthreads();
#pragma unroll 1
  for (int chunk = 0, done = 0; done < turns.strips * rowStep; ++chunk, done += chunkRows)
    if (isLeft(chunk)) leave(turns.y0 + done, min(chunkRows, turns.strips * rowStep - done));
}

}  // namespace bankside::cuda

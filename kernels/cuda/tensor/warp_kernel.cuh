/// The tensor-core kernel of compute capability 8.0 and later: each warp multiplies for itself.
///
/// A block walks down a band of columns. Chunk by chunk its warps stage the rows that are new, meet, multiply
/// strips of it in turn and write their results, and meet again. Rows of the next chunk are on their way
/// meanwhile, and the multiprocessor's other block multiplies while this one stages.
#pragma once

#include "kernels/cuda/tensor/band_scale.cuh"
#include "kernels/cuda/tensor/put_groups.cuh"
#include "kernels/cuda/tensor/stage_groups.cuh"
#include "kernels/cuda/tensor/tensor_combine.cuh"
#include "kernels/cuda/tensor/tensor_results.cuh"
#include "kernels/cuda/tensor/turns.cuh"
#include "kernels/cuda/tensor/warp_products.cuh"

namespace bankside::cuda {

/// A warp's rows of a chunk, the block's rows before `end`; those before `begin` are put.
template <class S>
__device__ __forceinline__ void stageChunk(const TensorArguments& a, const GroupRows& rows, BandScale band,
                                           char* shared, std::uint32_t* left, int warp, int begin, int end) {
  withPut<S>(a, band, shared, [&](auto pixel, auto&& put) {
    using T = decltype(pixel);
    constexpr int ahead = RowStager<T>::rowsAhead;
    const int done = begin == 0 ? -1 : ceilDiv(max(begin - warp, 0), warpsOfBlock);
    RowStager<T> stager(a, rows, shared + a.walk.raw + warp * ahead * a.layout.rawPitch(), ahead, warp,
                        warpsOfBlock, rows.rows, done);
    // A row is 64 groups and a few.
    stager.template putUntil<sizeof(T) == 4 ? 1 : 3, ahead - 1>(end, left, put);
  });
}

/// The first of a lane's arrays becomes the last one, so that a loop over them has one body.
template <class T, int count>
__device__ __forceinline__ void turnRound(T (&all)[count]) {
  const T first = all[0];
#pragma unroll
  for (int i = 0; i + 1 < count; ++i) all[i] = all[i + 1];
  all[count - 1] = first;
}

/// One turn's part: all taps times `S::tiles` x 16 of its groups, from tile `tile` on, and its results.
/// `units`: room for those of a block of taps, the warp's own.
template <class S>
__device__ __forceinline__ void multiplyPart(const TensorArguments& a, const Turns& turns, Unit* units,
                                             const WarpPixels& from, float pixelScale, int strip, int tile,
                                             int lane) {
  const int y = turns.y0 + strip * a.layout.rowStep;
  const int perBlock = a.layout.unitsOf(S::outputs);
  const int perEight = a.layout.unitsOfEight();
  const uint4* taps = static_cast<const uint4*>(a.packedTaps) + lane;
  struct Values {
    float of[S::values];
  };
  const auto x = [&](int t) { return turns.x0 + ((tile + t) * 16 << a.layout.shiftsLog2); };
  [[maybe_unused]] Combined<S> combined[S::tiles];
  if constexpr (S::fused) {
#pragma unroll
    for (auto& one : combined) {
      one = Combined<S>(a, lane);
      one.begin(a.base.combine);
    }
  }
#pragma unroll 1
  for (int block = 0; block < a.layout.blocks; ++block, taps += a.layout.steps * unitsOfStep) {
    float sum[S::tiles][S::eights][4];
    multiplyByWarp<S>(a, from, taps, sum);
    Values value[S::tiles];
#pragma unroll
    for (int t = 0; t < S::tiles; ++t)
#pragma unroll
      for (int i = 0; i < S::values; ++i) value[t].of[i] = sum[t][i / 4][i % 4];
    __syncwarp();
    if (lane < perBlock)
      units[lane % perEight * TensorLayout::unitsApart(S::eights) + lane / perEight] =
          unitOf(a, block * perBlock + lane);
    __syncwarp();
#pragma unroll 1
    for (int t = 0; t < S::tiles; ++t) {
      if constexpr (S::fused) {
        combined[0].take(a, value[0].of, units, block, pixelScale);
        turnRound(combined);
      } else {
        writeResults<S>(a, value[0].of, units, block * perBlock, pixelScale, x(t), y,
                        turns.wholeRows(strip, a.base.combine), lane);
      }
      turnRound(value);
    }
  }
  if constexpr (S::fused) {
#pragma unroll 1
    for (int t = 0; t < S::tiles; ++t) {
      combined[0].finish(a, x(t), y);
      turnRound(combined);
    }
  }
}

template <class S>
__global__ void __launch_bounds__(threadsOfWarps, warpBlocksTogether)
    warpKernel(const __grid_constant__ TensorArguments a) {
  extern __shared__ __align__(128) char shared[];
  __shared__ std::uint32_t leftGroups[TensorWalk::mostChunks];
  constexpr int unitPlaces = 4 * TensorLayout::unitsApart(S::eights);
  __shared__ __align__(16) Unit units[warpsOfBlock][unitPlaces];
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32;
  const int lane = thread % 32;
  const Turns turns(a);
  const int rowStep = a.layout.rowStep;
  const int chunkRows = a.walk.strips * rowStep;
  const GroupRows rows(a, a.base.x + turns.x0 - a.base.anchorX, a.base.y + turns.y0 - a.base.anchorY,
                       turns.strips * rowStep - rowStep + a.walk.reach);
  for (int i = thread; i < a.walk.chunks; i += threadsOfWarps) leftGroups[i] = 0;
  constexpr bool wide = S::parts != PixelParts::Whole;
  BandScale band{wide ? scaleOfWords : 1.0f, true};
  if (wide && a.base.src.type == ElementType::F32) band = bandScale(a, rows);
  const auto leave = [&](int y, int count) {
    markResults(a.base, turns.x0, y, a.layout.width(), count, thread, threadsOfWarps);
  };
  if (__syncthreads_or(band.scale == 0.0f ? 1 : 0) != 0) {
    leave(turns.y0, turns.strips * rowStep);
    return;
  }
  const float pixelScale = 1 / band.scale;
  // Direct sums do a chunk where half of what it reads is for them. Rows are read by the chunks after it,
  // too.
  const auto isLeft = [&](int chunk) {
    const auto mostGroups = static_cast<std::uint32_t>(chunkRows * a.layout.stagedGroups());
    bool left = false;
    for (int i = max(0, chunk - a.walk.before); i <= chunk; ++i)
      left = left || 2 * leftGroups[i] > mostGroups;
    return left;
  };
  const std::uint32_t firstRow = matrixAddress(shared) + static_cast<std::uint32_t>(lane % 16 * coreBytes);
  int begin = 0;
  int end = min(a.walk.firstRows, rows.rows);
  int slot = 0;  // of the ring, where the chunk begins
#pragma unroll 1
  for (int chunk = 0, first = 0; first < turns.strips; ++chunk, first += a.walk.strips) {
    stageChunk<S>(a, rows, band, shared, leftGroups + chunk, warp, begin, end);
    __syncthreads();
    const int strips = min(a.walk.strips, turns.strips - first);
    if (mayFallBack(a.base.src.type) && isLeft(chunk)) {
      leave(turns.y0 + first * rowStep, strips * rowStep);
    } else {
      constexpr int parts = groupsOfProduct / 16 / S::tiles;  // of a turn
#pragma unroll 1
      for (int part = warp; part < strips * parts; part += warpsOfBlock) {
        const int strip = part / parts;
        const int tile = part % parts * S::tiles;
        int row = slot + strip * rowStep;
        row = row >= a.walk.ring ? row - a.walk.ring : row;
        const WarpPixels from{firstRow + static_cast<std::uint32_t>(tile * 16 * coreBytes),
                              a.corePlaces + row * a.layout.cores, lane >= 16};
        multiplyPart<S>(a, turns, units[warp], from, pixelScale, first + strip, tile, lane);
      }
    }
    // Nobody stages over rows that others still multiply.
    __syncthreads();
    begin = end;
    end = min(end + chunkRows, rows.rows);
    slot += chunkRows;
    slot = slot >= a.walk.ring ? slot - a.walk.ring : slot;
  }
}

}  // namespace bankside::cuda

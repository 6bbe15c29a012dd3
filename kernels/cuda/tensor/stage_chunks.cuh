/// Chunks of rows where one warpgroup stages and the others multiply. The first one, for which everybody
/// waits, is staged by all warps.
#pragma once

#include "kernels/cuda/device/phase_barrier.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/tensor/stage_groups.cuh"

namespace bankside::cuda {

/// What blocks' stagers and consumers tell each other: a chunk's rows are there, a chunk is done with.
struct ChunkBarriers {
  PhaseBarrier full[2];
  PhaseBarrier empty[2];
  __device__ __forceinline__ void begin(int consumers) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      beginPhases(full[i], tensorWarpgroup);
      beginPhases(empty[i], consumers * tensorWarpgroup);
    }
  }
};

/// Stages the rows of the first chunk: by all warps. `leftGroups` counts, for every chunk, groups whose
/// pixels are more than halves can take.
template <class T, class Put>
__device__ __forceinline__ void stageFirstRows(const TensorArguments& t, const GroupRows& rows, char* shared,
                                               std::uint32_t* leftGroups, int warp, Put& put) {
  const int consumerWarps = t.walk.consumers * (tensorWarpgroup / 32);
  const bool stages = warp >= consumerWarps;
  // Stagers have room for several rows, so that they come first.
  const int own = stages ? warp - consumerWarps : TensorWalk::stagerWarps + warp;
  if (own >= t.walk.starters) return;
  constexpr int ahead = RowStager<T>::rowsAhead;
  const int pitch = t.layout.rawPitch();
  char* const raw = shared + (stages ? t.walk.raw + own * ahead * pitch : t.walk.startRaw + warp * pitch);
  const int end = min(t.walk.firstRows, rows.rows);
  RowStager<T> stager(t, rows, raw, stages ? ahead : 1, own, t.walk.starters, end);
  stager.template putUntil<1, 0>(end, leftGroups, put);
}

/// Stages those of the other chunks: by the stagers.
template <class T, class Put>
__device__ __forceinline__ void stageRows(const TensorArguments& t, const GroupRows& rows, char* shared,
                                          ChunkBarriers& barriers, std::uint32_t* leftGroups, int warp,
                                          Put& put) {
  constexpr int ahead = RowStager<T>::rowsAhead;
  const int own = warp - t.walk.consumers * (tensorWarpgroup / 32);
  int end = t.walk.firstRows;
  RowStager<T> stager(t, rows, shared + t.walk.raw + own * ahead * t.layout.rawPitch(), ahead, end + own,
                      TensorWalk::stagerWarps, rows.rows);
  arriveAtPhase(barriers.full[0]);
#pragma unroll 1
  for (int chunk = 1; end < rows.rows; ++chunk) {
    end += t.walk.strips * t.layout.rowStep;
    // The ring holds two chunks.
    if (chunk > 1) waitForPhase(barriers.empty[chunk & 1], (chunk >> 1) - 1);
    // A row is 128 groups and a few.
    stager.template putUntil<sizeof(T) == 4 ? 2 : 5, ahead - 1>(min(end, rows.rows), leftGroups + chunk, put);
    showToProducts();
    arriveAtPhase(barriers.full[chunk & 1]);
  }
}

}  // namespace bankside::cuda

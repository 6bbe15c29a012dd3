/// Which threads of a whole warp say yes: a bit each, the first thread's the lowest.
#pragma once

#include <cstdint>

namespace bankside::cuda {

__device__ __forceinline__ std::uint32_t votesOfWarp(bool yes) { return __ballot_sync(~0u, yes); }

/// The word of one of a whole warp's threads.
__device__ __forceinline__ std::uint32_t wordOfLane(std::uint32_t word, int lane) {
  return __shfl_sync(~0u, word, lane);
}

/// Places of the lowest and of the highest bit of a word that is not 0.
__device__ __forceinline__ int lowestBit(std::uint32_t word) { return __ffs(static_cast<int>(word)) - 1; }
__device__ __forceinline__ int highestBit(std::uint32_t word) { return 31 - __clz(static_cast<int>(word)); }

}  // namespace bankside::cuda

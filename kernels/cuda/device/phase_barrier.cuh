/// A barrier in shared memory that is passed once a phase: some threads arrive and go on, others wait.
#pragma once

#include <cstdint>

namespace bankside::cuda {

struct PhaseBarrier {
  std::uint64_t state;
};

__device__ __forceinline__ std::uint32_t sharedAddress(const PhaseBarrier& barrier) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
}

/// A phase ends with its `arrivals`th arrival. Called once, before a barrier of the block.
__device__ __forceinline__ void beginPhases(PhaseBarrier& barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(arrivals)
               : "memory");
}

/// What this thread has written is there for those who wait.
__device__ __forceinline__ void arriveAtPhase(PhaseBarrier& barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier)) : "memory");
}

/// Until phase `phase` (0, 1...) has ended; the one before it must have, and the one after it must not.
__device__ __forceinline__ void waitForPhase(PhaseBarrier& barrier, int phase) {
  std::uint32_t ended = 0;
  while (ended == 0) {
    asm volatile(
        "{.reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p;}"
        : "=r"(ended)
        : "r"(sharedAddress(barrier)), "r"(phase & 1)
        : "memory");
  }
}

}  // namespace bankside::cuda

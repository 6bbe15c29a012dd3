/// A run of bytes from global to shared memory by one instruction of one thread, from compute capability 9.0
/// on.
#pragma once

#include "kernels/cuda/device/phase_barrier.cuh"

namespace bankside::cuda {

#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)

/// What `beginPhases` has done is seen by copies that this thread starts.
__device__ __forceinline__ void showPhases() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// This thread arrives at the phase, which then ends no earlier than the bytes are there, for products too.
/// All addresses and `bytes` are multiples of 16.
__device__ __forceinline__ void arriveWithBytes(PhaseBarrier& barrier, void* to, const void* from,
                                                int bytes) {
  const std::uint32_t at = sharedAddress(barrier);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
      "l"(from), "r"(bytes), "r"(at)
      : "memory");
}

#endif

}  // namespace bankside::cuda

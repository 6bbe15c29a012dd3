/// In the place of kernels/cuda/device/bulk_copy.cuh: bytes that are there at once, or when somebody waits
/// for their phase, so that who reads them without a wait finds something else.
#pragma once

#include <cstring>

#include "tests/kernels/cuda/on_host/kernels/cuda/device/phase_barrier.cuh"

namespace bankside::cuda {

inline void showPhases() {}

inline void arriveWithBytes(PhaseBarrier& barrier, void* to, const void* from, int bytes) {
  on_host::requireAligned(from, 16);
  on_host::requireShared(to, 16);
  on_host::requireShared(static_cast<std::byte*>(to) + bytes - 16, 16);
  if (barrier.bytes > 0) on_host::fail("a second copy in a phase");
  barrier.to = to;
  barrier.from = from;
  barrier.bytes = bytes;
  if (on_host::copiesArriveAtOnce()) finishCopy(barrier);
  arriveAtPhase(barrier);
}

}  // namespace bankside::cuda

/// In the place of kernels/cuda/device/phase_barrier.cuh: counts phases, so that one that a device would take
/// for another fails.
#pragma once

#include <cstring>

#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::cuda {

struct PhaseBarrier {
  int arrivals;  ///< of a phase
  int arrived;
  int ended;  ///< phases
  int bytes;  ///< that the phase waits for (bulk_copy.cuh)
  void* to;
  const void* from;
};

inline void beginPhases(PhaseBarrier& barrier, int arrivals) {
  barrier = {arrivals, 0, 0, 0, nullptr, nullptr};
}

inline void finishCopy(PhaseBarrier& barrier) {
  std::memcpy(barrier.to, barrier.from, static_cast<std::size_t>(barrier.bytes));
  barrier.bytes = 0;
}

inline void endPhase(PhaseBarrier& barrier) {
  if (barrier.bytes > 0) finishCopy(barrier);
  barrier.arrived = 0;
  ++barrier.ended;
}

/// Bytes that are still on their way end the phase, as late as they may: when somebody waits for it.
inline void arriveAtPhase(PhaseBarrier& barrier) {
  if (barrier.arrived == barrier.arrivals) on_host::fail("an arrival while a phase's bytes are on their way");
  if (++barrier.arrived < barrier.arrivals) return;
  if (barrier.bytes == 0) endPhase(barrier);
  on_host::wakeAt(&barrier);
}

inline void waitForPhase(PhaseBarrier& barrier, int phase) {
  while (barrier.ended <= phase) {
    if (barrier.ended < phase) on_host::fail("a wait for a phase after the next one");
    if (barrier.arrived == barrier.arrivals) {
      endPhase(barrier);
    } else {
      on_host::sleepAt(&barrier);
    }
  }
  if (barrier.ended > phase + 1) on_host::fail("a wait for a phase before the last one");
}

}  // namespace bankside::cuda

/// In the place of kernels/cuda/device/phase_barrier.cuh: counts phases, so that one that a device would take
/// for another fails.
#pragma once

#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::cuda {

struct PhaseBarrier {
  int arrivals;  ///< of a phase
  int arrived;
  int ended;  ///< phases
};

inline void beginPhases(PhaseBarrier& barrier, int arrivals) { barrier = {arrivals, 0, 0}; }

inline void arriveAtPhase(PhaseBarrier& barrier) {
  if (++barrier.arrived < barrier.arrivals) return;
  barrier.arrived = 0;
  ++barrier.ended;
  on_host::wakeAt(&barrier);
}

inline void waitForPhase(PhaseBarrier& barrier, int phase) {
  while (barrier.ended <= phase) {
    if (barrier.ended < phase) on_host::fail("a wait for a phase after the next one");
    on_host::sleepAt(&barrier);
  }
  if (barrier.ended > phase + 1) on_host::fail("a wait for a phase before the last one");
}

}  // namespace bankside::cuda

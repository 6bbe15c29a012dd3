/// In the place of kernels/cuda/device/async_copy.cuh: copies that arrive when they are waited for, or at
/// once, as the launch's seed has it. Both are allowed, and what depends on one of them is wrong.
#pragma once

#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::cuda {

inline void copyLater(void* to, const void* from, int bytes) {
  on_host::Pending& pending = on_host::pending();
  on_host::requireAligned(from, static_cast<std::size_t>(bytes));
  on_host::requireShared(to, static_cast<std::size_t>(bytes));
  pending.copies.push_back({to, from, bytes, pending.openGroup});
  if (on_host::copiesArriveAtOnce()) on_host::finishCopies(pending.openGroup + 1);
}

inline void copyFloat(float* to, const float* from) { copyLater(to, from, 4); }
inline void waitForCopies() { on_host::finishCopies(on_host::pending().openGroup + 1); }

inline void copyWordAsync(float* to, const float* from) { copyLater(to, from, 4); }
inline void copyUnitAsync(float* to, const float* from) { copyLater(to, from, 16); }
inline void closeGroup() { ++on_host::pending().openGroup; }
template <int pending>
void waitForGroups() {
  on_host::finishCopies(on_host::pending().openGroup - pending);
}

}  // namespace bankside::cuda

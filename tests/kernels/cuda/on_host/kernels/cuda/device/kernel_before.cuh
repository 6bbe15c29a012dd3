/// In the place of kernels/cuda/device/kernel_before.cuh: a kernel that was started early and does not wait
/// fails.
#pragma once

#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::cuda {

inline void waitForKernelBefore() { on_host::waitForKernelBefore(); }

}  // namespace bankside::cuda

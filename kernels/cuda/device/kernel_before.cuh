/// Kernels that a stream starts while the one before them ends (runtime/launch_behind.h).
#pragma once

namespace bankside::cuda {

/// Returns when the kernel before this one in its stream has ended, and what it wrote can be read (not
/// through
/// `__ldg`). At once where this one was not started early.
__device__ __forceinline__ void waitForKernelBefore() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace bankside::cuda

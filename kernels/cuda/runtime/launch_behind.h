/// A kernel that follows another one closely.
#pragma once

#include <cstddef>

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

/// Starts a kernel that calls `waitForKernelBefore` (device/kernel_before.cuh) before it reads or writes any
/// memory: its blocks may come to the multiprocessors while the last ones of the kernel before it in the
/// stream still work, which hides what a launch takes. Otherwise a launch like every other, and on code for
/// less than compute capability 9.0 no other.
void launchBehind(const void* kernel, dim3 grid, unsigned threads, void** arguments, std::size_t shared,
                  cudaStream_t stream);

}  // namespace bankside::cuda

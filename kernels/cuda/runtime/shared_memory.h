/// Dynamic shared memory of a thread block.
#pragma once

#include <cstddef>

namespace bankside::cuda {

/// Lets `kernel` be launched with `bytes` of dynamic shared memory on the current device.
/// How much it may have without being asked is 48 KB less its static shared memory. What is allowed never
/// becomes less: another thread may be about to launch it with more.
void allowSharedMemory(const void* kernel, std::size_t bytes);

}  // namespace bankside::cuda

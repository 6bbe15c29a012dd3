/// Shared memory past the 48 KB that every kernel may have.
#pragma once

#include <cstddef>

namespace bankside::cuda {

/// Lets `kernel` be launched with `bytes` of dynamic shared memory. What is allowed never becomes less:
/// another thread may be about to launch it with more.
void allowSharedMemory(const void* kernel, std::size_t bytes);

}  // namespace bankside::cuda

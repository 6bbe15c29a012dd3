/// Streams and events of the tests' device. Work is done at once or, where a test wants it late, when
/// somebody waits for it, of streams that may go on in an order drawn from a seed: who uses a buffer too
/// early finds nothing there.
#pragma once

#include <cstdint>
#include <functional>

#include "tests/kernels/cuda/on_host/cuda_runtime_api.h"

namespace bankside::on_host {

/// Comes into a stream: done, queued or captured. What goes wrong later comes out of who waits.
cudaError_t enqueue(cudaStream_t stream, std::function<cudaError_t()> work);

/// Does everything that was queued.
cudaError_t finishAll();

}  // namespace bankside::on_host

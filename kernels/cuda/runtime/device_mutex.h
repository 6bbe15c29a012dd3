/// One plan at a time uses the device.
#pragma once

#include <mutex>

namespace bankside::cuda {

/// Held by the plan that runs: constant memory is one for the process.
std::mutex& deviceMutex();

}  // namespace bankside::cuda

/// Device memory that is used again: what nobody holds any more is given to the next who asks. All who use it
/// do so on one stream, so that what was started before is done with it by then.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/cuda/runtime/device_buffer.h"

namespace bankside::cuda {

class MemoryPool {
 public:
  /// At least that many bytes. Errors  Error{Limit} where there are no more, though all that was free is
  /// given back; Error{Device}
  std::shared_ptr<const DeviceBuffer> take(std::size_t bytes);

 private:
  using Free = std::vector<std::unique_ptr<DeviceBuffer>>;
  /// What is held finds the way back as long as the pool is there.
  std::shared_ptr<Free> free_ = std::make_shared<Free>();
};

}  // namespace bankside::cuda

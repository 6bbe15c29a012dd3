/// Who may launch on a device.
#pragma once

#include <mutex>

namespace bankside::cuda {

/// While it lives, nobody else launches on the current device, and what others launched before is done:
/// constant memory is one for all plans. It is for launches, not for files: what one thread waits for while
/// it has the turn, all wait for. Errors  Error{Device}
class DeviceTurn {
 public:
  /// `who` launches again and again, each time on the same stream.
  explicit DeviceTurn(const void* who);

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace bankside::cuda

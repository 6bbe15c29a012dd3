/// Who may launch on a device.
#pragma once

#include <cstdint>
#include <mutex>

namespace bankside::cuda {

/// Who launches again and again, each time on the same stream. Nobody is the same as somebody before, as an
/// address may be.
class Launcher {
 public:
  Launcher();
  std::uint64_t number() const { return number_; }

 private:
  std::uint64_t number_;
};

/// While it lives, nobody else launches on the current device, and what others launched before is done:
/// constant memory is one for all plans. It is for launches, not for files: what one thread waits for while
/// it has the turn, all wait for. Errors  Error{Device}
class DeviceTurn {
 public:
  explicit DeviceTurn(const Launcher& who);

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace bankside::cuda

#include "kernels/cuda/runtime/device_turn.h"

#include <atomic>
#include <map>

#include "kernels/cuda/runtime/current_device.h"

namespace bankside::cuda {
namespace {

struct Turns {
  std::mutex mutex;
  std::uint64_t last = 0;  ///< whose launches may not be done yet; 0: nobody's
};

Turns& turnsOn(int device) {
  static std::mutex mutex;
  static std::map<int, Turns> all;
  const std::lock_guard lock(mutex);
  return all[device];
}

}  // namespace

Launcher::Launcher() {
  static std::atomic<std::uint64_t> last = 0;
  number_ = ++last;
}

DeviceTurn::DeviceTurn(const Launcher& who) {
  Turns& turns = turnsOn(currentDevice());
  lock_ = std::unique_lock(turns.mutex);
  if (turns.last == who.number()) return;
  if (turns.last != 0) BANKSIDE_CUDA_CHECK(cudaDeviceSynchronize());
  turns.last = who.number();
}

}  // namespace bankside::cuda

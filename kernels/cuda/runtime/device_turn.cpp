#include "kernels/cuda/runtime/device_turn.h"

#include <map>

#include "kernels/cuda/runtime/current_device.h"

namespace bankside::cuda {
namespace {

struct Turns {
  std::mutex mutex;
  const void* last = nullptr;  ///< whose launches may not be done yet
};

Turns& turnsOn(int device) {
  static std::mutex mutex;
  static std::map<int, Turns> all;
  const std::lock_guard lock(mutex);
  return all[device];
}

}  // namespace

DeviceTurn::DeviceTurn(const void* who) {
  Turns& turns = turnsOn(currentDevice());
  lock_ = std::unique_lock(turns.mutex);
  if (turns.last == who) return;
  if (turns.last != nullptr) BANKSIDE_CUDA_CHECK(cudaDeviceSynchronize());
  turns.last = who;
}

}  // namespace bankside::cuda

#include "kernels/cuda/single_channel/device_choice.h"

#include <map>
#include <mutex>

#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/measure_limits.h"

namespace bankside::cuda {

Choice choose(const ConvolutionProblem& problem, int anchorX, int anchorY, const TuningTable* table,
              std::size_t mostShared) {
  if (table != nullptr) {
    const Choice tuned = tunedChoice(*table, problem, anchorX, anchorY);
    if (tuned.variant >= 0) return tuned;
  }
  return {chooseVariant(problem, anchorX, anchorY, mostShared), 0};
}

namespace {

const TuningTable* tableOfDevice() {
  static std::mutex mutex;
  static std::map<int, const TuningTable*> tables;
  const int number = currentDevice();
  const std::lock_guard lock(mutex);
  const auto known = tables.find(number);
  if (known != tables.end()) return known->second;
  const DeviceDescription device = describeDevice();
  return tables[number] = tuningTableFor(device.name, device.multiprocessors);
}

}  // namespace

Choice chooseOnDevice(const ConvolutionProblem& problem, int anchorX, int anchorY) {
  return choose(problem, anchorX, anchorY, tableOfDevice(), deviceTraits().mostShared);
}

}  // namespace bankside::cuda

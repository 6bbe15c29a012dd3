#include "kernels/cuda/single_channel/device_choice.h"

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
  static const TuningTable* const table = [] {
    const DeviceDescription device = describeDevice();
    return tuningTableFor(device.name, device.multiprocessors);
  }();
  return table;
}

}  // namespace

Choice chooseOnDevice(const ConvolutionProblem& problem, int anchorX, int anchorY) {
  return choose(problem, anchorX, anchorY, tableOfDevice(), deviceTraits().mostShared);
}

}  // namespace bankside::cuda

#include "kernels/cuda/tensor/tensor_form.h"

#include <optional>

#include "core/error.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/tensor/tensor_kernels.h"

namespace bankside::cuda {
namespace {

std::optional<TensorForm> formOf(const DeviceTraits& device) {
  const bool hopper = device.capability == 90 && device.codeFor >= 90;
  if (hopper && hasTensorKernels(TensorForm::Warpgroups)) return TensorForm::Warpgroups;
  if (device.codeFor >= 80 && hasTensorKernels(TensorForm::Warps)) return TensorForm::Warps;
  return std::nullopt;
}

/// Products of halves with f32 sums for each f32 multiply-add: 16 in 8.0, 9.0 and 10.0, 2 in 8.6, 8.9 and
/// 12.0 (GeForce; 4 in their workstation cards).
/// Source  NVIDIA's architecture white papers: A100, GA102, H100, AD102, RTX Blackwell
double slowerThanH200(int capability) {
  const int major = capability / 10;
  return capability == 86 || capability == 89 || major == 12 ? 8 : 1;
}

}  // namespace

Support tensorState() {
  if (Support state = deviceState(); !state) return state;
  if (formOf(deviceTraits())) return Support::yes();
  return Support::no(
      "the tensor-core kernel needs a GPU of compute capability 8.0 or later, and code for it in this build");
}

TensorUnits tensorUnits() {
  const DeviceTraits device = deviceTraits();
  const std::optional<TensorForm> form = formOf(device);
  if (!form) throw Error(ErrorCode::Unsupported, tensorState().reason);
  return {*form, *form == TensorForm::Warps ? slowerThanH200(device.capability) : 1};
}

}  // namespace bankside::cuda

#include "core/error.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/measure_limits.h"

namespace bankside::cuda {

DeviceDescription describeDevice() {
  cudaDeviceProp properties{};
  BANKSIDE_CUDA_CHECK(cudaGetDeviceProperties(&properties, currentDevice()));
  int runtime = 0;
  int driver = 0;
  BANKSIDE_CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  BANKSIDE_CUDA_CHECK(cudaDriverGetVersion(&driver));
  const auto text = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
  return {properties.name, properties.multiProcessorCount, static_cast<std::size_t>(properties.l2CacheSize),
          text(runtime), text(driver)};
}

void describeInto(Environment& environment) {
  if (const Support state = deviceState(); !state) throw Error(ErrorCode::Unsupported, state.reason);
  const DeviceDescription device = describeDevice();
  environment.emplace_back("gpu", device.name);
  environment.emplace_back("multiprocessors", std::to_string(device.multiprocessors));
  environment.emplace_back("l2Bytes", std::to_string(device.l2Bytes));
  environment.emplace_back("cudaRuntime", device.runtime);
  environment.emplace_back("driverSupportsCuda", device.driver);
}

}  // namespace bankside::cuda

#include "kernels/device_engines.h"

#include <optional>

#include "core/error.h"
#include "kernels/cuda/fft/fft_engine.h"
#include "kernels/cuda/maps/map_maker.h"
#include "kernels/cuda/multichannel/multichannel_engine.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/devices_in_use.h"
#include "kernels/cuda/runtime/stream.h"
#include "kernels/cuda/single_channel/single_channel_engine.h"
#include "kernels/cuda/tensor/tensor_engine.h"
#include "kernels/planner/cuda_planner.h"

namespace bankside {

EngineList makeDeviceEngines() {
  EngineList list;
  list.push_back(makeCudaPlannerEngine());
  list.push_back(makeSingleChannelEngine());
  list.push_back(makeMultichannelEngine());
  list.push_back(makeTensorEngine());
  list.push_back(makeHalfTensorEngine());
  list.push_back(makeCudaFftEngine());
  list.push_back(makeSplitHalfMultichannelEngine());
  list.push_back(makeHalfMultichannelEngine());
  return list;
}

Support deviceEnginesAvailable(int device) {
  const int count = cuda::visibleDevices();
  if (device < count || count == 0) return cuda::deviceState(device);
  return Support::no("this process sees " + std::to_string(count) +
                     (count == 1 ? " GPU, cuda:0; " : " GPUs, from cuda:0 on; ") +
                     "CUDA_VISIBLE_DEVICES chooses");
}

class ForDevice::Scope : public cuda::CurrentDevice {
 public:
  using CurrentDevice::CurrentDevice;
};
ForDevice::ForDevice(int device) : scope_(std::make_unique<Scope>(device)) {}
ForDevice::~ForDevice() = default;

namespace {

/// Where the toolkit and the driver can tell (CUDA 12.8).
std::optional<int> toldDevice([[maybe_unused]] cudaStream_t stream) {
#if CUDART_VERSION >= 12080
  int device = 0;
  if (cudaStreamGetDevice(stream, &device) == cudaSuccess) return device;
  cudaGetLastError();
#endif
  return std::nullopt;
}

/// An event is recorded in streams of its own device alone: the device whose events this one takes. The
/// current one is tried first, as the legacy stream is every device's.
int triedDevice(cudaStream_t stream) {
  const int current = cuda::currentDevice();
  for (int i = -1; i < cuda::visibleDevices(); ++i) {
    const int device = i < 0 ? current : i;
    if ((i >= 0 && device == current) || !cuda::lostDevice(device).empty()) continue;
    const cuda::CurrentDevice here(device);
    const cuda::Event event;
    const cudaError_t error = cudaEventRecord(event, stream);
    if (error == cudaSuccess) return device;
    cudaGetLastError();
    if (error != cudaErrorInvalidResourceHandle) break;  // it says so again where it is wanted
  }
  return current;
}

}  // namespace

void orderStreams(void* earlier, void* later) {
  if (const Support state = cuda::deviceState(); !state) throw Error(ErrorCode::Unsupported, state.reason);
  if (earlier == later) return;
  const auto stream = static_cast<cudaStream_t>(earlier != nullptr ? earlier : later);
  const std::optional<int> told = toldDevice(stream);
  const cuda::CurrentDevice here(told ? *told : triedDevice(stream));
  const cuda::Event event;
  event.record(static_cast<cudaStream_t>(earlier));
  event.holdBack(static_cast<cudaStream_t>(later));
}

namespace {

class CudaMapDevices final : public MapDevices {
 public:
  std::vector<int> of(const Engine& engine) const override {
    const EngineKind::Role role = engine.kind().role;
    const bool ours = role == EngineKind::Role::Algorithm || role == EngineKind::Role::Planner;
    if (!ours || dynamic_cast<const DeviceEngine*>(&engine) == nullptr || !engine.available()) return {};
    return cuda::devicesInUse();
  }
  std::unique_ptr<MapMaker> open(int device) const override { return cuda::makeMapMaker(device); }
};

}  // namespace

const MapDevices* mapDevices() {
  static const CudaMapDevices devices;
  return &devices;
}

}  // namespace bankside

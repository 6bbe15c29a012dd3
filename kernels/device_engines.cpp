#include "kernels/device_engines.h"

#include "core/error.h"
#include "kernels/cuda/fft/fft_engine.h"
#include "kernels/cuda/maps/map_maker.h"
#include "kernels/cuda/multichannel/multichannel_engine.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/cuda/runtime/device_state.h"
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

Support deviceEnginesAvailable() { return cuda::deviceState(); }

void orderStreams(void* earlier, void* later) {
  if (const Support state = cuda::deviceState(); !state) throw Error(ErrorCode::Unsupported, state.reason);
  if (earlier == later) return;
  const cuda::CurrentDevice device;
  const cuda::Event event;
  event.record(static_cast<cudaStream_t>(earlier));
  event.holdBack(static_cast<cudaStream_t>(later));
}

std::unique_ptr<MapMaker> makeMapMaker(const Engine& engine) {
  const EngineKind::Role role = engine.kind().role;
  const bool ours = role == EngineKind::Role::Algorithm || role == EngineKind::Role::Planner;
  if (!ours || dynamic_cast<const DeviceEngine*>(&engine) == nullptr || !engine.available()) return nullptr;
  return cuda::makeMapMaker();
}

}  // namespace bankside

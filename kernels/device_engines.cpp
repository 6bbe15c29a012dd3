#include "kernels/device_engines.h"

#include "kernels/cuda/fft/fft_engine.h"
#include "kernels/cuda/multichannel/multichannel_engine.h"
#include "kernels/cuda/runtime/device_state.h"
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

}  // namespace bankside

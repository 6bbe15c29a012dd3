#include "kernels/engines.h"

#include <algorithm>
#include <map>

#include "kernels/cuda/fft/fft_engine.h"
#include "kernels/cuda/multichannel/multichannel_engine.h"
#include "kernels/cuda/paper/paper_engines.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/cuda/single_channel/single_channel_engine.h"
#include "kernels/cuda/tensor/tensor_engine.h"
#include "kernels/fallback_engine.h"
#include "kernels/opencv/opencv_engine.h"
#include "kernels/peers/gpu_peers.h"
#include "kernels/peers/onednn_engine.h"
#include "kernels/planner/cuda_planner.h"
#include "kernels/reference/reference_engine.h"

namespace bankside {
namespace {

EngineList makeEngines() {
  EngineList list;
  list.push_back(makeCudaPlannerEngine());
  list.push_back(makeSingleChannelEngine());
  list.push_back(makeMultichannelEngine());
  for (auto& engine : makeCpuEngines()) list.push_back(std::move(engine));
  // Opt-in ones and those that are there to be compared with: last, so that `auto` takes them only if nothing
  // else is left.
  list.push_back(makeTensorEngine());
  list.push_back(makeHalfTensorEngine());
  list.push_back(makeCudaFftEngine());
  list.push_back(makeSplitHalfMultichannelEngine());
  list.push_back(makeHalfMultichannelEngine());
  list.push_back(makePaperEngine());
  list.push_back(makePaperMultichannelEngine());
  list.push_back(makeOpenCvEngine());
  list.push_back(makeSepFilter2dEngine());
  list.push_back(makeOneDnnEngine());
  for (const CudnnInterface interface : {CudnnInterface::Legacy, CudnnInterface::Graph})
    for (const CudnnMath math : {CudnnMath::Fma, CudnnMath::Tf32, CudnnMath::Fp16})
      list.push_back(makeCudnnEngine(interface, math));
  list.push_back(makeIm2colEngine());
  list.push_back(makeNppEngine());
  list.push_back(makeCufftEngine());
  list.push_back(makeReferenceEngine());
  return list;
}

}  // namespace

const EngineList& engines() {
  static const EngineList list = makeEngines();
  return list;
}

const Engine* findEngine(const std::string& name) { return findEngineOf(engines(), name); }

const Engine& namedEngine(const std::string& name) {
  const Engine* const found = findEngine(name);
  return found != nullptr ? *found : selectEngine(name, {});
}

const Engine& baselineEngine() {
  const auto at = std::find_if(engines().begin(), engines().end(), [](const auto& engine) {
    return engine->kind().role == EngineKind::Role::Baseline;
  });
  return **at;
}

const Engine& selectEngine(const std::string& name, const ConvolutionProblem& problem) {
  const Engine& found = selectEngineOf(engines(), name, problem);
  if (name != "auto") return found;
  static const std::map<const Engine*, std::unique_ptr<Engine>> fallbacks = [] {
    std::map<const Engine*, std::unique_ptr<Engine>> made;
    for (const auto& engine : engines())
      if (dynamic_cast<const DeviceEngine*>(engine.get()) != nullptr)
        made[engine.get()] = makeFallbackEngine(*engine, engines());
    return made;
  }();
  const auto fallback = fallbacks.find(&found);
  return fallback == fallbacks.end() ? found : *fallback->second;
}

void requireEngine(const std::string& name) { requireEngineOf(engines(), name); }

}  // namespace bankside

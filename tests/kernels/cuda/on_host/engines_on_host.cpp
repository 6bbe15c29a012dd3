#include "tests/kernels/cuda/on_host/engines_on_host.h"

#include "kernels/cuda/fft/fft_engine.h"
#include "kernels/cuda/multichannel/multichannel_engine.h"
#include "kernels/cuda/paper/paper_engines.h"
#include "kernels/cuda/single_channel/single_channel_engine.h"
#include "kernels/cuda/tensor/tensor_engine.h"
#include "kernels/engines.h"
#include "kernels/fallback_engine.h"
#include "kernels/planner/cuda_planner.h"
#include "kernels/reference/reference_engine.h"

namespace bankside {

const std::vector<std::unique_ptr<Engine>>& enginesOnHost() {
  static const std::vector<std::unique_ptr<Engine>> list = [] {
    std::vector<std::unique_ptr<Engine>> made;
    made.push_back(makeSingleChannelEngine());
    made.push_back(makePaperEngine());
    made.push_back(makeMultichannelEngine());
    made.push_back(makePaperMultichannelEngine());
    made.push_back(makeSplitHalfMultichannelEngine());
    made.push_back(makeHalfMultichannelEngine());
    made.push_back(makeTensorEngine());
    made.push_back(makeHalfTensorEngine());
    made.push_back(makeCudaFftEngine());
    made.push_back(makeCudaPlannerEngine());
    return made;
  }();
  return list;
}

const Engine* engineOnHost(const std::string& name) {
  for (const auto& engine : enginesOnHost())
    if (engine->name() == name) return engine.get();
  return nullptr;
}

// What kernels/engines.h says, of the planners and the engines beneath.

const EngineList& engines() {
  static const EngineList list = [] {
    EngineList made;
    made.push_back(makeCudaPlannerEngine());
    for (auto& engine : makeCpuEngines()) made.push_back(std::move(engine));
    made.push_back(makeReferenceEngine());
    return made;
  }();
  return list;
}

const Engine* findEngine(const std::string& name) { return findEngineOf(engines(), name); }

const Engine& baselineEngine() { return *engines().back(); }

const Engine& selectEngine(const std::string& name, const ConvolutionProblem& problem) {
  static const std::unique_ptr<Engine> fallback = makeFallbackEngine(*engines().front(), engines());
  const Engine& found = selectEngineOf(engines(), name, problem);
  return name == "auto" && &found == engines().front().get() ? *fallback : found;
}

void requireEngine(const std::string& name) { requireEngineOf(engines(), name); }

}  // namespace bankside

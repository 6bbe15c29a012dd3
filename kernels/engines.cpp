#include "kernels/engines.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "kernels/cuda/fft/fft_engine.h"
#include "kernels/cuda/multichannel/multichannel_engine.h"
#include "kernels/cuda/paper/paper_engines.h"
#include "kernels/cuda/single_channel/single_channel_engine.h"
#include "kernels/cuda/tensor/tensor_engine.h"
#include "kernels/fft/fft_engine.h"
#include "kernels/highway/direct_engine.h"
#include "kernels/highway/karatsuba_engine.h"
#include "kernels/highway/separable_engine.h"
#include "kernels/opencv/opencv_engine.h"
#include "kernels/peers/gpu_peers.h"
#include "kernels/peers/onednn_engine.h"
#include "kernels/planner/cuda_planner.h"
#include "kernels/planner/planner_engine.h"
#include "kernels/reference/reference_engine.h"

namespace bankside {
namespace {

std::vector<std::unique_ptr<Engine>> makeEngines() {
  std::vector<std::unique_ptr<Engine>> list;
  list.push_back(makeCudaPlannerEngine());
  list.push_back(makeSingleChannelEngine());
  list.push_back(makeMultichannelEngine());
  list.push_back(makePlannerEngine());
  list.push_back(makeDirectEngine());
  list.push_back(makeKaratsubaEngine());
  list.push_back(makeSeparableEngine());
  list.push_back(makeFftEngine());
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
  list.push_back(makeCudnnEngine(CudnnMath::Fma));
  list.push_back(makeCudnnEngine(CudnnMath::Tf32));
  list.push_back(makeCudnnEngine(CudnnMath::Fp16));
  list.push_back(makeIm2colEngine());
  list.push_back(makeNppEngine());
  list.push_back(makeCufftEngine());
  list.push_back(makeReferenceEngine());
  return list;
}

bool inFamily(const Engine& engine, const std::string& family) {
  return engine.name() == family || engine.name().rfind(family + ":", 0) == 0;
}

[[noreturn]] void refuseName(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& engine : engines()) names.push_back(engine->name());
  throw Error(ErrorCode::BadInput,
              "there is no engine \"" + name + "\"; there are auto, " + joinWords(names));
}

}  // namespace

const std::vector<std::unique_ptr<Engine>>& engines() {
  static const std::vector<std::unique_ptr<Engine>> list = makeEngines();
  return list;
}

const Engine* findEngine(const std::string& name) {
  for (const auto& engine : engines()) {
    if (inFamily(*engine, name)) return engine.get();
  }
  return nullptr;
}

const Engine& baselineEngine() {
  const auto at = std::find_if(engines().begin(), engines().end(), [](const auto& engine) {
    return engine->kind().role == EngineKind::Role::Baseline;
  });
  return **at;
}

const Engine& selectEngine(const std::string& name, const ConvolutionProblem& problem) {
  std::string refusals;
  bool known = name == "auto";
  for (const auto& engine : engines()) {
    if (name != "auto" && !inFamily(*engine, name)) continue;
    known = true;
    Support support = engine->available();
    if (support) support = engine->supports(problem);
    if (support) return *engine;
    refusals += (refusals.empty() ? "" : "; ") + engine->name() + ": " + support.reason;
  }
  if (known) throw Error(ErrorCode::Unsupported, "no engine takes " + format(problem) + ": " + refusals);
  refuseName(name);
}

void requireEngine(const std::string& name) {
  if (name == "auto") return;
  if (findEngine(name) == nullptr) refuseName(name);
  std::string reasons;
  for (const auto& engine : engines()) {
    if (!inFamily(*engine, name)) continue;
    const Support support = engine->available();
    if (support) return;
    if (reasons.find(support.reason) == std::string::npos)
      reasons += (reasons.empty() ? "" : "; ") + support.reason;
  }
  throw Error(ErrorCode::Unsupported, "the engine " + name + " cannot run here: " + reasons);
}

}  // namespace bankside

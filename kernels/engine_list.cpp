#include "kernels/engine_list.h"

#include "core/error.h"
#include "core/text.h"
#include "kernels/fft/fft_engine.h"
#include "kernels/highway/direct_engine.h"
#include "kernels/highway/karatsuba_engine.h"
#include "kernels/highway/separable_engine.h"
#include "kernels/planner/planner_engine.h"

namespace bankside {
namespace {

bool inFamily(const Engine& engine, const std::string& family) {
  return engine.name() == family || engine.name().rfind(family + ":", 0) == 0;
}

[[noreturn]] void refuseName(const EngineList& list, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& engine : list) names.push_back(engine->name());
  throw Error(ErrorCode::BadInput,
              "there is no engine \"" + name + "\"; there are auto, " + joinWords(names));
}

}  // namespace

EngineList makeCpuEngines() {
  EngineList list;
  list.push_back(makePlannerEngine());
  list.push_back(makeDirectEngine());
  list.push_back(makeKaratsubaEngine());
  list.push_back(makeSeparableEngine());
  list.push_back(makeFftEngine());
  return list;
}

const Engine* findEngineOf(const EngineList& list, const std::string& name) {
  for (const auto& engine : list) {
    if (inFamily(*engine, name)) return engine.get();
  }
  return nullptr;
}

const Engine& selectEngineOf(const EngineList& list, const std::string& name,
                             const ConvolutionProblem& problem) {
  std::string refusals;
  bool known = name == "auto";
  for (const auto& engine : list) {
    if (name != "auto" && !inFamily(*engine, name)) continue;
    known = true;
    Support support = engine->available();
    if (support) support = engine->supports(problem);
    if (support) return *engine;
    refusals += (refusals.empty() ? "" : "; ") + engine->name() + ": " + support.reason;
  }
  if (known) throw Error(ErrorCode::Unsupported, "no engine takes " + format(problem) + ": " + refusals);
  refuseName(list, name);
}

void requireEngineOf(const EngineList& list, const std::string& name) {
  if (name == "auto") return;
  if (findEngineOf(list, name) == nullptr) refuseName(list, name);
  std::string reasons;
  for (const auto& engine : list) {
    if (!inFamily(*engine, name)) continue;
    const Support support = engine->available();
    if (support) return;
    if (reasons.find(support.reason) == std::string::npos)
      reasons += (reasons.empty() ? "" : "; ") + support.reason;
  }
  throw Error(ErrorCode::Unsupported, "the engine " + name + " cannot run here: " + reasons);
}

}  // namespace bankside

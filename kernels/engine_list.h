/// Engines in the order in which `auto` tries them, and how one is found by name. `engines.h` has the
/// program's list; the library has those of `makeCpuEngines` alone, which need no other library.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/engine.h"

namespace bankside {

using EngineList = std::vector<std::unique_ptr<Engine>>;

/// Ours in host memory: the planner first, then those that it picks from.
EngineList makeCpuEngines();

/// What findEngine, selectEngine and requireEngine of engines.h do for the program's list.
const Engine* findEngineOf(const EngineList& list, const std::string& name);
const Engine& selectEngineOf(const EngineList& list, const std::string& name,
                             const ConvolutionProblem& problem);
void requireEngineOf(const EngineList& list, const std::string& name);

}  // namespace bankside

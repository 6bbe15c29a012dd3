/// THE list of engines. Adding one is one folder and one line in engines.cpp; everything else walks the list.
#pragma once

#include <string>

#include "kernels/engine_list.h"

namespace bankside {

/// Every engine of this build, in the order in which `auto` tries them. Made once.
const EngineList& engines();

/// The engine of that name, or of that family ("opencv" is the first `opencv:` engine), or null.
const Engine* findEngine(const std::string& name);

/// The same. Errors  Error{BadInput} with the names that there are, where there is none
const Engine& namedEngine(const std::string& name);

/// What speeds and results are compared with unless another engine is named: OpenCV, in every list.
const Engine& baselineEngine();

/// The engine for a problem: by name or family, or for "auto" the first that is available and supports it
/// (`reference` and OpenCV, which are there to be compared with, only if nothing else does), and if that one
/// is on a device, with the host's engines behind it (fallback_engine.h). Throws Error{BadInput} for a name
/// that is not in the list (and says which are), Error{Unsupported} with the engine's sentence if it refuses.
const Engine& selectEngine(const std::string& name, const ConvolutionProblem& problem);

/// Throws as selectEngine does where no problem could help: a name that is not in the list, or engines of
/// that name or family that are none of them available on this machine. "auto" always is.
void requireEngine(const std::string& name);

}  // namespace bankside

#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `reference`: four loops in double precision. The judge of all others; obvious rather than fast, never
/// tuned.
std::unique_ptr<Engine> makeReferenceEngine();

}  // namespace bankside

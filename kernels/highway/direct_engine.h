#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `cpu:direct`: every filter of the bank in one pass over cache-hot rows, vectorised for whatever this CPU
/// has. Takes every problem.
std::unique_ptr<Engine> makeDirectEngine();

}  // namespace bankside

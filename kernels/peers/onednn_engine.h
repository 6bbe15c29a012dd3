#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `onednn:convolution`: oneDNN's convolution primitive as a user of planar f32 images would call it; only
/// there to be compared with. In a build without oneDNN it stands in the list and refuses every problem.
std::unique_ptr<Engine> makeOneDnnEngine();

}  // namespace bankside

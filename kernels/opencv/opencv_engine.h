#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `opencv:filter2D`: the baseline that the others are compared with, called as a careful user would call it.
/// In a build without OpenCV it stands in the list and refuses every problem.
std::unique_ptr<Engine> makeOpenCvEngine();

}  // namespace bankside

#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `opencv:filter2D`: the baseline that the others are compared with, called as a careful user would call it.
/// In a build without OpenCV it stands in the list and refuses every problem.
std::unique_ptr<Engine> makeOpenCvEngine();

/// `opencv:sepFilter2D`: the same for banks whose filters all are a column times a row. Only the bank shows
/// that: `supports` takes problems that `prepare` then refuses. Stands in the list without OpenCV too.
std::unique_ptr<Engine> makeSepFilter2dEngine();

}  // namespace bankside

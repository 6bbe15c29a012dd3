/// A picture of an evaluation.
#pragma once

#include <string>

#include "core/evaluate/evaluation.h"

namespace bankside {

/// What it begins with, as no other SVG does.
inline constexpr const char* plotBeginning = "<svg id=\"bankside-evaluation\"";

/// SVG: the pooled ROC curve and, beside it, precision over recall, with the operating points on both.
std::string rocPlot(const Evaluation& evaluation);

}  // namespace bankside

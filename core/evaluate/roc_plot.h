/// A picture of an evaluation.
#pragma once

#include <string>

#include "core/evaluate/evaluation.h"

namespace bankside {

/// SVG: the pooled ROC curve and, beside it, precision over recall, with the operating points on both.
std::string rocPlot(const Evaluation& evaluation);

}  // namespace bankside

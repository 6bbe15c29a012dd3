/// A plane in a few words.
#pragma once

#include <QString>

#include "gui/window/compute/work.h"

namespace bankside::window {

/// "ENGINE, 12.3 ms" for a result, "0 .. 255" for an input, "rounding only: 0.03 % of what is allowed" for a
/// difference.
QString planeSummary(const PlaneResult& result, bool brief = false);
/// What matters most of a summary, where there is room for a word or two.
QString shortestSummary(const PlaneResult& result);

}  // namespace bankside::window

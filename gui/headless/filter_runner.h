/// From what `bankside filter` is asked for to what runs it, for other commands too.
#pragma once

#include <vector>

#include "core/run/runner.h"
#include "gui/headless/filter_options.h"

namespace bankside::headless {

/// Throws Error{BadInput} where the format cannot hold what the recipe gives, banks do not go together, or
/// the engine is not there.
Runner makeFilterRunner(const FilterCommand& command, const std::vector<FilterBank>& banks);

/// --device. Errors  Error{BadInput} for an engine that is on none; as `useDevices`
void takeDevices(const FilterCommand& command);

}  // namespace bankside::headless

/// From what `bankside filter` is asked for to what runs it, for other commands too.
#pragma once

#include <vector>

#include "core/error.h"
#include "core/run/runner.h"
#include "gui/headless/filter_options.h"

namespace bankside::headless {

/// Throws Error{BadInput} where the format cannot hold what the recipe gives, banks do not go together, or
/// the engine is not there. Sets no device up.
Runner makeFilterRunner(const FilterCommand& command, const std::vector<FilterBank>& banks);

/// --device. Errors  Error{BadInput} for an engine that is on none; as `useDevices`
void takeDevices(const FilterCommand& command);

/// Devices or an engine that were named, and cannot be used.
class CannotFilter final : public Error {
 public:
  CannotFilter(const Error& why, bool devices) : Error(why.code(), why.what()), ofDevices(devices) {}
  const bool ofDevices;  ///< else of the engine
};

/// Before anything is filtered, and while images are read already: setting a device up takes longer than
/// reading many. Errors  CannotFilter
void requireReady(const FilterCommand& command);

}  // namespace bankside::headless

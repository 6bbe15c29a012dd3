/// An engine that nobody has heard of: what a new one must be, and no more. With one line in the list of
/// engines (CMakeLists.txt here) every front end has it.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside::testing {

/// "madeup:cycle" sums a filter's taps in their order, but begins at a tap that depends on how many filters
/// there are and on the column where a region begins: a plane alone, or a part, may have other last digits.
std::unique_ptr<Engine> makeMadeUpEngine();

}  // namespace bankside::testing

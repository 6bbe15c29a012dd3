/// What bankside.filter is: a call that finds its plan among the kept ones and runs no line of Python.
#pragma once

#include "python/kept_plans.h"

namespace bankside_python {

/// A callable that looks like `function`, whose names and defaults of arguments are its own. Images of the
/// host are filtered with `plans`, which is a KeptPlans. `function` is called where a device or a stream is
/// given, where the image lies on a device, and where arguments are missing or unknown: it refuses them.
nanobind::object filterCall(nanobind::handle plans, nanobind::handle function);

/// Sets the exception of Python's that stands for the library's. Says whether it is one.
bool setError(const std::exception_ptr& thrown);

}  // namespace bankside_python

/// How large the terms are that make a result: what bounds of errors are factors of.
#pragma once

#include "gui/window/compute/work.h"

namespace bankside::window {

/// The sum of |tap x pixel| at every pixel of a result plane of one bank, which is the bank with positive
/// taps over positive pixels. `channels`: those that the bank sees. Throws Error, Cancelled
Image magnitudePlane(const RunSettings& settings, Source& channels, int index, const SelectEngine& select,
                     const std::stop_token& stop);

}  // namespace bankside::window

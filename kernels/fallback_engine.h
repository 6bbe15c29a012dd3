/// An engine on a device with the others behind it.
#pragma once

#include <memory>

#include "kernels/engine_list.h"

namespace bankside {

/// Is and says what `first` does, until it fails where nobody asked for it by name: an engine of the host
/// takes the problem over when a plan cannot be prepared or run because the device is lost or its memory is
/// taken, and the image in hand is run again. One warning in the log; `Plan::substitute` and `info` say so
/// too. What the problem or the bank is to blame for stays an error. Both must outlive it.
std::unique_ptr<Engine> makeFallbackEngine(const Engine& first, const EngineList& others);

}  // namespace bankside

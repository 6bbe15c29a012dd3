/// The engine that keeps the maps of a two-stage recipe on the device.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `cuda:chained`: `cuda:single-channel` where channels are not summed and `cuda:multichannel` where they
/// are, with their bytes; of two banks in a row the maps stay on the device. To be asked for by name.
std::unique_ptr<Engine> makeChainedEngine();

}  // namespace bankside

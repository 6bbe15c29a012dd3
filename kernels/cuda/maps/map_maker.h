/// Maps of a recipe on an NVIDIA GPU.
#pragma once

#include <memory>

#include "core/maps/map_maker.h"

namespace bankside::cuda {

/// On that device, with a stream and memory of its own. Errors  Error{Device}, Error{Limit}
std::unique_ptr<MapMaker> makeMapMaker(int device);

}  // namespace bankside::cuda

/// Operations over a part of maps that are too large to be held whole, with the bytes that it has in the
/// whole.
#pragma once

#include "core/engine.h"
#include "core/maps/operation.h"

namespace bankside {

/// Whether the operation looks at one pixel, and at no other.
bool isOfOnePixel(const Operation& operation);

/// Whether `partOf` has it.
bool givesParts(const Operation& operation);

/// What the operation gives of `area`. `taken`: for `restore` the whole maps, for others that part of them.
/// The image is at `context.image`. Errors  Cancelled
Maps partOf(const Operation& operation, const Maps& taken, const Region& area, OperationContext& context);

/// The operation `mask` with the field at the maps' size, not 0 inside.
Maps masked(const Operation& operation, const Maps& in, const Image& field, const OperationContext& context);

}  // namespace bankside

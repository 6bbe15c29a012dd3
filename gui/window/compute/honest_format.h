/// What files cannot hold is refused before anything is computed.
#pragma once

#include "core/run/recipe.h"

namespace bankside::window {

/// Throws Error{BadInput} where the format cannot hold what the recipe gives.
void requireHonestFormat(const Recipe& recipe);

}  // namespace bankside::window

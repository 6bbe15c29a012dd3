/// Sharpening banks: one filter each, taps that add up to 1.
#pragma once

#include "filters/taps/catalog_entry.h"

namespace bankside {

CatalogEntry unsharpBank();

}  // namespace bankside

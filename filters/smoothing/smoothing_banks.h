/// Smoothing banks: one filter each, taps that add up to 1, any side from 1 to 127. An even side puts the
/// middle half a pixel left of and above the anchor (size/2, size/2).
#pragma once

#include "filters/taps/catalog_entry.h"

namespace bankside {

CatalogEntry boxBank();
CatalogEntry binomialBank();
CatalogEntry gaussianBank();

}  // namespace bankside

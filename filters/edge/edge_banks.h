/// Edge banks. All are written for correlation, x right and y down: "dx" is right minus left, "dy" lower
/// minus upper. A filter's orientation is the direction in which brightness has to rise for a positive
/// response.
#pragma once

#include "filters/taps/catalog_entry.h"

namespace bankside {

CatalogEntry robertsBank();
CatalogEntry prewittBank();
CatalogEntry sobelBank();
CatalogEntry scharrBank();
CatalogEntry kirschBank();
CatalogEntry robinsonBank();
CatalogEntry laplacianBank();
CatalogEntry logBank();
CatalogEntry dogBank();
CatalogEntry hessianBank();
CatalogEntry steerableBank();

}  // namespace bankside

/// Banks whose responses together say what a texture is. All are written for correlation; the even ones
/// answer a dark bar or dot with a positive number.
#pragma once

#include "filters/taps/catalog_entry.h"

namespace bankside {

CatalogEntry leungMalikBank();
CatalogEntry schmidBank();
CatalogEntry lawsBank();
CatalogEntry logGaborBank();

}  // namespace bankside

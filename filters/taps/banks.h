/// The generators of banks. What families have agreed on: filters/README.md.
#pragma once

#include "filters/taps/catalog_entry.h"

namespace bankside {

#define BANKSIDE_BANK(family, file, function) CatalogEntry function();
#include "filters/taps/banks.def"

}  // namespace bankside

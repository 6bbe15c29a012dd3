/// Banks for blood vessels: bars and their flanks in many directions. All are written for correlation with
/// the green channel (or its logarithm), where vessels are dark; the even ones answer a dark bar with a
/// positive number. A filter's orientation is the direction along the bar, its scale the sigma across it.
#pragma once

#include "filters/taps/catalog_entry.h"

namespace bankside {

CatalogEntry vesselMatchedBank();
CatalogEntry vesselFdogBank();
CatalogEntry vesselGaborBank();
CatalogEntry vesselBarBank();
CatalogEntry vesselCollinearBank();
CatalogEntry vesselLineBank();
CatalogEntry vesselMorletBank();

/// `orientations`: how many directions divide half a turn.
BankParameter orientationsParameter(const std::string& defaultValue);

}  // namespace bankside

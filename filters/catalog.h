/// THE list of banks, and the one way from a name on a command line to taps.
#pragma once

#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "filters/taps/catalog_entry.h"

namespace bankside {

/// Every bank that can be made by name, family by family.
const std::vector<CatalogEntry>& catalog();

/// Makes a bank from a specification: "sobel" or "vessel-matched:sigma=1.5,length=7,orientations=24".
/// The bank's name is the specification with the parameters that differ from their defaults, so that it makes
/// the same bank again.
/// Errors  Error{BadInput}: unknown bank (with the nearest names), unknown parameter (with the known ones),
///         a value that cannot be read or is out of range, a filter that would pass 127 x 127.
FilterBank makeBank(const std::string& specification);

/// What `--bank` takes: a specification of the catalogue, a bank file, or "FORMAT:FILE" for a file whose
/// ending is not its format's ("imagemagick:" takes the kernel itself too). What does not begin with a bank's
/// name and contains '/' or ends as bank files do is a file: of a format of `bankFormats` by its ending, else
/// JSON. What begins with '{' is the text of a JSON bank file itself; such a bank has no name.
///
/// Errors  those of makeBank, parseBankJson and the formats; Error{Io}: cannot be read; Error{Limit}: larger
/// than
///         64 MiB
FilterBank loadBank(const std::string& specificationOrFile);

}  // namespace bankside

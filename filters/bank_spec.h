/// Reads "name:parameter=value,..." against the catalogue.
#pragma once

#include <string>
#include <vector>

#include "filters/taps/catalog_entry.h"

namespace bankside {

/// A specification understood: the entry and all its arguments, defaults filled in.
struct BankSpec {
  const CatalogEntry* entry;
  BankArguments arguments;

  /// The shortest specification that reads back to this one: parameters in the entry's order, defaults left
  /// out.
  std::string canonicalName() const;
};

/// Whether the text begins with the name of an entry, and is no file then: lists in a specification may hold
/// '/'.
bool startsWithBankName(const std::string& text, const std::vector<CatalogEntry>& entries);

/// Throws Error{BadInput} as `makeBank` says. The result points into `entries`.
BankSpec parseBankSpec(const std::string& specification, const std::vector<CatalogEntry>& entries);

}  // namespace bankside

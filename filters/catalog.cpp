#include "filters/catalog.h"

#include <algorithm>
#include <utility>

#include "filters/bank_array.h"
#include "filters/bank_json.h"
#include "filters/bank_spec.h"
#include "filters/edge/edge_banks.h"
#include "filters/sharpening/sharpening_banks.h"
#include "filters/smoothing/smoothing_banks.h"
#include "filters/vessel/vessel_banks.h"

namespace bankside {
namespace {

bool startsWithBankName(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  return std::any_of(catalog().begin(), catalog().end(), [&](const auto& e) { return e.name == name; });
}

}  // namespace

const std::vector<CatalogEntry>& catalog() {
  static const std::vector<CatalogEntry> entries = {
      robertsBank(),         prewittBank(),     sobelBank(),
      scharrBank(),          kirschBank(),      robinsonBank(),
      laplacianBank(),       logBank(),         dogBank(),
      hessianBank(),         boxBank(),         binomialBank(),
      gaussianBank(),        unsharpBank(),     vesselMatchedBank(),
      vesselFdogBank(),      vesselGaborBank(), vesselBarBank(),
      vesselCollinearBank(),
  };
  return entries;
}

FilterBank makeBank(const std::string& specification) {
  const BankSpec spec = parseBankSpec(specification, catalog());
  BankInfo info{.name = spec.canonicalName(),
                .title = spec.entry->title,
                .citation = spec.entry->citation,
                .generator = spec.entry->name,
                .parameters = spec.arguments.values(),
                .mode = FilterMode::CrossCorrelation};
  return FilterBank(std::move(info), spec.entry->generate(spec.arguments));
}

FilterBank loadBank(const std::string& specificationOrFile) {
  const auto endsIn = [&](const char* ending) { return specificationOrFile.ends_with(ending); };
  const bool isText = endsIn(".csv") || endsIn(".txt");
  const bool looksLikeFile =
      specificationOrFile.find('/') != std::string::npos || endsIn(".json") || endsIn(".npy") || isText;
  if (!looksLikeFile || startsWithBankName(specificationOrFile)) return makeBank(specificationOrFile);
  if (endsIn(".npy")) return readBankNpy(specificationOrFile);
  return isText ? readBankText(specificationOrFile) : readBankJson(specificationOrFile);
}

}  // namespace bankside

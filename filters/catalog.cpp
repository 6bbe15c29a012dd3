#include "filters/catalog.h"

#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "core/text_file.h"
#include "core/wanting.h"
#include "filters/bank_json.h"
#include "filters/bank_spec.h"
#include "filters/formats/bank_formats.h"
#include "filters/taps/banks.h"
#include "filters/taps/support.h"

namespace bankside {
namespace {

constexpr auto npos = std::string::npos;

/// ImageMagick's kernels are typed more often than kept.
FilterBank ofFormat(const BankFormat& format, const std::string& fileOrText) {
  std::error_code failure;
  if (format.name != "imagemagick" || std::filesystem::exists(fileOrText, failure))
    return format.read(fileOrText);
  return parseMagick(fileOrText, "imagemagick:" + fileOrText);
}

}  // namespace

const std::vector<CatalogEntry>& catalog() {
  static const std::vector<CatalogEntry> entries = {
#define BANKSIDE_BANK(family, file, function) function(),
#include "filters/taps/banks.def"
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
  std::vector<Filter> filters = spec.entry->generate(spec.arguments);
  trimToSupport(filters);
  return FilterBank(std::move(info), std::move(filters));
}

namespace {

FilterBank load(const std::string& specificationOrFile) {
  if (specificationOrFile.starts_with('{')) {
    const FilterBank bank = parseBankJson(specificationOrFile, "bank");
    BankInfo info = bank.info();
    info.name.clear();
    return FilterBank(std::move(info), bank.filters());
  }
  if (startsWithBankName(specificationOrFile, catalog())) return makeBank(specificationOrFile);
  const auto colon = specificationOrFile.find(':');
  if (const BankFormat* format = findBankFormat(specificationOrFile.substr(0, colon));
      format && colon != npos)
    return ofFormat(*format, specificationOrFile.substr(colon + 1));
  if (const BankFormat* format = bankFormatOfFile(specificationOrFile))
    return format->read(specificationOrFile);
  const bool isJson =
      inSmallLetters(std::filesystem::path(specificationOrFile).extension().string()) == ".json";
  std::error_code failure;
  if (!isJson && std::filesystem::is_regular_file(specificationOrFile, failure))
    throw Error(ErrorCode::BadInput, specificationOrFile +
                                         ": its ending says no format of banks; say FORMAT:" +
                                         specificationOrFile + " (see: bankside banks formats)");
  if (!isJson && specificationOrFile.find('/') == npos) return makeBank(specificationOrFile);
  std::string text = readTextFile(specificationOrFile, maxBankFileBytes);
  if (isFileStorageJson(text)) return parseFileStorage(std::move(text), specificationOrFile);
  return parseBankJson(text, specificationOrFile);
}

}  // namespace

FilterBank loadBank(const std::string& specificationOrFile) {
  try {
    return load(specificationOrFile);
  } catch (const Error& error) {
    // One that is too large is as wrong as a damaged one; what the machine lacks is not the bank's fault.
    if (error.code() != ErrorCode::Limit || dynamic_cast<const Wanting*>(&error) != nullptr) throw;
    throw Error(ErrorCode::BadInput, error.what());
  }
}

}  // namespace bankside

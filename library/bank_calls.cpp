// The entries of the public header about banks.
#include "filters/bank_json.h"
#include "filters/bank_spec.h"
#include "filters/catalog.h"
#include "library/handles.h"
#include "library/lists.h"
#include "library/sized.h"

namespace {

using namespace bankside;
using namespace bankside::library;

bk_mode modeOf(FilterMode mode) { return mode == FilterMode::Convolution ? BK_CONVOLUTION : BK_CORRELATION; }

FilterBank bankOf(const bk_taps& taps) {
  require(taps.taps, "bk_taps.taps");
  if (taps.mode != BK_CORRELATION && taps.mode != BK_CONVOLUTION)
    refuse("bk_taps.mode is " + std::to_string(taps.mode) + ", expected BK_CORRELATION or BK_CONVOLUTION");
  const auto within = [](const char* what, int number, int most) {
    if (number >= 1 && number <= most) return static_cast<std::size_t>(number);
    refuse(std::string("a bank of ") + std::to_string(number) + " " + what + ", expected 1 to " +
           std::to_string(most));
  };
  const std::size_t count = within("filters", taps.filters, maxFilterCount);
  const std::size_t each = within("channels", taps.channels, maxFilterCount) *
                           within("rows of taps", taps.height, maxFilterSide) *
                           within("columns of taps", taps.width, maxFilterSide);
  std::vector<Filter> filters;
  for (std::size_t i = 0; i < count; ++i) {
    filters.push_back({.channels = taps.channels,
                       .height = taps.height,
                       .width = taps.width,
                       .anchorX = taps.anchor == nullptr ? taps.width / 2 : taps.anchor[0],
                       .anchorY = taps.anchor == nullptr ? taps.height / 2 : taps.anchor[1],
                       .taps = {taps.taps + i * each, taps.taps + (i + 1) * each},
                       .label = "filter" + std::to_string(i)});
  }
  return FilterBank(
      {.name = "array",
       .title = "Taps of an array",
       .mode = taps.mode == BK_CONVOLUTION ? FilterMode::Convolution : FilterMode::CrossCorrelation},
      std::move(filters));
}

/// The catalogue's entries, each with all its defaults written out.
const std::vector<std::string>& specifications() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> texts;
    for (const CatalogEntry& entry : catalog()) {
      std::string text = entry.name;
      char separator = ':';
      for (const BankParameter& p : entry.parameters) {
        text += separator + p.name + "=" + p.defaultValue;
        separator = ',';
      }
      texts.push_back(std::move(text));
    }
    return texts;
  }();
  return list;
}

}  // namespace

bk_status bk_bank_make(const char* specification, bk_bank** bank) noexcept {
  return guarded([&] {
    require(bank, "the place for the bank") = nullptr;
    *bank = new bk_bank{makeBank(&require(specification, "the specification"))};
  });
}

bk_status bk_bank_load(const char* specificationOrFile, bk_bank** bank) noexcept {
  return guarded([&] {
    require(bank, "the place for the bank") = nullptr;
    *bank = new bk_bank{loadBank(&require(specificationOrFile, "the specification or file"))};
  });
}

bk_status bk_bank_from_taps(const bk_taps* taps, bk_bank** bank) noexcept {
  return guarded([&] {
    require(bank, "the place for the bank") = nullptr;
    *bank = new bk_bank{bankOf(readSized(require(taps, "bk_taps"), "bk_taps"))};
  });
}

bk_status bk_bank_text(const bk_bank* bank, const char** text) noexcept {
  return guarded([&] {
    require(text, "the place for the text") = nullptr;
    const bk_bank& b = require(bank, "the bank");
    std::call_once(b.written, [&] { b.text = writeBankJson(b.bank); });
    *text = b.text.c_str();
  });
}

bk_status bk_bank_parse(const char* text, const char* name, bk_bank** bank) noexcept {
  return guarded([&] {
    require(bank, "the place for the bank") = nullptr;
    *bank = new bk_bank{parseBankJson(&require(text, "the text"), &require(name, "the name"))};
  });
}

void bk_bank_free(bk_bank* bank) noexcept { delete bank; }

bk_status bk_bank_describe(const bk_bank* bank, bk_bank_info* info) noexcept {
  return guarded([&] {
    const FilterBank& b = require(bank, "the bank").bank;
    writeSized<bk_bank_info>({.name = b.info().name.c_str(),
                              .title = b.info().title.c_str(),
                              .citation = b.info().citation.c_str(),
                              .filters = b.size(),
                              .channels = b.channels(),
                              .mode = modeOf(b.info().mode)},
                             info, "bk_bank_info");
  });
}

bk_status bk_bank_filter(const bk_bank* bank, int32_t index, bk_filter_info* info) noexcept {
  return guarded([&] {
    const FilterBank& b = require(bank, "the bank").bank;
    if (index < 0 || index >= b.size()) {
      refuse("there is no filter " + std::to_string(index) + " in a bank of " + std::to_string(b.size()));
    }
    writeSized<bk_filter_info>({.label = b[index].label.c_str(),
                                .taps = b[index].taps.data(),
                                .channels = b[index].channels,
                                .height = b[index].height,
                                .width = b[index].width,
                                .anchor_x = b[index].anchorX,
                                .anchor_y = b[index].anchorY},
                               info, "bk_filter_info");
  });
}

int32_t bk_catalogue_size(void) noexcept { return countOf(catalog); }

bk_status bk_catalogue_entry(int32_t index, bk_catalogue_info* info) noexcept {
  return guarded([&] {
    const std::vector<CatalogEntry>& entries = catalog();
    if (index < 0 || index >= static_cast<int32_t>(entries.size())) {
      refuse("the catalogue has " + std::to_string(entries.size()) + " banks, none of number " +
             std::to_string(index));
    }
    const auto at = static_cast<std::size_t>(index);
    writeSized<bk_catalogue_info>({.name = entries[at].name.c_str(),
                                   .title = entries[at].title.c_str(),
                                   .citation = entries[at].citation.c_str(),
                                   .specification = specifications()[at].c_str()},
                                  info, "bk_catalogue_info");
  });
}

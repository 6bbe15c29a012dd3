#include <iostream>

#include "core/imageio/atomic_file.h"
#include "core/printable.h"
#include "core/table.h"
#include "core/text.h"
#include "filters/bank_json.h"
#include "filters/catalog.h"
#include "gui/headless/commands.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/inputs.h"

namespace bankside::headless {
namespace {

void list() {
  Table table({"bank", "family", "parameters", "what it is"});
  for (const CatalogEntry& entry : catalog()) {
    std::string parameters;
    for (const BankParameter& p : entry.parameters)
      parameters += (parameters.empty() ? "" : ",") + p.name + "=" + p.defaultValue;
    table.add({entry.name, entry.family, parameters.empty() ? "-" : parameters, entry.title});
  }
  std::cout << table.aligned();
}

void showTaps(const Filter& filter) {
  // The first row and column of the anchor's tap are marked by brackets around the tap.
  for (int c = 0; c < filter.channels; ++c) {
    if (filter.channels > 1) std::cout << "  channel " << c << "\n";
    std::vector<std::vector<std::string>> rows;
    std::size_t width = 0;
    for (int y = 0; y < filter.height; ++y) {
      rows.emplace_back();
      for (int x = 0; x < filter.width; ++x) {
        std::string tap = formatNumber(filter.tap(c, y, x));
        if (tap.size() > 8) tap = formatFixed(filter.tap(c, y, x), 5);
        if (x == filter.anchorX && y == filter.anchorY) tap = "[" + tap + "]";
        width = std::max(width, tap.size());
        rows.back().push_back(std::move(tap));
      }
    }
    for (const auto& row : rows) {
      std::cout << "  ";
      for (const auto& tap : row) std::cout << std::string(width - tap.size() + 1, ' ') << tap;
      std::cout << "\n";
    }
  }
}

void show(const FilterBank& bank) {
  const BankInfo& info = bank.info();
  std::cout << printable(info.name + ": " + info.title) << "\n";
  for (const CatalogEntry& entry : catalog()) {
    if (entry.name != info.generator) continue;
    for (const BankParameter& p : entry.parameters) {
      const auto value = info.parameters.find(p.name);
      std::cout << "  " << p.name << " = "
                << printable(value == info.parameters.end() ? p.defaultValue : value->second) << ": "
                << p.description << "\n";
    }
  }
  if (!info.citation.empty()) std::cout << "source: " << printable(info.citation) << "\n";
  std::cout << bank.size() << (bank.size() == 1 ? " filter" : " filters") << ", written for "
            << toString(info.mode) << ", hash " << formatHash(bank.contentHash())
            << "; the anchor's tap is in brackets\n";
  for (const Filter& filter : bank.filters()) {
    double sum = 0;
    int zeros = 0;
    for (const float tap : filter.taps) {
      sum += tap;
      zeros += tap == 0 ? 1 : 0;
    }
    std::cout << "\n" << printable(filter.label) << ": " << filter.height << " x " << filter.width;
    if (filter.orientation) std::cout << ", " << formatNumber(*filter.orientation) << " degrees";
    if (filter.scale) std::cout << ", scale " << formatNumber(*filter.scale);
    std::cout << ", taps sum to " << formatNumber(static_cast<float>(sum)) << ", " << zeros << " of "
              << filter.taps.size() << " are zero\n";
    showTaps(filter);
  }
}

}  // namespace

int runBanks(const BanksCommand& command) {
  switch (command.action) {
    case BanksCommand::Action::List: list(); break;
    case BanksCommand::Action::Show: show(openBank(command.bank)); break;
    case BanksCommand::Action::Export: {
      RunFiles files;
      files.read(command.bank, "the bank");
      files.write(command.file, "the exported bank");
      writeFileAtomically(command.file, writeBankJson(openBank(command.bank)), existing(command.force));
      break;
    }
  }
  return exitOk;
}

}  // namespace bankside::headless

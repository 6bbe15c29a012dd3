#include <iostream>

#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/log.h"
#include "core/printable.h"
#include "core/run/shipped_recipes.h"
#include "core/table.h"
#include "core/text.h"
#include "filters/bank_json.h"
#include "filters/catalog.h"
#include "filters/formats/bank_formats.h"
#include "gui/headless/bank_actions.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/inputs.h"
#include "gui/headless/tap_picture.h"

namespace bankside::headless {
namespace {

void list() {
  Table table({"bank", "family", "recipe", "parameters", "what it is"});
  for (const CatalogEntry& entry : catalog()) {
    std::string parameters;
    for (const BankParameter& p : entry.parameters)
      parameters += (parameters.empty() ? "" : ",") + p.name + "=" + p.defaultValue;
    table.add({entry.name, entry.family, entry.recipe.empty() ? "-" : entry.recipe,
               parameters.empty() ? "-" : parameters, entry.title});
  }
  std::cout << table.aligned() << "\n";
  Table recipes({"recipe", "what it is"});
  for (const std::string& name : shippedRecipes()) {
    const std::string title = openRecipe(name).title;
    recipes.add({name, title.empty() ? "-" : title});
  }
  std::cout << recipes.aligned() << "\nBanks go with --bank, recipes with --recipe.\n";
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

/// "57 x 57", of several sizes the first and the last.
std::string sizesOf(const FilterBank& bank) {
  const auto size = [](const Filter& f) {
    return (f.channels > 1 ? std::to_string(f.channels) + " x " : "") + std::to_string(f.height) + " x " +
           std::to_string(f.width);
  };
  const std::string first = size(bank.filters().front());
  const std::string last = size(bank.filters().back());
  return first == last ? first : first + " to " + last;
}

void show(const FilterBank& bank, bool taps) {
  const BankInfo& info = bank.info();
  std::cout << printable(info.name + ": " + info.title) << "\n";
  for (const CatalogEntry& entry : catalog()) {
    if (entry.name != info.generator) continue;
    if (!entry.recipe.empty())
      std::cout << "  belongs to --recipe " << entry.recipe << ", which has the steps around it\n";
    for (const BankParameter& p : entry.parameters) {
      const auto value = info.parameters.find(p.name);
      std::cout << "  " << p.name << " = "
                << printable(value == info.parameters.end() ? p.defaultValue : value->second) << ": "
                << p.description << "\n";
    }
  }
  if (!info.citation.empty()) std::cout << "source: " << printable(info.citation) << "\n";
  std::cout << bank.size() << (bank.size() == 1 ? " filter" : " filters") << ", written for "
            << toString(info.mode) << ", hash " << formatHash(bank.contentHash());
  if (!taps) {
    const Terminal terminal = standardTerminal();
    std::cout << "\nfilters are " << sizesOf(bank) << "; " << pictureKey(terminal) << "; numbers: --taps\n"
              << picturesOf(bank.filters(), terminal);
    return;
  }
  std::cout << "; the anchor's tap is in brackets\n";
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

const BankFormat* formatFor(const BanksCommand& command) {
  if (command.format == "json") return nullptr;
  if (!command.format.empty()) return findBankFormat(command.format);
  const std::filesystem::path file(command.file);
  const BankFormat* format = bankFormatOfFile(file);
  if (format == nullptr && file.extension() != ".json")
    throw Error(ErrorCode::BadInput, command.file + ": no format has the ending \"" +
                                         file.extension().string() +
                                         "\"; give --format (see: bankside banks formats)");
  return format;
}

void exportBank(const BanksCommand& command) {
  const BankFormat* format = formatFor(command);
  RunFiles files;
  files.read(command.bank, "the bank");
  requireOutputFile(command.file, "the exported bank", files);
  const FilterBank bank = chosenFilter(openBank(command.bank), command.filter);
  if (format == nullptr)
    return (void)writeFileAtomically(command.file, writeBankJson(bank), existing(command.force));
  const WrittenBank written = writeBank(bank, *format);
  writeFileAtomically(command.file, written.bytes, existing(command.force));
  for (const std::string& note : written.notes) log(LogLevel::Info, note);
}

void formats() {
  Table table({"format", "endings", "slid by", "what it is"});
  table.add({"json", ".json", "either", "this program's own: everything that a bank has"});
  for (const BankFormat& f : bankFormats())
    table.add({f.name, f.endings.empty() ? "-" : f.endings, toString(f.mode), f.title});
  std::cout << table.aligned() << "\n--bank takes a file by its ending, and FORMAT:FILE.\n";
}

}  // namespace

int runBanks(const BanksCommand& command, const std::string& commandText) {
  switch (command.action) {
    case BanksCommand::Action::List: list(); break;
    case BanksCommand::Action::Show: show(openBank(command.bank), command.taps); break;
    case BanksCommand::Action::Export: exportBank(command); break;
    case BanksCommand::Action::Formats: formats(); break;
    case BanksCommand::Action::Analyze: analyzeBank(command, commandText); break;
    case BanksCommand::Action::Detect: return detectConvention(command);
  }
  return exitOk;
}

}  // namespace bankside::headless

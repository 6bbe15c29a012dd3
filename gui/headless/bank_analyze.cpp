#include <algorithm>
#include <cmath>
#include <iostream>

#include "core/environment.h"
#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/json_text.h"
#include "core/printable.h"
#include "core/run/report_values.h"
#include "core/table.h"
#include "core/text.h"
#include "filters/analysis/bank_analysis.h"
#include "gui/headless/bank_actions.h"
#include "gui/headless/destinations.h"
#include "gui/headless/image_plane.h"
#include "gui/headless/inputs.h"

namespace bankside::headless {
namespace {

constexpr const char* analysisKind = "bank-analysis";  // of a file

std::string number(double value) {
  // Sums that are 0 but for rounding look like it.
  return std::fabs(value) < 5e-6 ? "0" : formatFixed(value, std::fabs(value) < 10 ? 5 : 2);
}

void printFilters(const FilterBank& bank, const BankAnalysis& analysis) {
  Table table({"filter", "size", "sum", "largest gain", "noise gain", "rank", "peak gain", "cycles/pixel",
               "degrees", "symmetry"});
  for (std::size_t i = 0; i < analysis.filters.size(); ++i) {
    const FilterAnalysis& a = analysis.filters[i];
    const Filter& f = bank.filters()[i];
    table.add({a.label, std::to_string(f.height) + "x" + std::to_string(f.width), number(a.sum),
               number(a.largest), number(a.noiseGain), std::to_string(a.rank), number(a.response.peak),
               formatFixed(a.response.frequency, 3),
               a.response.frequency > 0 ? formatFixed(a.response.direction, 1) : "-", describe(a.symmetry)});
  }
  std::cout << table.aligned();
}

void printRedundancy(const FilterBank& bank, const BankAnalysis& analysis) {
  if (!analysis.redundancy) {
    std::cout << "\nRedundancy is looked at in banks of up to " << BankAnalysis::mostFilters << " filters.\n";
    return;
  }
  const Redundancy& r = *analysis.redundancy;
  if (bank.size() == 1) return;
  std::cout << "\n" << printable(describe(r, bank.size())) << "\n";
}

struct Answers {
  int x = 0;
  int y = 0;
  Border border;
  FilterMode mode = FilterMode::CrossCorrelation;
  std::vector<double> values;
};

Answers answersOf(const FilterBank& bank, const BanksCommand& command) {
  if (bank.channels() != 1)
    throw Error(ErrorCode::BadInput, "the bank sums over " + std::to_string(bank.channels()) +
                                         " channels; what it answers at a pixel is shown for one");
  const Image plane = convert(planeOfFile(command.image, command.channel), ElementType::F32);
  const auto [x, y] = command.pixel;
  if (x >= plane.width() || y >= plane.height())
    throw Error(ErrorCode::BadInput, command.image + ": has " + std::to_string(plane.width()) + " x " +
                                         std::to_string(plane.height()) + " pixels and none at " +
                                         std::to_string(x) + "," + std::to_string(y));
  const auto view = plane.view<float>(0);
  const PixelSource pixels{plane.width(), plane.height(),
                           [view](int, int column, int row) { return view.at(column, row); }};
  return {x, y, command.border, command.mode.value_or(bank.info().mode),
          answersAt(bank, pixels, x, y, command.border, command.mode)};
}

void printAnswers(const FilterBank& bank, const Answers& answers) {
  double largest = 0;
  for (const double v : answers.values) largest = std::max(largest, std::fabs(v));
  std::cout << "\nAt pixel " << answers.x << "," << answers.y << ":\n";
  Table table({"filter", "degrees", "answer", ""});
  for (std::size_t i = 0; i < answers.values.size(); ++i) {
    const Filter& f = bank.filters()[i];
    const double v = answers.values[i];
    constexpr double widest = 30;
    const auto length =
        static_cast<std::size_t>(largest > 0 ? std::lround(widest * std::fabs(v) / largest) : 0);
    table.add({f.label, f.orientation ? formatNumber(*f.orientation) : "-", number(v),
               std::string(length, v < 0 ? '-' : '+')});
  }
  std::cout << table.aligned();
}

/// Every fourth of the frequencies that the peak was looked for at.
Json responseJson(const FrequencyResponse& response) {
  constexpr int every = 4;
  constexpr int n = FrequencyResponse::steps;
  Json rows = Json::array();
  for (int y = 0; y <= n / 2; y += every) {
    Json row = Json::array();
    for (int x = 0; x < n; x += every)
      row.push_back(response.magnitudes[static_cast<std::size_t>(y) * n + static_cast<std::size_t>(x)]);
    rows.push_back(std::move(row));
  }
  return {{"step", static_cast<double>(every) / n},
          {"peak", response.peak},
          {"cycles_per_pixel", response.frequency},
          {"degrees", response.direction},
          {"magnitudes", std::move(rows)}};
}

std::string toJson(const FilterBank& bank, const BankAnalysis& analysis,
                   const std::optional<Answers>& answers, const std::string& commandText) {
  Json json = fileHead(analysisKind, 1);
  json["command"] = commandText;
  json["environment"] = toJsonValue(currentEnvironment());
  json["bank"] = bank.info().name;
  json["hash"] = formatHash(bank.contentHash());
  json["filters"] = Json::array();
  for (std::size_t i = 0; i < analysis.filters.size(); ++i) {
    const FilterAnalysis& a = analysis.filters[i];
    const Filter& f = bank.filters()[i];
    json["filters"].push_back({{"label", a.label},
                               {"channels", f.channels},
                               {"height", f.height},
                               {"width", f.width},
                               {"sum", a.sum},
                               {"largest_gain", a.largest},
                               {"noise_gain", a.noiseGain},
                               {"zeros", a.zeros},
                               {"even", a.symmetry.even},
                               {"odd", a.symmetry.odd},
                               {"mirrored", a.symmetry.mirrored},
                               {"upright", a.symmetry.upright},
                               {"rank", a.rank},
                               {"singular_values", a.singularValues},
                               {"frequency_response", responseJson(a.response)}});
  }
  if (const auto& r = analysis.redundancy)
    json["redundancy"] = {{"singular_values", r->singularValues},
                          {"rank", r->rank},
                          {"for_99_percent", r->for99},
                          {"closest", {{"a", r->a}, {"b", r->b}, {"cosine", r->closest}}}};
  if (answers)
    json["answers"] = {{"x", answers->x},
                       {"y", answers->y},
                       {"border", format(answers->border)},
                       {"mode", toString(answers->mode)},
                       {"values", answers->values}};
  return json.dump(2) + "\n";
}

}  // namespace

void analyzeBank(const BanksCommand& command, const std::string& commandText) {
  RunFiles files;
  files.read(command.bank, "the bank");
  if (!command.image.empty()) files.read(command.image, "an input");
  requireReportFile(command.json, "the report", beginningsOf(analysisKind).json, Foreign::Stays, files);
  const FilterBank bank = openBank(command.bank);
  std::optional<Answers> answers;
  if (!command.image.empty()) answers = answersOf(bank, command);
  const BankAnalysis analysis = analyze(bank);
  printFilters(bank, analysis);
  printRedundancy(bank, analysis);
  if (answers) printAnswers(bank, *answers);
  if (!command.json.empty()) writeFileAtomically(command.json, toJson(bank, analysis, answers, commandText));
}

}  // namespace bankside::headless

#include "core/bench/bank_width.h"

#include <nlohmann/json.hpp>

#include "core/table.h"
#include "core/text.h"

namespace bankside {
namespace {

using Json = nlohmann::ordered_json;

Table tableOf(const BankWidthReport& report) {
  Table table({"what", "type", "unit", "bytes", "", "measured", "in", "speed to matched", "model", "note"});
  for (const BankWidthRow& row : report.rows) {
    table.add({row.what, row.type, std::to_string(row.unitElements), std::to_string(row.unitBytes),
               matchWord(row.unitBytes), formatFixed(row.measured, 1), row.measuredIn,
               formatFixed(row.relative, 2), formatFixed(row.predicted, 2),
               row.disposition == "Passed" ? "" : row.disposition});
  }
  return table;
}

}  // namespace

const char* matchWord(int unitBytes, int bankBytes) {
  return unitBytes < bankBytes ? "unmatched" : unitBytes == bankBytes ? "matched" : "wider";
}

std::string toJson(const BankWidthReport& report) {
  Json environment = Json::object();
  for (const auto& [name, value] : report.environment) environment[name] = value;
  Json rows = Json::array();
  for (const BankWidthRow& row : report.rows) {
    rows.push_back({{"what", row.what},
                    {"type", row.type},
                    {"unitElements", row.unitElements},
                    {"unitBytes", row.unitBytes},
                    {"match", matchWord(row.unitBytes)},
                    {"measured", row.measured},
                    {"measuredIn", row.measuredIn},
                    {"speedToMatched", row.relative},
                    {"modelsSpeedToMatched", row.predicted},
                    {"disposition", row.disposition}});
  }
  const Json json = {
      {"schemaVersion", 1},         {"what", "bank-width"},           {"command", report.command},
      {"environment", environment}, {"smemBankBytes", smemBankBytes}, {"rows", rows}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string toMarkdown(const BankWidthReport& report) {
  std::string text = tableOf(report).markdown() + "\n";
  for (const auto& [name, value] : report.environment) text += "- " + name + ": " + value + "\n";
  return text + "- made with `" + report.command + "`\n";
}

std::string toTable(const BankWidthReport& report) { return tableOf(report).aligned(); }

}  // namespace bankside

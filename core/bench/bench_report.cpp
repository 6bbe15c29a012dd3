#include "core/bench/bench_report.h"

#include "core/bench/bench_columns.h"
#include "core/bench/kept_rows.h"
#include "core/error.h"
#include "core/printable.h"
#include "core/text.h"

namespace bankside {
namespace {

/// As files name a kind, and as sentences do.
struct KindName {
  const char* word;
  const char* phrase;
};
KindName nameOf(ReportKind kind) {
  switch (kind) {
    case ReportKind::Comparison: return {"comparison", "comparison"};
    case ReportKind::Bench: return {"bench", "benchmark of the CPU"};
    case ReportKind::Device: return {"device", "benchmark on a device"};
    case ReportKind::BankWidth: return {"bank-width", "measurement of bank widths"};
  }
  return {"?", "?"};
}

constexpr const char* deviceRule =
    "graph replay, rests between rounds; median_us cold (buffer sets over 2.5 times the L2), hot_median_us "
    "one "
    "set, sustained_us one set without rests";

/// Where it was measured.
std::vector<std::string> machineLines(const BenchReport& report) {
  std::vector<std::string> lines;
  for (const std::string& line : split(limitsText(report.limits), '\n'))
    if (!line.empty()) lines.push_back(line);
  for (const auto& [name, value] : report.environment) lines.push_back(name + ": " + value);
  return lines;
}

std::vector<std::string> headLines(const BenchReport& report) {
  std::vector<std::string> lines;
  if (report.kind == ReportKind::Comparison) {
    lines.push_back(report.input + (report.inputNote.empty() ? "" : " (" + report.inputNote + ")"));
    lines.push_back("bank " + report.bank + (report.bankTitle.empty() ? "" : ": " + report.bankTitle));
    for (const ConvolutionProblem& problem : report.problems) lines.push_back("problem " + format(problem));
  }
  if (report.precision != Precision::Fp32)
    lines.push_back(std::string("precision ") + toString(report.precision));
  return lines;
}

/// Those that have anything in them.
std::vector<Table> tablesOf(const BenchReport& report) {
  std::vector<Table> tables;
  const auto add = [&](const auto& rows, const auto& columns) {
    if (!rows.empty()) tables.push_back(tableOf(rows, columns));
  };
  add(report.rows, rowColumns(report.kind));
  add(report.widths, widthColumns());
  if (report.kind == ReportKind::Device) add(peerRatios(report.rows), ratioColumns());
  add(report.claims, claimColumns());
  return tables;
}

}  // namespace

ReportBeginnings beginningsOf(ReportKind kind) {
  return beginningsOf(nameOf(kind).word, csvBeginning(csvColumns(kind)));
}

std::string toJson(const BenchReport& report) {
  Json json = fileHead(nameOf(report.kind).word, BenchReport::schemaVersion);
  if (report.kind == ReportKind::Device) {
    json["what"] = report.what;
    json["rule"] = deviceRule;
  }
  json["command"] = report.command;
  json["complete"] = report.complete;
  json["environment"] = toJsonValue(report.environment);
  if (report.kind == ReportKind::Comparison) {
    json["input"] = report.input;
    json["input_note"] = report.inputNote;
    json["bank"] = {
        {"name", report.bank}, {"title", report.bankTitle}, {"hash", formatHash(report.bankHash)}};
    json["problems"] = Json::array();
    for (const ConvolutionProblem& problem : report.problems) json["problems"].push_back(format(problem));
  }
  json["baseline"] = textOrNull(report.baseline);
  json["precision"] = toString(report.precision);
  json["limits"] = toJson(report.limits, limitColumns());
  json["notes"] = report.notes;
  if (report.kind == ReportKind::Device) json["times_ours"] = toJson(peerRatios(report.rows), ratioColumns());
  if (report.kind == ReportKind::BankWidth) json["smem_bank_bytes"] = smemBankBytes;
  json["rows"] = report.kind == ReportKind::BankWidth ? toJson(report.widths, widthColumns())
                                                      : toJson(report.rows, rowColumns(report.kind));
  if (!report.claims.empty()) json["claims"] = toJson(report.claims, claimColumns());
  return finish(json);
}

std::string toCsv(const BenchReport& report) {
  std::string where;
  for (const std::string& line : machineLines(report)) where += (where.empty() ? "" : "; ") + line;
  return toCsv(report.rows, csvColumns(report.kind), where);
}

std::string toMarkdown(const BenchReport& report) {
  std::string text = beginningsOf(report.kind).markdown;
  for (const Table& table : tablesOf(report)) text += table.markdown() + "\n";
  if (!report.complete) text += "Stopped before its last row.\n\n";
  for (const auto& lines : {headLines(report), report.notes, machineLines(report)})
    for (const std::string& line : lines) text += "- " + printable(line) + "\n";
  if (report.kind == ReportKind::Comparison) {
    for (const BenchRow& row : report.rows)
      if (!row.command.empty())
        text += "- " + row.engine + ", " + std::to_string(row.threads) + " threads: `" +
                printable(row.command) + "`\n";
  }
  return report.command.empty() ? text : text + "- made with `" + printable(report.command) + "`\n";
}

std::string toTable(const BenchReport& report) {
  std::string text;
  for (const std::string& line : headLines(report)) text += printable(line) + "\n";
  if (!text.empty()) text += "\n";
  for (const Table& table : tablesOf(report)) text += table.aligned() + "\n";
  text += limitsText(report.limits);
  for (const std::string& note : report.notes) text += printable(note) + "\n";
  return text;
}

BenchReport readBenchReport(const std::string& json, const std::string& name, ReportKind kind) {
  try {
    const Json file = parseJsonText(json, "its text");
    requireFileHead(file, nameOf(kind).word, BenchReport::schemaVersion);
    BenchReport report{.kind = kind,
                       .what = file.value("what", ""),
                       .command = file.value("command", ""),
                       .environment = readEnvironment(file.at("environment")),
                       .complete = file.value("complete", true),
                       .limits = readRows(file.at("limits"), limitColumns()),
                       .rows = readRows(rowsOf(file), rowColumns(kind)),
                       .notes = file.value("notes", std::vector<std::string>())};
    for (BenchRow& row : report.rows)
      if (row.source.empty()) row.source = name;
    return report;
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::BadInput, name + " is no " + nameOf(kind).phrase + ": " + error.what());
  } catch (const Error& error) {
    throw Error(error.code(), name + " is no " + nameOf(kind).phrase + ": " + error.what());
  }
}

}  // namespace bankside

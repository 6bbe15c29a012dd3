#include "core/bench/bench_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/bench/kept_rows.h"
#include "core/error.h"
#include "core/table.h"
#include "core/text.h"
#include "core/text_file.h"

namespace bankside {
namespace {

using Json = nlohmann::ordered_json;

constexpr double microseconds = 1e6;

Json orNull(double value) { return std::isfinite(value) && value > 0 ? Json(value) : Json(nullptr); }

Json microsecondsOf(const std::optional<Interval>& interval, double Interval::*part) {
  return interval ? Json((*interval).*part * microseconds) : Json(nullptr);
}

/// Every column of a row, in order: the one definition behind JSON and CSV.
Json fieldsOf(const BenchRow& row) {
  const BenchCell& c = row.cell;
  const double seconds = row.endToEnd ? row.endToEnd->median : 0;
  const auto share = [&](double least) { return seconds > 0 ? orNull(least / seconds) : Json(nullptr); };
  return {
      {"size", c.size},
      {"filter_size", c.filterSize},
      {"filter_count", c.filterCount},
      {"type", toString(c.type)},
      {"threads", c.threads},
      {"combine", toString(c.combine)},
      {"bank_kind", toString(c.bank)},
      {"bank", row.bank},
      {"problem", row.problem},
      {"engine", row.engine},
      {"device", row.device},
      {"variant", row.variant},
      {"disposition", row.disposition},
      {"reason", row.reason},
      {"rounds", row.rounds},
      {"median_us", microsecondsOf(row.endToEnd, &Interval::median)},
      {"low_us", microsecondsOf(row.endToEnd, &Interval::low)},
      {"high_us", microsecondsOf(row.endToEnd, &Interval::high)},
      {"compute_median_us", microsecondsOf(row.compute, &Interval::median)},
      {"ratio_to_opencv", row.toBaseline ? Json(row.toBaseline->ratio.median) : Json(nullptr)},
      {"ratio_low", row.toBaseline ? Json(row.toBaseline->ratio.low) : Json(nullptr)},
      {"ratio_high", row.toBaseline ? Json(row.toBaseline->ratio.high) : Json(nullptr)},
      {"verdict", row.toBaseline ? Json(toString(row.toBaseline->verdict)) : Json(nullptr)},
      {"gflops", orNull(row.flopRate() / 1e9)},
      {"megapixel_filters_per_second", orNull(row.megapixelFilters())},
      {"fma_fraction", row.flopsLimit > 0 ? share(row.flops / row.flopsLimit) : Json(nullptr)},
      {"store_fraction", row.storeLimit > 0 ? share(row.bytes / row.storeLimit) : Json(nullptr)},
      {"floor_us", orNull(row.floorSeconds * microseconds)},
      {"floor_fraction", share(row.floorSeconds)},
      {"max_abs_error", row.maxAbsError ? Json(*row.maxAbsError) : Json(nullptr)},
      {"verified_rows", row.verifiedRows > 0 ? Json(row.verifiedRows) : Json(nullptr)},
      {"source", row.source.empty() ? Json(nullptr) : Json(row.source)},
      {"command", row.command},
  };
}

Json limitsJson(const MachineLimits& limits) {
  return {{"threads", limits.threads},
          {"target", limits.target},
          {"gflops", limits.flops / 1e9},
          {"store_gigabytes_per_second", limits.storeBytes / 1e9},
          {"copy_gigabytes_per_second", limits.copyBytes / 1e9}};
}

/// Three significant digits: what a timing can bear.
std::string significant(double value) {
  const double size = std::fabs(value);
  return formatFixed(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

std::string percent(double fraction) { return formatFixed(100 * fraction, 0) + "%"; }

Table tableOf(const BenchReport& report) {
  Table table({"size", "K", "F", "type", "threads", "combine", "bank", "engine", "path", "ms [95%]",
               "x OpenCV", "verdict", "GFLOP/s", "of FMA", "of floor", "note"});
  for (const BenchRow& row : report.rows) {
    const BenchCell& c = row.cell;
    std::vector<std::string> cells = {std::to_string(c.size),
                                      std::to_string(c.filterSize),
                                      std::to_string(c.filterCount),
                                      toString(c.type),
                                      std::to_string(c.threads),
                                      toString(c.combine),
                                      row.bank,
                                      row.engine,
                                      row.variant};
    if (!row.endToEnd) {
      cells.insert(cells.end(), {"-", "-", row.disposition, "-", "-", "-", row.reason});
      table.add(std::move(cells));
      continue;
    }
    const Interval& t = *row.endToEnd;
    cells.push_back(significant(t.median * 1e3) + " [" + significant(t.low * 1e3) + ", " +
                    significant(t.high * 1e3) + "]");
    const bool isBaseline = row.engine == report.baseline && row.source.empty();
    cells.push_back(row.toBaseline ? significant(row.toBaseline->ratio.median) : isBaseline ? "1" : "-");
    cells.push_back(row.toBaseline ? toString(row.toBaseline->verdict) : isBaseline ? "baseline" : "-");
    cells.push_back(significant(row.flopRate() / 1e9));
    cells.push_back(row.flopsLimit > 0 ? percent(row.flopRate() / row.flopsLimit) : "-");
    cells.push_back(row.floorSeconds > 0 ? percent(row.floorSeconds / t.median) : "-");
    std::string note = row.disposition == toString(Disposition::NotVerified) ? row.disposition : "";
    if (!row.source.empty()) note += (note.empty() ? "" : ", ") + ("from " + row.source);
    if (row.verifiedRows > 0)
      note += (note.empty() ? "" : ", ") + ("verified on " + std::to_string(row.verifiedRows) + " rows");
    cells.push_back(note);
    table.add(std::move(cells));
  }
  return table;
}

std::string limitsText(const MachineLimits& l) {
  return std::to_string(l.threads) + (l.threads == 1 ? " thread: " : " threads: ") +
         significant(l.flops / 1e9) + " GFLOP/s of fused multiply-adds (" + l.target + "), " +
         significant(l.storeBytes / 1e9) + " GB/s stored, " + significant(l.copyBytes / 1e9) + " GB/s copied";
}

template <class T>
T valueOr(const Json& row, const char* key, T otherwise) {
  const auto at = row.find(key);
  return at == row.end() || at->is_null() ? otherwise : at->get<T>();
}

std::optional<Interval> readInterval(const Json& row, const char* median, const char* low, const char* high) {
  const auto middle = valueOr(row, median, 0.0);
  if (middle <= 0) return std::nullopt;
  return Interval{middle / microseconds, valueOr(row, low, middle) / microseconds,
                  valueOr(row, high, middle) / microseconds};
}

template <class T>
T required(std::optional<T> value, const std::string& what) {
  if (!value) throw Error(ErrorCode::BadInput, "a row's " + what + " cannot be read");
  return *value;
}

BenchRow readRow(const Json& json, const std::string& name) {
  BenchRow row;
  BenchCell& c = row.cell;
  c.size = json.at("size").get<int>();
  c.filterSize = json.at("filter_size").get<int>();
  c.filterCount = json.at("filter_count").get<int>();
  c.type = required(parseElementType(json.at("type").get<std::string>()), "type");
  c.threads = json.at("threads").get<int>();
  c.combine = required(parseCombine(json.at("combine").get<std::string>()), "combine");
  c.bank = required(parseBankKind(json.at("bank_kind").get<std::string>()), "bank_kind");
  row.engine = json.at("engine").get<std::string>();
  row.disposition = json.at("disposition").get<std::string>();
  row.bank = valueOr(json, "bank", std::string(toString(c.bank)));
  row.problem = valueOr(json, "problem", std::string());
  row.device = valueOr(json, "device", std::string());
  row.variant = valueOr(json, "variant", std::string());
  row.reason = valueOr(json, "reason", std::string());
  row.rounds = valueOr(json, "rounds", 0);
  row.endToEnd = readInterval(json, "median_us", "low_us", "high_us");
  row.compute = readInterval(json, "compute_median_us", "", "");
  // The reader's own machine gives limits; flops come back from the rate, which zero taps are not in.
  const double seconds = row.endToEnd ? row.endToEnd->median : 0;
  row.flops = valueOr(json, "gflops", 0.0) * 1e9 * seconds;
  if (json.contains("max_abs_error") && json["max_abs_error"].is_number())
    row.maxAbsError = json["max_abs_error"].get<double>();
  row.verifiedRows = valueOr(json, "verified_rows", 0);
  row.command = valueOr(json, "command", std::string());
  row.source = name;
  return row;
}

}  // namespace

double BenchRow::megapixelFilters() const {
  if (!endToEnd) return 0;
  return static_cast<double>(cell.size) * cell.size * cell.filterCount / 1e6 / endToEnd->median;
}

BenchRow makeBenchRow(const BenchCell& cell, const FilterBank& bank, const EngineRun& run,
                      const MachineLimits& limits) {
  const ConvolutionProblem problem = problemOf(cell, bank);
  BenchRow row;
  row.cell = cell;
  row.bank = cell.bank == BankKind::Named ? bank.info().name : toString(cell.bank);
  row.problem = format(problem);
  row.engine = run.engine;
  row.device = run.device;
  row.variant = run.variant;
  row.disposition = toString(run.disposition);
  row.reason = run.reason;
  row.command = run.command;
  row.flops = nonZeroFlops(problem, bank);
  row.bytes = resultBytes(problem);
  row.flopsLimit = limits.flops;
  row.storeLimit = limits.storeBytes;
  if (limits.flops > 0 && limits.storeBytes > 0)
    row.floorSeconds = std::max(row.flops / limits.flops, row.bytes / limits.storeBytes);
  if (run.verification) row.maxAbsError = run.verification->maxAbsError;
  row.verifiedRows = run.verifiedRows;
  if (!run.timed()) return row;
  row.rounds = static_cast<int>(run.endToEndSamples.size());
  row.endToEnd = medianInterval(run.endToEndSamples);
  row.compute = medianInterval(run.computeSamples);
  row.toBaseline = run.toBaseline;
  return row;
}

std::string toJson(const BenchReport& report) {
  Json environment = Json::object();
  for (const auto& [name, value] : report.environment) environment[name] = value;
  Json limits = Json::array();
  for (const MachineLimits& l : report.limits) limits.push_back(limitsJson(l));
  Json rows = Json::array();
  for (const BenchRow& row : report.rows) rows.push_back(fieldsOf(row));
  const Json json = {{"bankside", "bench"},
                     {"schema_version", BenchReport::schemaVersion},
                     {"environment", environment},
                     {"command", report.command},
                     {"complete", report.complete},
                     {"baseline", report.baseline},
                     {"precision", toString(report.precision)},
                     {"limits", limits},
                     {"rows", rows}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string toCsv(const BenchReport& report) {
  std::vector<std::string> header;
  const Json columns = fieldsOf({});
  for (const auto& [key, value] : columns.items()) header.push_back(key);
  // Every line carries where it was measured: a CSV file has no other place.
  std::string where;
  for (const auto& [name, value] : report.environment)
    where += (where.empty() ? "" : "; ") + (name + ": " + value);
  for (const MachineLimits& l : report.limits) where += "; " + limitsText(l);
  header.emplace_back("environment");
  Table table(header);
  for (const BenchRow& row : report.rows) {
    std::vector<std::string> cells;
    const Json fields = fieldsOf(row);
    for (const auto& [key, value] : fields.items()) {
      cells.push_back(value.is_null()             ? ""
                      : value.is_string()         ? value.get<std::string>()
                      : value.is_number_integer() ? std::to_string(value.get<std::int64_t>())
                                                  : formatNumber(value.get<double>()));
    }
    cells.push_back(where);
    table.add(std::move(cells));
  }
  return table.csv();
}

std::string toMarkdown(const BenchReport& report) {
  std::string text = tableOf(report).markdown() + "\n";
  if (!report.complete) text += "Stopped before its last cell.\n\n";
  for (const MachineLimits& l : report.limits) text += "- limits, " + limitsText(l) + "\n";
  for (const auto& [name, value] : report.environment) text += "- " + name + ": " + value + "\n";
  return text + "- made with `" + report.command + "`\n";
}

std::string toTable(const BenchReport& report) {
  std::string text = tableOf(report).aligned() + "\n";
  for (const MachineLimits& l : report.limits) text += "limits, " + limitsText(l) + "\n";
  return text;
}

std::vector<BenchRow> readBenchRows(const std::string& json, const std::string& name) {
  try {
    const Json file = Json::parse(json);
    if (file.at("bankside") != "bench") throw Error(ErrorCode::BadInput, "it is no benchmark of bankside");
    requireSchemaVersion(file.at("schema_version").get<int>(), BenchReport::schemaVersion);
    std::vector<BenchRow> rows;
    for (const Json& row : rowsOf(file)) rows.push_back(readRow(row, name));
    return rows;
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::BadInput, name + ": " + error.what());
  } catch (const Error& error) {
    throw Error(error.code(), name + ": " + error.what());
  }
}

}  // namespace bankside

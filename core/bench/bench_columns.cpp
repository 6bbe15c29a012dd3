#include "core/bench/bench_columns.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace bankside {
namespace {

/// Which reports have a column.
enum : unsigned { none = 0, comparison = 1, grid = 2, device = 4 };
constexpr unsigned host = comparison | grid;
constexpr unsigned ofCells = grid | device;
constexpr unsigned all = host | device;

struct RowColumn : Column<BenchRow> {
  unsigned inJson = none;
  unsigned inTable = none;
  bool structured = false;  ///< lists or objects
};
using Row = BenchRow;

RowColumn words(const char* name, const char* header, std::string Row::*field, unsigned json,
                unsigned table) {
  return {{name,
           header,
           [=](const Row& r) { return textOrNull(r.*field); },
           {},
           [=](Row& r, const Json& value) { r.*field = value.get<std::string>(); }},
          json,
          table};
}

/// A number that is not known where it is 0; `unit` is the field's unit in JSON.
template <class Number>
RowColumn known(const char* name, const char* header, Number Row::*field, Number unit, unsigned json) {
  return {{name,
           header,
           [=](const Row& r) { return r.*field > 0 ? Json(r.*field * unit) : Json(nullptr); },
           {},
           [=](Row& r, const Json& value) {
             if constexpr (std::is_integral_v<Number>) {
               r.*field = wholeNumber<Number>(value) / unit;
             } else {
               r.*field = value.get<Number>() / unit;
             }
           }},
          json};
}

std::string percent(double share) { return share > 0 ? formatFixed(100 * share, 0) + "%" : ""; }

RowColumn share(const char* name, const char* header, double Row::*field, unsigned json, unsigned table) {
  RowColumn column = known(name, header, field, 1.0, json);
  column.text = [=](const Row& r) { return percent(r.*field); };
  column.inTable = table;
  return column;
}

RowColumn timePart(const std::string& name, Phase phase, double Interval::*part, unsigned json) {
  return {{name,
           "",
           [=](const Row& r) {
             return r.times.contains(phase) ? Json(r.time(phase).*part * microseconds) : Json(nullptr);
           },
           {},
           [=](Row& r, const Json& value) {
             const double seconds = value.get<double>() / microseconds;
             Interval& time = r.times[phase].interval;
             if (part == &Interval::median) time = {seconds, seconds, seconds};
             time.*part = seconds;
           }},
          json};
}

/// `<name>median_us`, `<name>low_us`, `<name>high_us` and, of comparisons, `<name>samples_us`.
void addPhase(std::vector<RowColumn>& list, const std::string& name, Phase phase, unsigned medians,
              unsigned intervals) {
  list.push_back(timePart(name + "median_us", phase, &Interval::median, medians));
  list.push_back(timePart(name + "low_us", phase, &Interval::low, intervals));
  list.push_back(timePart(name + "high_us", phase, &Interval::high, intervals));
  RowColumn samples{{name + "samples_us", "",
                     [=](const Row& r) -> Json {
                       if (!r.times.contains(phase)) return nullptr;
                       Json values = Json::array();
                       for (const double s : r.times.at(phase).samples) values.push_back(s * microseconds);
                       return values;
                     }},
                    intervals & comparison};
  samples.structured = true;
  list.push_back(std::move(samples));
}

/// A column of tables only: median and interval, or the median alone.
RowColumn timeText(const char* header, Phase phase, double unit, bool interval, unsigned table) {
  return {{"",
           header,
           {},
           [=](const Row& r) -> std::string {
             if (!r.times.contains(phase)) return "";
             const Interval t = r.time(phase);
             const std::string median = formatSignificant(t.median * unit);
             if (!interval) return median;
             return median + " [" + formatSignificant(t.low * unit) + ", " +
                    formatSignificant(t.high * unit) + "]";
           }},
          none,
          table};
}

RowColumn ofProblem(const char* name, const char* header, Json (*value)(const ConvolutionProblem&),
                    unsigned reports) {
  return {{name, header, [=](const Row& r) { return value(r.problem); }}, reports, reports};
}

/// Of the ratio to the baseline.
RowColumn ratioPart(const char* name, double Interval::*part) {
  return {{name,
           "",
           [=](const Row& r) { return r.toBaseline ? Json(r.toBaseline->ratio.*part) : Json(nullptr); },
           {},
           [=](Row& r, const Json& value) {
             if (!r.toBaseline) r.toBaseline.emplace();
             r.toBaseline->ratio.*part = value.get<double>();
           }},
          host};
}

/// What was chosen; why is in the JSON.
std::string pathText(const Row& r) {
  std::vector<PlanInfo> chosen = r.plans;
  for (PlanInfo& plan : chosen) plan.why.clear();
  return toString(chosen);
}

std::string verdictText(const Row& r) {
  if (!r.timed()) return toString(r.disposition);
  return r.baseline ? "baseline" : r.toBaseline ? toString(r.toBaseline->verdict) : "";
}

std::string errorText(const Row& r) {
  if (!r.verification) return "";
  const Verification& v = *r.verification;
  if (!v.passed) return std::to_string(v.failed) + " wrong";
  if (v.maxAbsError == 0) return "0";
  std::string digits = formatNumber(static_cast<float>(v.maxAbsError));
  const auto e = std::min(digits.find('e'), digits.size());
  digits = digits.substr(0, std::min<std::size_t>(e, e < digits.size() ? 4 : 8)) + digits.substr(e);
  return digits + " at (" + std::to_string(v.x) + ", " + std::to_string(v.y) + "; " +
         std::to_string(v.plane) + ")";
}

std::string noteText(const Row& r) {
  std::string note;
  const auto add = [&](const std::string& words) { note += (note.empty() ? "" : ", ") + words; };
  if (!r.reason.empty()) add(r.reason);
  if (r.timed() && r.disposition == Disposition::NotVerified) add(toString(r.disposition));
  if (!r.source.empty()) add("from " + r.source);
  if (r.verifiedRows > 0) add("verified on " + std::to_string(r.verifiedRows) + " rows");
  return note;
}

void readProblem(Row& r, const Json& value) {
  r.problem = parseProblem(value.get<std::string>());
  r.megapixelFilters = megapixelFilters(r.problem);
}

void readDisposition(Row& r, const Json& value) {
  const auto disposition = parseDisposition(value.get<std::string>());
  if (!disposition) throw Error(ErrorCode::BadInput, value.dump() + " is no disposition");
  r.disposition = *disposition;
}

void readVerdict(Row& r, const Json& value) {
  const auto verdict = parseVerdict(value.get<std::string>());
  if (!verdict) throw Error(ErrorCode::BadInput, value.dump() + " is no verdict");
  if (r.toBaseline) r.toBaseline->verdict = *verdict;
}

void addWhat(std::vector<RowColumn>& list) {
  using P = ConvolutionProblem;
  list.push_back(ofProblem(
      "size", "size", [](const P& p) { return Json(std::max(p.width, p.height)); }, ofCells));
  list.push_back(ofProblem(
      "filter_size", "K", [](const P& p) { return Json(std::max(p.filterWidth, p.filterHeight)); }, ofCells));
  list.push_back(ofProblem(
      "filter_count", "F", [](const P& p) { return Json(p.filterCount); }, ofCells));
  list.push_back(ofProblem(
      "channels", "C", [](const P& p) { return Json(p.channels); }, device));
  list.push_back(ofProblem(
      "type", "type", [](const P& p) { return Json(toString(p.srcType)); }, ofCells));
  list.push_back(ofProblem(
      "dst_type", "to", [](const P& p) { return Json(toString(p.dstType)); }, device));
  list.push_back(ofProblem(
      "combine", "combine", [](const P& p) { return Json(toString(p.combine)); }, ofCells));
  list.push_back(ofProblem(
      "border", "border", [](const P& p) { return Json(format(p.border)); }, device));
  list.push_back(words("bank", "bank", &Row::bank, ofCells, ofCells));
  RowColumn values = words("values", "values", &Row::values, ofCells, ofCells);
  values.text = [](const Row& r) { return r.values == "uniform" ? "" : r.values; };
  list.push_back(values);
  RowColumn images = known("images", "images", &Row::images, 1, device);
  images.text = [](const Row& r) { return r.images > 1 ? std::to_string(r.images) : ""; };
  images.inTable = device;
  list.push_back(images);
  RowColumn problem = ofProblem(
      "problem", "", [](const P& p) { return Json(format(p)); }, ofCells);
  problem.read = readProblem;
  problem.required = true;
  list.push_back(problem);
}

void addWho(std::vector<RowColumn>& list) {
  list.push_back(words("engine", "engine", &Row::engine, all, all));
  list.back().required = true;
  list.push_back(words("device", "", &Row::device, host, none));
  list.push_back(words("description", "", &Row::description, comparison, none));
  list.push_back(known("threads", "threads", &Row::threads, 1, host));
  list.back().inTable = host;
  list.push_back({{"variant", "path", [](const Row& r) { return textOrNull(toString(r.plans)); }, pathText,
                   [](Row& r, const Json& value) { r.plans = {{.shape = value.get<std::string>()}}; }},
                  all,
                  all});
  list.push_back({{"disposition",
                   "",
                   [](const Row& r) { return Json(toString(r.disposition)); },
                   {},
                   readDisposition,
                   true},
                  all});
  list.push_back(words("reason", "", &Row::reason, all, none));
}

void addTimes(std::vector<RowColumn>& list) {
  list.push_back(known("rounds", "", &Row::rounds, 1, host));
  list.push_back(known("prepare_us", "", &Row::prepareSeconds, microseconds, comparison));
  addPhase(list, "", Phase::Whole, all, all);
  addPhase(list, "compute_", Phase::Compute, host, comparison);
  addPhase(list, "upload_", Phase::Upload, comparison, comparison);
  addPhase(list, "combine_", Phase::Combine, comparison, comparison);
  addPhase(list, "download_", Phase::Download, comparison, comparison);
  addPhase(list, "hot_", Phase::Hot, device, device);
  list.push_back(timePart("hot_launched_us", Phase::HotLaunched, &Interval::median, device));
  list.push_back(timePart("sustained_us", Phase::Sustained, &Interval::median, device));
  list.push_back(
      {{"cold_sets",
        "",
        [](const Row& r) { return r.timed() ? Json(r.times.at(Phase::Whole).sets) : Json(nullptr); },
        {},
        [](Row& r, const Json& value) { r.times[Phase::Whole].sets = wholeNumber<int>(value); }},
       device});
  list.push_back(timeText("compute ms [95%]", Phase::Compute, 1e3, true, comparison));
  list.push_back(timeText("end to end ms [95%]", Phase::Whole, 1e3, true, host));
  list.push_back(timeText("cold us [95%]", Phase::Whole, microseconds, true, device));
  list.push_back(timeText("hot us", Phase::Hot, microseconds, false, device));
  list.push_back(timeText("sustained us", Phase::Sustained, microseconds, false, device));
}

void addRates(std::vector<RowColumn>& list) {
  list.push_back(
      {{"megapixel_filters_per_second", "Mpx*filter/s",
        [](const Row& r) { return positive(r.rateOf(r.megapixelFilters)); },
        [](const Row& r) { return r.timed() ? formatSignificant(r.rateOf(r.megapixelFilters)) : ""; }},
       host,
       comparison});
  list.push_back(ratioPart("ratio_to_opencv", &Interval::median));
  list.back().header = "x OpenCV";
  list.back().inTable = host;
  list.back().text = [](const Row& r) {
    return r.toBaseline ? formatSignificant(r.toBaseline->ratio.median) : r.baseline && r.timed() ? "1" : "";
  };
  list.push_back(ratioPart("ratio_low", &Interval::low));
  list.push_back(ratioPart("ratio_high", &Interval::high));
  list.push_back(
      {{"verdict", "verdict",
        [](const Row& r) { return r.toBaseline ? Json(toString(r.toBaseline->verdict)) : Json(nullptr); },
        verdictText, readVerdict},
       host,
       all});
  // Read behind the median; operations come back from the rate.
  list.push_back({{"gflops", "GFLOP/s", [](const Row& r) { return positive(r.rateOf(r.flops) / 1e9); },
                   [](const Row& r) { return r.timed() ? formatSignificant(r.rateOf(r.flops) / 1e9) : ""; },
                   [](Row& r, const Json& value) { r.flops = value.get<double>() * 1e9 * r.time().median; }},
                  grid,
                  grid});
  list.push_back(share("fma_fraction", "of FMA", &Row::fmaFraction, grid, grid));
  list.push_back(share("store_fraction", "", &Row::storeFraction, grid, none));
  list.push_back(
      {{"floor_us", "floor us", [](const Row& r) { return positive(r.floor.seconds * microseconds); },
        [](const Row& r) {
          return r.floor.seconds > 0 ? formatSignificant(r.floor.seconds * microseconds) : "";
        },
        [](Row& r, const Json& value) { r.floor.seconds = value.get<double>() / microseconds; }},
       ofCells,
       device});
  list.push_back({{"bound",
                   "bound by",
                   [](const Row& r) { return textOrNull(r.floor.bound); },
                   {},
                   [](Row& r, const Json& value) { r.floor.bound = value.get<std::string>(); }},
                  device,
                  device});
  list.push_back(
      {{"floor_fraction", "of floor",
        [](const Row& r) { return r.timed() ? positive(r.floor.seconds / r.time().median) : nullptr; },
        [](const Row& r) { return percent(r.rateOf(r.floor.seconds)); }},
       ofCells,
       ofCells});
  list.push_back(known("stream_us", "of stream", &Row::streamSeconds, microseconds, device));
  list.back().text = [](const Row& r) { return percent(r.rateOf(r.streamSeconds)); };
  list.back().inTable = device;
  list.push_back(ofProblem(
      "bytes", "", [](const ConvolutionProblem& p) { return Json(p.minBytes()); }, device));
  list.push_back(known("flops", "", &Row::flops, 1.0, device));
}

void addJudgement(std::vector<RowColumn>& list) {
  list.push_back({{"max_abs_error",
                   "",
                   [](const Row& r) { return r.maxAbsError ? number(*r.maxAbsError) : nullptr; },
                   {},
                   [](Row& r, const Json& value) { r.maxAbsError = value.get<double>(); }},
                  host});
  list.push_back(
      {{"verification", "", [](const Row& r) { return verificationJson(r.verification); }}, comparison});
  list.back().structured = true;
  list.push_back(known("verified_rows", "", &Row::verifiedRows, 1, host));
  list.push_back({{"", "max abs error at (x, y; plane)", {}, errorText}, none, comparison});
  list.push_back({{"", "note", {}, noteText}, none, all});
  list.push_back(words("source", "", &Row::source, ofCells, none));
  list.push_back(words("command", "", &Row::command, all, none));
}

const std::vector<RowColumn>& everyColumn() {
  static const std::vector<RowColumn> columns = [] {
    std::vector<RowColumn> list;
    addWhat(list);
    addWho(list);
    addTimes(list);
    addRates(list);
    addJudgement(list);
    return list;
  }();
  return columns;
}

unsigned bitOf(ReportKind kind) {
  return kind == ReportKind::Comparison ? comparison : kind == ReportKind::Bench ? grid : device;
}

}  // namespace

Columns<BenchRow> rowColumns(ReportKind kind) {
  Columns<BenchRow> columns;
  for (const RowColumn& c : everyColumn()) {
    Column<BenchRow> column = c;
    if ((c.inJson & bitOf(kind)) == 0) column.name.clear();
    if ((c.inTable & bitOf(kind)) == 0) column.header.clear();
    if (!column.name.empty() || !column.header.empty()) columns.push_back(std::move(column));
  }
  return columns;
}

Columns<BenchRow> csvColumns(ReportKind kind) {
  Columns<BenchRow> columns;
  for (const RowColumn& c : everyColumn())
    if ((c.inJson & bitOf(kind)) != 0 && !c.structured) columns.push_back(c);
  return columns;
}

}  // namespace bankside

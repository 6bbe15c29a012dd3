#include "core/bench/device_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/table.h"
#include "core/text.h"

namespace bankside {
namespace {

using Json = nlohmann::ordered_json;

constexpr double micro = 1e6;

Json orNull(double value) { return value > 0 && std::isfinite(value) ? Json(value) : Json(nullptr); }

Json intervalJson(const Interval& i) { return Json::array({i.low * micro, i.high * micro}); }

/// Every column of a row, in order: the one definition behind JSON and CSV.
Json fieldsOf(const DeviceRow& row) {
  const ConvolutionProblem& p = row.problem;
  const auto& t = row.times;
  return {{"N", std::max(p.width, p.height)},
          {"K", std::max(p.filterWidth, p.filterHeight)},
          {"C", p.channels},
          {"F", p.filterCount},
          {"srcType", toString(p.srcType)},
          {"dstType", toString(p.dstType)},
          {"combine", toString(p.combine)},
          {"border", format(p.border)},
          {"bank", row.bank},
          {"images", row.images},
          {"problem", format(p)},
          {"engine", row.engine},
          {"variant", row.variant},
          {"disposition", row.disposition},
          {"reason", row.reason.empty() ? Json(nullptr) : Json(row.reason)},
          {"median_us", t ? Json(t->cold.median * micro) : Json(nullptr)},
          {"interval", t ? intervalJson(t->cold) : Json(nullptr)},
          {"hot_median_us", t ? Json(t->hot.median * micro) : Json(nullptr)},
          {"hot_interval", t ? intervalJson(t->hot) : Json(nullptr)},
          {"hot_launched_us", t && t->hotLaunched ? Json(t->hotLaunched->median * micro) : Json(nullptr)},
          {"sustained_us", t && t->sustained ? Json(t->sustained->median * micro) : Json(nullptr)},
          {"coldSets", t ? Json(t->coldSets) : Json(nullptr)},
          {"floor_us", orNull(row.floor.seconds * micro)},
          {"bound", row.floor.bound},
          {"stream_us", orNull(row.streamSeconds * micro)},
          {"fractionOfFloor", orNull(row.fractionOfFloor())},
          {"bytes", p.minBytes()},
          {"bytesAre", "computed"},
          {"flops", row.flops},
          {"source", row.source.empty() ? Json(nullptr) : Json(row.source)},
          {"command", row.command}};
}

std::string cellText(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) return cellText(value[0]) + ".." + cellText(value[1]);
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  return formatNumber(value.get<double>());
}

/// Three significant digits: what a timing can bear.
std::string significant(double value) { return formatFixed(value, value >= 100 ? 0 : value >= 10 ? 1 : 2); }

Table tableOf(const DeviceReport& report) {
  const bool batches = std::any_of(report.rows.begin(), report.rows.end(),
                                   [](const DeviceRow& row) { return row.images > 1; });
  Table table({batches ? "images x N" : "N", "K", "C", "F", "types", "combine", "border", "engine", "variant",
               "cold us [95%]", "hot us", "floor us", "bound by", "of floor", "of stream"});
  for (const DeviceRow& row : report.rows) {
    const ConvolutionProblem& p = row.problem;
    const std::string side = std::to_string(std::max(p.width, p.height));
    std::vector<std::string> cells = {batches ? std::to_string(row.images) + " x " + side : side,
                                      std::to_string(std::max(p.filterWidth, p.filterHeight)),
                                      std::to_string(p.channels),
                                      std::to_string(p.filterCount),
                                      std::string(toString(p.srcType)) + ":" + toString(p.dstType),
                                      toString(p.combine),
                                      format(p.border),
                                      row.engine,
                                      row.variant};
    if (!row.times) {
      cells.insert(cells.end(), {row.disposition + ": " + row.reason, "-", "-", "-", "-", "-"});
    } else {
      const DeviceTimes& t = *row.times;
      cells.push_back(significant(t.cold.median * micro) + " [" + significant(t.cold.low * micro) + ", " +
                      significant(t.cold.high * micro) + "]");
      cells.push_back(significant(t.hot.median * micro));
      const bool known = row.floor.seconds > 0;
      cells.push_back(known ? significant(row.floor.seconds * micro) : "-");
      cells.push_back(known ? row.floor.bound : "-");
      cells.push_back(known ? formatFixed(row.fractionOfFloor(), 2) : "-");
      cells.push_back(row.streamSeconds > 0 ? formatFixed(row.streamSeconds / t.cold.median, 2) : "-");
    }
    table.add(std::move(cells));
  }
  return table;
}

Table ratioTable(const std::vector<PeerRatio>& ratios) {
  Table table({"engine", "K", "cells", "mean of times ours", "geometric mean", "smallest"});
  for (const PeerRatio& r : ratios) {
    table.add({r.engine, r.filterSize == 0 ? "all" : std::to_string(r.filterSize), std::to_string(r.cells),
               formatFixed(r.arithmeticMean, 2), formatFixed(r.geometricMean, 2),
               formatFixed(r.smallest, 2)});
  }
  return table;
}

Json orNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json claimsJson(const std::vector<PaperClaim>& claims) {
  Json json = Json::array();
  for (const PaperClaim& c : claims) {
    json.push_back({{"claim", c.claim},
                    {"cell", c.cell},
                    {"paper", orNull(c.paper)},
                    {"computed", orNull(c.computed)},
                    {"here", orNull(c.here)},
                    {"in", c.in},
                    {"how", c.how}});
  }
  return json;
}

std::string oursIn(const DeviceReport& report) {
  return report.rows.empty() ? std::string() : report.rows.front().engine;
}

/// What a cell is, the border aside.
std::string cellKey(const DeviceRow& row) {
  ConvolutionProblem p = row.problem;
  p.border = {};
  return format(p) + " " + row.bank + " " + std::to_string(row.images);
}

}  // namespace

DeviceRow makeDeviceRow(const ConvolutionProblem& problem, double flops, const std::string& engine,
                        const DeviceLimits& limits) {
  DeviceRow row;
  row.problem = problem;
  row.engine = engine;
  row.flops = flops;
  row.floor = floorOf(problem, flops, limits);
  row.streamSeconds = streamSeconds(problem, limits);
  return row;
}

std::vector<PeerRatio> peerRatios(const std::vector<DeviceRow>& rows, const std::string& ours) {
  std::map<std::string, double> own;
  for (const DeviceRow& row : rows) {
    if (row.engine == ours && row.times) own.emplace(cellKey(row), row.times->hot.median);
  }
  std::vector<std::string> engines;
  std::map<std::pair<std::string, int>, std::vector<double>> found;
  for (const DeviceRow& row : rows) {
    const auto at = own.find(cellKey(row));
    if (row.engine == ours || !row.times || at == own.end()) continue;
    if (std::find(engines.begin(), engines.end(), row.engine) == engines.end()) engines.push_back(row.engine);
    const double ratio = row.times->hot.median / at->second;
    found[{row.engine, row.problem.filterWidth}].push_back(ratio);
    found[{row.engine, 1 << 20}].push_back(ratio);  // after every size
  }
  std::vector<PeerRatio> list;
  for (const std::string& engine : engines) {
    for (const auto& [key, values] : found) {
      if (key.first != engine) continue;
      PeerRatio r{engine, key.second == 1 << 20 ? 0 : key.second,         static_cast<int>(values.size()), 0,
                  0,      *std::min_element(values.begin(), values.end())};
      for (const double v : values) {
        r.arithmeticMean += v / static_cast<double>(values.size());
        r.geometricMean += std::log(v) / static_cast<double>(values.size());
      }
      r.geometricMean = std::exp(r.geometricMean);
      list.push_back(r);
    }
  }
  return list;
}

std::string limitsText(const DeviceLimits& l) {
  if (l.copyRate <= 0) return {};
  std::string text = "copy " + formatFixed(l.copyRate / 1e9, 0) + " GB/s\nf32 multiply-adds " +
                     formatFixed(l.fmaRate / 1e12, 2) + " TFLOP/s, mma.sync of halves " +
                     formatFixed(l.tensorRate / 1e12, 0) + " TFLOP/s\nlaunch " +
                     formatFixed(l.launchSeconds * micro, 2) + " us, in a graph " +
                     formatFixed(l.graphLaunchSeconds * micro, 2) + " us\n";
  for (const auto& s : l.streams) {
    text += "one image read, " + std::to_string(s.planes) + " written: " + formatFixed(s.rate / 1e9, 0) +
            " GB/s (" + s.order + "), " + formatFixed(s.rate / l.copyRate, 2) + " of the copy rate\n";
  }
  return text;
}

std::string toJson(const DeviceReport& report) {
  Json environment = Json::object();
  for (const auto& [name, value] : report.environment) environment[name] = value;
  const DeviceLimits& l = report.limits;
  Json streams = Json::array();
  for (const auto& s : l.streams)
    streams.push_back({{"F", s.planes}, {"GBps", s.rate / 1e9}, {"order", s.order}});
  Json rows = Json::array();
  for (const DeviceRow& row : report.rows) rows.push_back(fieldsOf(row));
  Json ratios = Json::array();
  for (const PeerRatio& r : peerRatios(report.rows, oursIn(report))) {
    ratios.push_back({{"engine", r.engine},
                      {"K", r.filterSize == 0 ? Json(nullptr) : Json(r.filterSize)},
                      {"cells", r.cells},
                      {"mean", r.arithmeticMean},
                      {"geometricMean", r.geometricMean},
                      {"smallest", r.smallest}});
  }
  Json json = {{"schemaVersion", DeviceReport::schemaVersion},
               {"what", report.what},
               {"rule",
                "graph replay, rests between rounds; median_us cold (buffer sets over 2.5 times the L2), "
                "hot_median_us "
                "one set, sustained_us one set without rests"},
               {"command", report.command},
               {"complete", report.complete},
               {"environment", environment},
               {"limits",
                {{"copyGBps", l.copyRate / 1e9},
                 {"fmaTflops", l.fmaRate / 1e12},
                 {"tensorTflops", l.tensorRate / 1e12},
                 {"launch_us", l.launchSeconds * micro},
                 {"graphLaunch_us", l.graphLaunchSeconds * micro},
                 {"streams", streams}}},
               {"timesOurs", ratios},
               {"notes", report.notes},
               {"rows", rows}};
  if (!report.claims.empty()) json["claims"] = claimsJson(report.claims);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string toCsv(const DeviceReport& report) {
  std::vector<std::string> header;
  const Json columns = fieldsOf({});
  for (const auto& [key, value] : columns.items()) header.push_back(key);
  std::string where;
  for (const auto& [name, value] : report.environment)
    where += (where.empty() ? "" : "; ") + (name + ": " + value);
  header.emplace_back("environment");
  Table table(header);
  for (const DeviceRow& row : report.rows) {
    std::vector<std::string> cells;
    const Json fields = fieldsOf(row);
    for (const auto& [key, value] : fields.items()) cells.push_back(cellText(value));
    cells.push_back(where);
    table.add(std::move(cells));
  }
  return table.csv();
}

std::string toMarkdown(const DeviceReport& report) {
  std::string text;
  if (!report.rows.empty()) text += tableOf(report).markdown() + "\n";
  const auto ratios = peerRatios(report.rows, oursIn(report));
  if (!ratios.empty()) text += ratioTable(ratios).markdown() + "\n";
  if (!report.claims.empty()) text += claimTable(report.claims).markdown() + "\n";
  for (const std::string& note : report.notes) text += "- " + note + "\n";
  for (const std::string& line : split(limitsText(report.limits), '\n'))
    if (!line.empty()) text += "- " + line + "\n";
  for (const auto& [name, value] : report.environment) text += "- " + name + ": " + value + "\n";
  return text + "- made with `" + report.command + "`\n";
}

std::string toTable(const DeviceReport& report) {
  std::string text;
  if (!report.rows.empty()) text += tableOf(report).aligned() + "\n";
  const auto ratios = peerRatios(report.rows, oursIn(report));
  if (!ratios.empty()) text += ratioTable(ratios).aligned() + "\n";
  if (!report.claims.empty()) text += claimTable(report.claims).aligned() + "\n";
  text += limitsText(report.limits);
  for (const std::string& note : report.notes) text += note + "\n";
  return text;
}

}  // namespace bankside

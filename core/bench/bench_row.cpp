#include "core/bench/bench_row.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace bankside {
namespace {

constexpr const char* dispositions[] = {"PASSED",  "INCORRECT", "UNSUPPORTED",
                                        "SKIPPED", "FAILED",    "NOT VERIFIED"};

/// What a cell is, the border aside.
std::string cellKey(const BenchRow& row) {
  ConvolutionProblem p = row.problem;
  p.border = {};
  return format(p) + " " + row.bank + " " + std::to_string(row.images);
}

PeerRatio ratioOf(const std::string& engine, int filterSize, const std::vector<double>& values) {
  PeerRatio r{engine, filterSize, static_cast<int>(values.size()), 0, 0, 0};
  for (const double v : values) {
    r.arithmeticMean += v / static_cast<double>(values.size());
    r.geometricMean += std::log(v) / static_cast<double>(values.size());
  }
  r.geometricMean = std::exp(r.geometricMean);
  r.smallest = *std::min_element(values.begin(), values.end());
  return r;
}

}  // namespace

const char* toString(Disposition disposition) { return dispositions[static_cast<int>(disposition)]; }

std::optional<Disposition> parseDisposition(std::string_view text) {
  const auto at = std::find(std::begin(dispositions), std::end(dispositions), text);
  if (at == std::end(dispositions)) return std::nullopt;
  return static_cast<Disposition>(at - std::begin(dispositions));
}

Timing timingOf(std::vector<double> samples) {
  const Interval interval = medianInterval(samples);
  return {interval, std::move(samples)};
}

Interval BenchRow::time(Phase phase) const {
  const auto at = times.find(phase);
  return at == times.end() ? Interval() : at->second.interval;
}

double megapixelFilters(const ConvolutionProblem& p) {
  return static_cast<double>(p.height) * p.width * p.filterCount * p.responseGroups() / 1e6;
}

BenchRow makeDeviceRow(const ConvolutionProblem& problem, double flops, const std::string& engine,
                       const MachineLimits& limits) {
  BenchRow row;
  row.problem = problem;
  row.engine = engine;
  row.flops = flops;
  row.floor = floorOf(problem.minBytes(), limits.copyBytes, flops, limits);
  row.streamSeconds = streamSeconds(problem, limits);
  return row;
}

bool anyOwn(const std::vector<BenchRow>& rows, Disposition disposition) {
  return std::any_of(rows.begin(), rows.end(), [&](const BenchRow& row) {
    return row.source.empty() && row.disposition == disposition;
  });
}

std::vector<PeerRatio> peerRatios(const std::vector<BenchRow>& rows) {
  const std::string ours = rows.empty() ? "" : rows.front().engine;
  std::map<std::string, double> own;
  for (const BenchRow& row : rows) {
    if (row.engine == ours && row.timed()) own.emplace(cellKey(row), row.time(Phase::Hot).median);
  }
  std::vector<std::string> engines;
  std::map<std::string, std::map<int, std::vector<double>>> found;
  std::map<std::string, std::vector<double>> all;
  for (const BenchRow& row : rows) {
    const auto at = own.find(cellKey(row));
    if (row.engine == ours || !row.timed() || at == own.end()) continue;
    if (!all.contains(row.engine)) engines.push_back(row.engine);
    const double ratio = row.time(Phase::Hot).median / at->second;
    found[row.engine][row.problem.filterWidth].push_back(ratio);
    all[row.engine].push_back(ratio);
  }
  std::vector<PeerRatio> list;
  for (const std::string& engine : engines) {
    for (const auto& [size, values] : found[engine]) list.push_back(ratioOf(engine, size, values));
    list.push_back(ratioOf(engine, 0, all[engine]));
  }
  return list;
}

}  // namespace bankside

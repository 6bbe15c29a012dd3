#include "kernels/cuda/tune.h"

#include <algorithm>
#include <limits>

#include "core/bench_grid.h"
#include "core/error.h"
#include "kernels/cuda/cuda_error.h"
#include "kernels/cuda/measure_limits.h"
#include "kernels/cuda/single_channel_pass.h"

namespace bankside::cuda {
namespace {

constexpr PassTiming quick{.minRounds = 5, .maxRounds = 9, .seconds = 0.008};

DeviceRow tryOut(const DeviceCell& cell, const Choice& choice, const DeviceLimits& limits) {
  DeviceRow row =
      makeDeviceRow(cell.problem, nonZeroFlops(cell.problem, cell.bank), "cuda:single-channel", limits);
  row.bank = cell.bankName;
  row.command = "bankside bench tune";
  try {
    const auto pass = makeSingleChannelPass(cell.problem, cell.bank, {.choice = choice});
    row.variant = pass->variant();
    row.reason = judgePass(*pass, cell.problem, cell.bank);
    row.disposition = row.reason.empty() ? "Passed" : "Incorrect";
    if (row.reason.empty()) row.times = timePass(*pass, cell.problem, quick);
  } catch (const Error& error) {
    row.disposition = "Failed";
    row.reason = error.what();
  }
  return row;
}

TuningEntry entryOf(const ConvolutionProblem& p, const Choice& choice) {
  TuningEntry e;
  e.filterSize = p.filterWidth;
  e.filterCount = p.filterCount;
  e.side = p.width;
  e.srcType = p.srcType;
  e.dstType = p.dstType;
  e.fused = fusedOf(p.combine);
  e.variant = variants()[static_cast<std::size_t>(choice.variant)].name;
  e.filtersPerBlock = choice.filtersPerBlock;
  e.tailOnly = choice.tailOnly;
  return e;
}

}  // namespace

std::vector<Choice> candidates(const ConvolutionProblem& p, int anchorX, int anchorY) {
  const std::vector<int> fitting = fittingVariants(p, anchorX, anchorY);
  const auto formOf = [](int i) { return variants()[static_cast<std::size_t>(i)].form; };
  const bool compiled =
      std::any_of(fitting.begin(), fitting.end(), [&](int i) { return formOf(i) != Form::AnySize; });
  std::vector<Choice> list;
  for (const int i : fitting) {
    if (compiled && formOf(i) == Form::AnySize) continue;
    const int perPass = variants()[static_cast<std::size_t>(i)].shape.filtersPerPass;
    if (perPass > 2 * p.filterCount) continue;
    int last = 0;
    for (int parts = 1; parts <= 16; parts *= 2) {
      const int perBlock = roundUp(ceilDiv(p.filterCount, parts), perPass);
      if (perBlock == last) break;
      list.push_back({i, perBlock});
      if (perBlock < p.filterCount) list.push_back({i, perBlock, true});
      last = perBlock;
      if (p.combine != Combine::None) break;  // one block needs all filters
    }
  }
  return list;
}

TuningTable tune(DeviceReport& report, const std::vector<DeviceCell>& cells,
                 const std::function<void(const DeviceRow&, double share)>& progress, std::stop_token stop) {
  const DeviceDescription device = describeDevice();
  TuningTable table{device.name, device.multiprocessors, report.environment, {}};
  double done = 0;
  for (const DeviceCell& cell : cells) {
    const CorrelationTaps taps = correlationTaps(cell.problem, cell.bank);
    const auto measured = [&](const Choice& choice) {
      if (stop.stop_requested()) throw Cancelled();
      report.rows.push_back(tryOut(cell, choice, report.limits));
      if (progress) progress(report.rows.back(), done / static_cast<double>(cells.size()));
      if (const Support state = deviceState(); !state) throw Error(ErrorCode::Device, state.reason);
      const auto& times = report.rows.back().times;
      return times ? times->cold.median : std::numeric_limits<double>::infinity();
    };
    const ConvolutionProblem& p = cell.problem;
    Choice rule{chooseVariant(p, taps.anchorX, taps.anchorY)};
    const BankSplit split = splitBank(rule, p, p.width, p.height, device.multiprocessors);
    rule.filtersPerBlock = split.filtersPerBlock;
    rule.tailOnly = split.wholeRows > 0;
    const double ruleSeconds = measured(rule);
    Choice best = rule;
    double least = ruleSeconds;
    for (const Choice& choice : candidates(p, taps.anchorX, taps.anchorY)) {
      if (choice == rule) continue;
      const double seconds = measured(choice);
      if (seconds < std::min(least, 0.98 * ruleSeconds)) {  // no change for what may be noise
        least = seconds;
        best = choice;
      }
    }
    done += 1;
    TuningEntry entry = entryOf(p, best);
    entry.microseconds = least * 1e6;
    entry.ruleMicroseconds = ruleSeconds * 1e6;
    entry.floorMicroseconds = report.rows.back().floor.seconds * 1e6;
    table.entries.push_back(entry);
  }
  return table;
}

}  // namespace bankside::cuda

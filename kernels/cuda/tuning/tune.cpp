#include "kernels/cuda/tuning/tune.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/bench/bench_grid.h"
#include "core/error.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/paper/general_bank.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/kernel_pass.h"
#include "kernels/cuda/runtime/measure_limits.h"
#include "kernels/cuda/runtime/measure_pass.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"
#include "kernels/cuda/tensor/tensor_bank.h"
#include "kernels/cuda/tensor/tensor_form.h"
#include "kernels/cuda/tuning/tune_search.h"

namespace bankside::cuda {
namespace {

const PassTiming quick{.minRounds = 5, .maxRounds = 9, .seconds = 0.008};
/// Layouts of the tensor cores that are measured, those predicted to be fastest: the slowest of so many is
/// predicted to take a good deal longer.
constexpr std::size_t mostTensorChoices = 16;

using MakePass = std::function<std::unique_ptr<DevicePass>()>;

BenchRow tryOut(const DeviceCell& cell, const std::string& engine, const MakePass& makePass,
                const MachineLimits& limits) {
  BenchRow row = makeDeviceRow(cell.problem, nonZeroFlops(cell.problem, cell.bank), engine, limits);
  row.bank = cell.bankName;
  row.command = "bankside bench tune";
  try {
    const auto pass = makePass();
    row.plans = {{.shape = pass->variant()}};
    row.reason = judgePass(*pass, cell.problem, cell.bank);
    row.disposition = row.reason.empty() ? Disposition::Passed : Disposition::Incorrect;
    if (row.reason.empty()) row.times = timePass(*pass, cell.problem, quick);
  } catch (const Error& error) {
    row.disposition = Disposition::Failed;
    row.reason = error.what();
  }
  return row;
}

/// What the rules without a table take, written out.
Choice ruleFor(const ConvolutionProblem& p, const CorrelationTaps& taps, int multiprocessors) {
  Choice rule{chooseVariant(p, taps.anchorX, taps.anchorY)};
  const BankSplit split = splitBank(rule, p, p.width, p.height, multiprocessors);
  rule.filtersPerBlock = split.filtersPerBlock;
  rule.tailOnly = split.wholeRows > 0;
  return rule;
}

TuningEntry entryOf(const ConvolutionProblem& p, const Fastest<Choice>& found, double floorSeconds) {
  TuningEntry e;
  e.filterSize = p.filterWidth;
  e.filterCount = p.filterCount;
  e.side = p.width;
  e.srcType = p.srcType;
  e.dstType = p.dstType;
  e.fused = fusedOf(p.combine);
  e.variant = variants()[static_cast<std::size_t>(found.choice.variant)].name;
  e.filtersPerBlock = found.choice.filtersPerBlock;
  e.tailOnly = found.choice.tailOnly;
  e.microseconds = found.seconds * 1e6;
  e.ruleMicroseconds = found.ruleSeconds * 1e6;
  e.floorMicroseconds = floorSeconds * 1e6;
  return e;
}

}  // namespace

std::vector<Choice> candidates(const ConvolutionProblem& p, int anchorX, int anchorY) {
  const std::vector<int> fitting = fittingVariants(p, anchorX, anchorY);
  const auto formOf = [](int i) { return variants()[static_cast<std::size_t>(i)].form; };
  const auto ours = [&](int i) { return formOf(i) == Form::Rows || formOf(i) == Form::Tile; };
  const bool compiled = std::any_of(fitting.begin(), fitting.end(), ours);
  std::vector<Choice> list;
  for (const int i : fitting) {
    if (formOf(i) == Form::Paper || (compiled && formOf(i) == Form::AnySize)) continue;
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

std::vector<Choice> paperCandidates(const ConvolutionProblem& p, int anchorX, int anchorY) {
  std::vector<Choice> list;
  for (const int i : fittingVariants(p, anchorX, anchorY)) {
    if (variants()[static_cast<std::size_t>(i)].paper()) list.push_back({i, p.filterCount});
  }
  return list;
}

TuningTable tune(BenchReport& report, const std::vector<DeviceCell>& cells,
                 const std::vector<std::string>& engines,
                 const std::function<void(const BenchRow&, double share)>& progress, std::stop_token stop) {
  const DeviceDescription device = describeDevice();
  TuningTable table{device.name, device.multiprocessors, report.environment, {}};
  const auto wanted = [&](const std::string& engine) {
    return engines.empty() || std::find(engines.begin(), engines.end(), engine) != engines.end();
  };
  double done = 0;
  /// Measures every candidate of `engine`: the fastest.
  const auto search = [&](const DeviceCell& cell, const std::string& engine, const auto& rule,
                          const auto& choices, const auto& bankOf) {
    return fastestOf(rule, choices, [&](const auto& choice) {
      if (stop.stop_requested()) throw Cancelled();
      report.rows.push_back(tryOut(
          cell, engine, [&] { return makeKernelPass(cell.problem, bankOf(choice)); }, report.limits.front()));
      if (progress) progress(report.rows.back(), done / static_cast<double>(cells.size()));
      if (const Support state = deviceState(); !state) throw Error(ErrorCode::Device, state.reason);
      const BenchRow& row = report.rows.back();
      return row.timed() ? row.time().median : std::numeric_limits<double>::infinity();
    });
  };
  const auto tuneCell = [&](const DeviceCell& cell) {
    const ConvolutionProblem& p = cell.problem;
    const CorrelationTaps taps = correlationTaps(p, cell.bank);
    if (p.tapChannels() > 1) {
      if (wanted("cuda:multichannel"))
        search(cell, "cuda:multichannel", chooseSummed(p), fittingSummedChoices(p),
               [&](const SummedChoice& choice) { return std::make_unique<SummedBank>(p, taps, choice); });
      if (wanted("cuda:multichannel-paper") && chooseGeneralVariant(p) >= 0)
        search(cell, "cuda:multichannel-paper", chooseGeneralVariant(p), fittingGeneralVariants(p),
               [&](int variant) { return std::make_unique<GeneralBank>(p, taps, variant); });
      return;
    }
    if (const auto shapes = paperCandidates(p, taps.anchorX, taps.anchorY);
        wanted("cuda:single-channel-paper") && !shapes.empty())
      search(cell, "cuda:single-channel-paper", shapes.front(), shapes,
             [&](const Choice& choice) { return makeSingleChannelBand(p, taps, {.choice = choice}); });
    if (wanted("cuda:single-channel")) {
      const auto found = search(cell, "cuda:single-channel", ruleFor(p, taps, device.multiprocessors),
                                candidates(p, taps.anchorX, taps.anchorY), [&](const Choice& choice) {
                                  return makeSingleChannelBand(p, taps, {.choice = choice});
                                });
      if (std::isfinite(found.seconds))
        table.entries.push_back(entryOf(p, found, report.rows.back().floor.seconds));
    }
    if (!wanted("cuda:tensor") || !tensorState() || std::max(p.filterHeight, p.filterWidth) > mostTensorSide)
      return;
    std::vector<TensorChoice> choices = tensorChoices(p, PartialProducts::Most, tensorUnits().form);
    choices.resize(std::min(choices.size(), mostTensorChoices));
    search(cell, "cuda:tensor", choices.front(), choices, [&](const TensorChoice& choice) {
      return std::make_unique<TensorBank>(p, taps, PartialProducts::Most, choice);
    });
  };
  for (const DeviceCell& cell : cells) {
    try {
      tuneCell(cell);
    } catch (const Cancelled&) {
      if (done == 0 && table.entries.empty()) throw;
      break;
    }
    done += 1;
  }
  return table;
}

}  // namespace bankside::cuda

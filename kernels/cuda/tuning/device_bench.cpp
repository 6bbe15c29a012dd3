#include "kernels/cuda/tuning/device_bench.h"

#include <memory>

#include "core/bench/bench_grid.h"
#include "core/error.h"
#include "core/log.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/measure_limits.h"
#include "kernels/cuda/runtime/measure_pass.h"

namespace bankside {
namespace {

/// The cell on the border that the engine takes; the refusal of the cell's own border otherwise.
Support adoptBorder(const Engine& engine, ConvolutionProblem& problem) {
  const Support first = engine.supports(problem);
  if (first) return first;
  const Border asked = problem.border;
  for (const BorderKind kind : {BorderKind::Constant, BorderKind::Wrap, BorderKind::Replicate}) {
    problem.border = {kind, 0.0f};
    if (engine.supports(problem)) return Support::yes();
  }
  problem.border = asked;
  return first;
}

/// Times of one of the images of a launch.
Timings eachOf(int images, Timings times) {
  for (auto& [phase, time] : times)
    for (double Interval::*part : {&Interval::median, &Interval::low, &Interval::high})
      time.interval.*part /= images;
  return times;
}

/// An engine on a cell: its row, and its pass while the row has no verdict yet.
struct Contender {
  ConvolutionProblem problem;
  BenchRow row;
  std::unique_ptr<DevicePass> pass = nullptr;
};

void leave(Contender& contender, Disposition disposition, const std::string& reason) {
  contender.row.disposition = disposition;
  contender.row.reason = reason;
  contender.pass = nullptr;
}

void leave(Contender& contender, const Error& error) {
  leave(contender, error.code() == ErrorCode::Unsupported ? Disposition::Unsupported : Disposition::Failed,
        error.what());
}

/// `time`: which rows of the problem (see `judgePass`).
void judge(Contender& contender, const DeviceCell& cell, int time) try {
  const std::string wrong = cuda::judgePass(*contender.pass, contender.problem, cell.bank, cell.values, time);
  if (!wrong.empty()) leave(contender, Disposition::Incorrect, wrong);
} catch (const Error& error) {
  leave(contender, error);
}

/// Prepared and judged, or with the reason why not.
Contender prepared(const DeviceCell& cell, const Engine& engine, const MachineLimits& limits) {
  ConvolutionProblem problem = cell.problem;
  Support support = engine.available();
  if (support) support = adoptBorder(engine, problem);
  Contender contender{problem,
                      makeDeviceRow(problem, nonZeroFlops(problem, cell.bank), engine.name(), limits)};
  BenchRow& row = contender.row;
  row.bank = cell.bankName;
  row.images = cell.images;
  row.values = cell.values;
  row.command = "bankside bench device " + format(problem) + " --engines " + engine.name();
  if (cell.values != "uniform") row.command += " --values " + cell.values;
  if (cell.images > 1) row.command += " --images " + std::to_string(cell.images);
  const auto* onDevice = dynamic_cast<const DeviceEngine*>(&engine);
  if (support && onDevice == nullptr) support = Support::no("it has no pass on the device");
  if (!support) {
    leave(contender, Disposition::Unsupported, support.reason);
    return contender;
  }
  try {
    contender.pass = onDevice->prepareBatch(problem, cell.bank, cell.images);
    row.plans = {{.shape = contender.pass->variant()}};
  } catch (const Error& error) {
    leave(contender, error);
  }
  if (contender.pass != nullptr) judge(contender, cell, 0);
  return contender;
}

void time(const std::vector<Contender*>& contenders, const cuda::PassTiming& timing) {
  std::vector<cuda::TimedPass> passes;
  for (const Contender* contender : contenders)
    passes.push_back({contender->pass.get(), &contender->problem});
  std::vector<Timings> times = cuda::timePasses(passes, timing);
  for (std::size_t i = 0; i < times.size(); ++i)
    contenders[i]->row.times = eachOf(contenders[i]->row.images, std::move(times[i]));
}

/// Times those that are right in rounds that they share; where memory is too short for all of them, or one of
/// them fails, each alone.
void timeRight(std::vector<Contender>& contenders, const cuda::PassTiming& timing) {
  std::vector<Contender*> right;
  for (Contender& contender : contenders)
    if (contender.pass != nullptr) right.push_back(&contender);
  if (right.empty()) return;
  try {
    return time(right, timing);
  } catch (const Error& error) {
    if (right.size() > 1)
      log(LogLevel::Warning, std::string("engines are timed one after another: ") + error.what());
  }
  for (Contender* contender : right) {
    try {
      time({contender}, timing);
    } catch (const Error& error) {
      leave(*contender, error);
    }
  }
}

/// A row an engine.
std::vector<BenchRow> measure(const DeviceCell& cell, const MachineLimits& limits,
                              const DeviceBenchOptions& options, const std::stop_token& stop) {
  std::vector<Contender> contenders;
  for (const Engine* engine : options.engines) {
    if (stop.stop_requested()) throw Cancelled();
    contenders.push_back(prepared(cell, *engine, limits));
  }
  timeRight(contenders, {.values = cell.values, .sustained = options.sustained});
  std::vector<BenchRow> rows;
  for (Contender& contender : contenders) {
    // What right rows were timed for may be wrong in others, or have gone wrong since.
    if (contender.pass != nullptr) judge(contender, cell, 1);
    if (contender.pass != nullptr) {
      contender.row.disposition = Disposition::Passed;
    } else {
      contender.row.times.clear();
    }
    rows.push_back(std::move(contender.row));
  }
  return rows;
}

}  // namespace

bool runsOnDevice(const Engine& engine) { return dynamic_cast<const DeviceEngine*>(&engine) != nullptr; }

Support deviceBenchAvailable() { return cuda::deviceState(); }

void measureDevice(BenchReport& report) {
  const cuda::CurrentDevice here;
  cuda::describeInto(report.environment);
  report.limits = {cuda::measureLimits()};
}

void runDeviceBench(BenchReport& report, const std::vector<DeviceCell>& cells,
                    const DeviceBenchOptions& options, std::stop_token stop) {
  const cuda::CurrentDevice here;
  const double all = static_cast<double>(cells.size() * options.engines.size());
  double done = 0;
  for (const DeviceCell& cell : cells) {
    for (BenchRow& row : measure(cell, report.limits.front(), options, stop)) {
      report.rows.push_back(std::move(row));
      done += 1;
      if (options.progress) options.progress(report.rows.back(), done / all);
    }
    if (const Support state = cuda::deviceState(); !state) throw Error(ErrorCode::Device, state.reason);
  }
}

}  // namespace bankside

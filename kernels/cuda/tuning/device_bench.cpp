#include "kernels/cuda/tuning/device_bench.h"

#include "core/bench/bench_grid.h"
#include "core/error.h"
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

void leave(BenchRow& row, Disposition disposition, const std::string& reason) {
  row.disposition = disposition;
  row.reason = reason;
}

/// Times of one of the images of a launch.
Timings eachOf(int images, Timings times) {
  for (auto& [phase, time] : times)
    for (double Interval::*part : {&Interval::median, &Interval::low, &Interval::high})
      time.interval.*part /= images;
  return times;
}

BenchRow measure(const DeviceCell& cell, const Engine& engine, const MachineLimits& limits,
                 const DeviceBenchOptions& options) {
  ConvolutionProblem problem = cell.problem;
  Support support = engine.available();
  if (support) support = adoptBorder(engine, problem);
  BenchRow row = makeDeviceRow(problem, nonZeroFlops(problem, cell.bank), engine.name(), limits);
  row.bank = cell.bankName;
  row.images = cell.images;
  row.values = cell.values;
  row.command = "bankside bench device " + format(problem) + " --engines " + engine.name();
  if (cell.values != "uniform") row.command += " --values " + cell.values;
  if (cell.images > 1) row.command += " --images " + std::to_string(cell.images);
  const auto* onDevice = dynamic_cast<const DeviceEngine*>(&engine);
  if (support && onDevice == nullptr) support = Support::no("it has no pass on the device");
  if (!support) {
    leave(row, Disposition::Unsupported, support.reason);
    return row;
  }
  try {
    const auto pass = onDevice->prepareBatch(problem, cell.bank, cell.images);
    row.plans = {{.shape = pass->variant()}};
    std::string wrong = cuda::judgePass(*pass, problem, cell.bank, cell.values);
    Timings times;
    if (wrong.empty()) {
      times = eachOf(cell.images,
                     cuda::timePass(*pass, problem, {.values = cell.values, .sustained = options.sustained}));
      // What right rows were timed for may be wrong in others, or have gone wrong since.
      wrong = cuda::judgePass(*pass, problem, cell.bank, cell.values, 1);
    }
    if (!wrong.empty()) {
      leave(row, Disposition::Incorrect, wrong);
      return row;
    }
    row.times = std::move(times);
    row.disposition = Disposition::Passed;
  } catch (const Error& error) {
    leave(row, error.code() == ErrorCode::Unsupported ? Disposition::Unsupported : Disposition::Failed,
          error.what());
  }
  return row;
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
    for (const Engine* engine : options.engines) {
      if (stop.stop_requested()) throw Cancelled();
      report.rows.push_back(measure(cell, *engine, report.limits.front(), options));
      done += 1;
      if (options.progress) options.progress(report.rows.back(), done / all);
      if (const Support state = cuda::deviceState(); !state) throw Error(ErrorCode::Device, state.reason);
    }
  }
}

}  // namespace bankside

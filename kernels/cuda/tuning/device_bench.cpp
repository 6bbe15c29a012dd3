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
  for (const auto kind : allBorderKinds) {
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
  const DeviceEngine* engine;  ///< null: it refuses
  ConvolutionProblem problem;
  BenchRow row;
  std::unique_ptr<DevicePass> pass = nullptr;
  bool alone = false;  ///< there was not memory enough for it beside others, or one of them failed
};

void leave(Contender& contender, Disposition disposition, const std::string& reason) {
  contender.row.disposition = disposition;
  contender.row.reason = reason;
  contender.row.times.clear();
  contender.pass = nullptr;
}

void leave(Contender& contender, const Error& error) {
  leave(contender, error.code() == ErrorCode::Unsupported ? Disposition::Unsupported : Disposition::Failed,
        error.what());
}

/// Its row, with the reason if the engine refuses the cell.
Contender asked(const DeviceCell& cell, const Engine& engine, const MachineLimits& limits) {
  ConvolutionProblem problem = cell.problem;
  Support support = engine.available();
  if (support) support = adoptBorder(engine, problem);
  Contender contender{dynamic_cast<const DeviceEngine*>(&engine), problem,
                      makeDeviceRow(problem, nonZeroFlops(problem, cell.bank), engine.name(), limits)};
  BenchRow& row = contender.row;
  row.bank = cell.bankName;
  row.images = cell.images;
  row.values = cell.values;
  row.command = "bankside bench device " + format(problem) + " --engines " + engine.name();
  if (cell.values != "uniform") row.command += " --values " + cell.values;
  if (cell.images > 1) row.command += " --images " + std::to_string(cell.images);
  if (support && contender.engine == nullptr) support = Support::no("it has no pass on the device");
  if (support) return contender;
  leave(contender, Disposition::Unsupported, support.reason);
  contender.engine = nullptr;
  return contender;
}

/// `time`: which rows of the problem (see `judgePass`).
void judge(Contender& contender, const DeviceCell& cell, int time) {
  const std::string wrong = cuda::judgePass(*contender.pass, contender.problem, cell.bank, cell.values, time);
  if (!wrong.empty()) leave(contender, Disposition::Incorrect, wrong);
}

void prepare(Contender& contender, const DeviceCell& cell) {
  contender.pass = contender.engine->prepareBatch(contender.problem, cell.bank, cell.images);
  contender.row.plans = {{.shape = contender.pass->variant()}};
  judge(contender, cell, 0);
}

/// Times what is right, and judges it again: what right rows were timed for may be wrong in others, or have
/// gone wrong since.
void time(const std::vector<Contender*>& right, const DeviceCell& cell, const cuda::PassTiming& timing) {
  std::vector<cuda::TimedPass> passes;
  for (const Contender* contender : right) passes.push_back({contender->pass.get(), &contender->problem});
  std::vector<Timings> times = cuda::timePasses(passes, timing);
  for (std::size_t i = 0; i < times.size(); ++i) {
    right[i]->row.times = eachOf(cell.images, std::move(times[i]));
    right[i]->row.reason.clear();
    right[i]->row.disposition = Disposition::Passed;
    judge(*right[i], cell, 1);
    right[i]->pass = nullptr;
  }
}

/// In rounds that all share. What there is no memory for beside the others, and all if one fails, is left to
/// `timeAlone`.
void timeTogether(std::vector<Contender>& contenders, const DeviceCell& cell,
                  const cuda::PassTiming& timing) {
  std::vector<Contender*> right;
  for (Contender& contender : contenders) {
    if (timing.stop.stop_requested()) throw Cancelled();
    if (contender.engine == nullptr) continue;
    try {
      prepare(contender, cell);
    } catch (const Error& error) {
      contender.alone = error.code() == ErrorCode::Limit && contenders.size() > 1;
      leave(contender, error);
    }
    if (contender.pass != nullptr) right.push_back(&contender);
  }
  if (right.empty()) return;
  try {
    time(right, cell, timing);
  } catch (const Error& error) {
    if (right.size() > 1)
      log(LogLevel::Warning, std::string("engines are timed one after another: ") + error.what());
    for (Contender* contender : right) {
      contender->alone = right.size() > 1 && cuda::deviceState();
      leave(*contender, error);
    }
  }
}

void timeAlone(Contender& contender, const DeviceCell& cell, const cuda::PassTiming& timing) try {
  cuda::releaseBuffers();
  prepare(contender, cell);
  if (contender.pass != nullptr) time({&contender}, cell, timing);
} catch (const Error& error) {
  leave(contender, error);
}

/// A row an engine.
std::vector<BenchRow> measure(const DeviceCell& cell, const MachineLimits& limits,
                              const DeviceBenchOptions& options, const std::stop_token& stop) {
  const cuda::PassTiming timing{.values = cell.values, .stop = stop, .sustained = options.sustained};
  std::vector<Contender> contenders;
  for (const Engine* engine : options.engines) contenders.push_back(asked(cell, *engine, limits));
  timeTogether(contenders, cell, timing);
  std::vector<BenchRow> rows;
  for (Contender& contender : contenders) {
    if (contender.alone) timeAlone(contender, cell, timing);
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

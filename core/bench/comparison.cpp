#include "core/bench/comparison.h"

#include <algorithm>
#include <memory>

#include "core/error.h"
#include "core/judge/exact_rows.h"
#include "core/stopwatch.h"

namespace bankside {
namespace {

/// One contender while the comparison runs.
struct Lane {
  Contender contender;
  BenchRow row;
  std::unique_ptr<Runner> runner;  ///< none once it is out of the race
};

RunOptions optionsFor(const ComparisonOptions& comparison, int threads, bool verify, ExactRows* exact) {
  RunOptions options = comparison.run;
  options.plan.threads = threads;
  options.verifyReference = verify;
  options.judgeThreads = 0;
  options.exact = exact;
  options.memoryBudget = std::int64_t{1} << 40;  // timed in one piece
  return options;
}

ChooseEngine only(const Engine& engine) {
  return [&engine](const ConvolutionProblem& problem) -> const Engine& {
    if (const Support support = engine.available(); !support)
      throw Error(ErrorCode::Unsupported, support.reason);
    if (const Support support = engine.supports(problem); !support)
      throw Error(ErrorCode::Unsupported, support.reason);
    return engine;
  };
}

void leave(Lane& lane, Disposition disposition, const std::string& reason) {
  lane.runner = nullptr;
  lane.row.disposition = disposition;
  lane.row.reason = reason;
  lane.row.times.clear();
}

/// Runs `body`; an error takes the lane out of the race with its sentence.
template <class Body>
void guarded(Lane& lane, const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    leave(lane, error.code() == ErrorCode::Unsupported ? Disposition::Unsupported : Disposition::Failed,
          error.what());
  }
}

/// Verifies with a runner of its own, so that the judged run prepares and warms nothing that is timed later.
void verifyLane(Lane& lane, const Pipeline& pipeline, Source& source, const ComparisonOptions& options,
                ExactRows& exact, RunBuffers& buffers, std::stop_token stop) {
  Runner runner(pipeline, optionsFor(options, lane.contender.threads, options.run.verifyReference, &exact),
                only(*lane.contender.engine));
  if (options.run.verifyReference && options.run.verifyRows > 0 && options.run.verifyRows < source.height())
    lane.row.verifiedRows = options.run.verifyRows;
  runner.swapBuffers(buffers);
  const BankRun result = runner.run(
      source, [](int, const std::vector<Image>&) {}, std::move(stop));
  runner.swapBuffers(buffers);
  for (const StepReport& step : result.steps) {
    if (std::find(lane.row.plans.begin(), lane.row.plans.end(), step.plan) == lane.row.plans.end())
      lane.row.plans.push_back(step.plan);
    lane.row.directSums = lane.row.directSums && step.traits.directSums;
    if (!step.reference) continue;
    if (!lane.row.verification) {
      lane.row.verification = step.reference;
    } else {
      lane.row.verification->add(*step.reference);
    }
  }
  if (lane.row.verification) lane.row.maxAbsError = lane.row.verification->maxAbsError;
  if (!result.passed) leave(lane, Disposition::Incorrect, lane.row.verification->place());
}

/// The problems that the pipeline is over the source, each stage's before the next one's.
std::vector<ConvolutionProblem> problemsOf(const Pipeline& pipeline, const Source& source) {
  std::vector<ConvolutionProblem> problems;
  int channels = source.channels();
  ElementType type = source.type();
  for (const BankStage& stage : pipeline.stages) {
    const auto groups = groupBySize(stage.bank);
    const Combine fused = groups.size() == 1 ? stage.combine : Combine::None;
    for (const UniformGroup& group : groups)
      problems.push_back(makeProblem(group.bank, channels, source.height(), source.width(), type,
                                     ElementType::F32, pipeline.border, fused));
    const int seen = stage.bank.channels() == channels ? 1 : channels;
    channels = stage.combine == Combine::None ? seen * stage.bank.size() : seen;
    type = ElementType::F32;
  }
  return problems;
}

}  // namespace

void compareEngines(BenchReport& report, const Pipeline& asked, Source& source,
                    const std::vector<Contender>& contenders, const ComparisonOptions& options,
                    std::stop_token stop) {
  const auto say = [&](const std::string& what) {
    if (options.progress) options.progress(what);
  };
  Pipeline pipeline = asked;
  pipeline.responses = pipeline.stages.back().combine == Combine::None;
  Runner(pipeline, options.run, nullptr);  // throws where the stages do not go together
  for (ConvolutionProblem& problem : problemsOf(pipeline, source)) report.problems.push_back(problem);
  report.baseline = options.baseline;
  report.precision = options.run.plan.precision;

  // One set of result buffers for all: the same memory under every engine, and no more than one needs.
  RunBuffers buffers;
  // What is exact does not depend on who is judged; nothing of it is left while anything is timed.
  std::optional<ExactRows> exact(ExactRows::enough);
  std::vector<Lane> lanes;
  for (const Contender& contender : contenders) {
    Lane lane{contender, {}, nullptr};
    lane.row.engine = contender.engine->name();
    lane.row.baseline = lane.row.engine == options.baseline;
    lane.row.problem = report.problems.front();
    for (const ConvolutionProblem& problem : report.problems)
      lane.row.megapixelFilters += megapixelFilters(problem);
    lane.row.device = contender.engine->device();
    lane.row.description = contender.engine->description();
    lane.row.threads = contender.threads;
    lane.row.disposition = options.run.verifyReference ? Disposition::Passed : Disposition::NotVerified;
    lane.runner = std::make_unique<Runner>(pipeline, optionsFor(options, contender.threads, false, nullptr),
                                           only(*contender.engine));
    say("verifying " + lane.row.engine + ", " + std::to_string(contender.threads) + " thread(s)");
    guarded(lane, [&] { verifyLane(lane, pipeline, source, options, *exact, buffers, stop); });
    lanes.push_back(std::move(lane));
  }

  exact.reset();

  std::vector<std::function<void(int)>> turns;
  for (Lane& lane : lanes) {
    if (lane.runner == nullptr) continue;
    turns.push_back([&lane, &source, &buffers, &stop](int round) {
      if (lane.runner == nullptr) return;
      guarded(lane, [&] {
        lane.runner->swapBuffers(buffers);
        const auto start = Clock::now();
        const BankRun run = lane.runner->run(
            source, [](int, const std::vector<Image>&) {}, stop);
        const double endToEnd = secondsSince(start);
        lane.runner->swapBuffers(buffers);
        if (round < 0) {
          lane.row.prepareSeconds = endToEnd - run.times().total();
          return;
        }
        const auto keep = [&](Phase phase, double seconds) {
          lane.row.times[phase].samples.push_back(seconds);
        };
        keep(Phase::Whole, endToEnd);
        keep(Phase::Compute, run.times().compute);
        keep(Phase::Upload, run.times().upload);
        keep(Phase::Combine, run.combineSeconds);
        keep(Phase::Download, run.times().download);
      });
    });
  }
  say("measuring " + std::to_string(turns.size()) + " contenders in turn");
  if (!turns.empty()) interleave(turns, options.measure, stop);

  for (Lane& lane : lanes) {
    if (!lane.row.timed()) continue;
    for (auto& [phase, time] : lane.row.times) time = timingOf(std::move(time.samples));
    lane.row.rounds = static_cast<int>(lane.row.times.at(Phase::Whole).samples.size());
    for (const Lane& other : lanes) {
      if (!other.row.baseline || &other == &lane || !other.row.timed()) continue;
      if (other.row.threads != lane.row.threads) continue;
      lane.row.toBaseline =
          speedRatio(lane.row.times.at(Phase::Whole).samples, other.row.times.at(Phase::Whole).samples);
    }
  }
  for (Lane& lane : lanes) report.rows.push_back(std::move(lane.row));
  report.complete = true;
}

}  // namespace bankside

#include "core/run/runner.h"

#include <algorithm>

#include "core/error.h"
#include "core/judge/compare_chain.h"
#include "core/sample_rows.h"

namespace bankside {
namespace {

PassOptions lastOptions(const RunnerOptions& options) {
  return {options.border,    options.mode,    options.combine,
          options.responses, options.threads, options.precision};
}

void add(PhaseTimes& sum, const PhaseTimes& times) {
  sum.upload += times.upload;
  sum.compute += times.compute;
  sum.download += times.download;
}

void accumulate(std::optional<Verification>& sum, Verification v, int firstRow) {
  v.y += firstRow;
  if (sum) {
    sum->add(v);
  } else {
    sum = v;
  }
}

StepReport reportOf(const BankPass::Step& step, int stage, const Plan& plan) {
  StepReport report;
  report.stage = stage;
  report.problem = step.problem;
  report.engine = step.engine->name();
  report.device = step.engine->device();
  report.plan = plan.info();
  report.traits = plan.traits();
  return report;
}

}  // namespace

PhaseTimes BankRun::times() const {
  PhaseTimes sum{.compute = combineSeconds + activationSeconds};
  for (const StepReport& step : steps) add(sum, step.times);
  return sum;
}

/// What one run needs while it lasts.
struct Runner::Pass {
  Source& image;
  std::stop_token stop;
  std::optional<MapSource> maps;
  MapSource::Spare baselineSpare;  // before the maps, whose end fills it
  std::optional<MapSource> baselineMaps;
  std::vector<BankPass::Step> steps;
  std::optional<ExactMaps> exact;

  /// What the last bank sees.
  Source& seen() { return maps ? static_cast<Source&>(*maps) : image; }
};

Runner::Runner(FilterBank bank, RunnerOptions options, ChooseEngine choose)
    : options_(std::move(options)), last_(std::move(bank), lastOptions(options_), choose) {
  if (!options_.first) return;
  const FirstStage& first = *options_.first;
  if (first.combine == Combine::ArgMax) {
    throw Error(
        ErrorCode::BadInput,
        "argmax gives the number of a filter, which a second bank cannot filter; combine the first stage "
        "another way");
  }
  PassOptions pass{options_.border,  first.mode,        first.combine, first.combine == Combine::None,
                   options_.threads, options_.precision};
  first_.emplace(first.bank, pass, std::move(choose));
  if (options_.baseline != nullptr) {
    baselineFirst_.emplace(
        first.bank, pass,
        [baseline = options_.baseline](const ConvolutionProblem&) -> const Engine& { return *baseline; });
  }
  // With several planes of one channel there are that many times more maps, which only a run can tell.
  const int maps = first.combine == Combine::None ? first.bank.size() : 1;
  if (first.bank.channels() > 1 || last_.bank().channels() % maps != 0) requireFits(maps);
}

void Runner::requireFits(int maps) const {
  const int channels = last_.bank().channels();
  if (channels == 1 || channels == maps) return;
  throw Error(ErrorCode::BadInput, "the second bank sums over " + std::to_string(channels) +
                                       " channels and the first gives " + std::to_string(maps) +
                                       (maps == 1 ? " map" : " maps") + "; it takes filters of " +
                                       (maps == 1 ? "" : std::to_string(maps) + " channels, or of ") +
                                       "one channel, which are applied to every map");
}

std::vector<PlaneName> Runner::planes(int channels) const { return last_.names(seenChannels(channels)); }

std::vector<std::string> Runner::groupNames(const std::vector<std::string>& channelNames) const {
  if (!first_) return channelNames;
  const auto maps = first_->names(static_cast<int>(channelNames.size()));
  std::vector<std::string> names;
  for (const PlaneName& map : maps) {
    const bool several = maps.back().channel > 0;
    names.push_back((several ? channelNames[static_cast<std::size_t>(map.channel)] + "-" : "") + map.label);
  }
  return names;
}

BankRun Runner::run(Source& image, const Receive& receive, std::stop_token stop,
                    const std::optional<Region>& part) {
  const Region area = part.value_or(Region{0, 0, image.width(), image.height()});
  if (area.x < 0 || area.y < 0 || area.width < 1 || area.height < 1 || area.width > image.width() - area.x ||
      area.height > image.height() - area.y) {
    throw Error(ErrorCode::BadInput, "a part was asked for that does not lie in the image");
  }
  Pass pass{image, std::move(stop), {}, {}, {}, {}, {}};
  const std::int64_t budget = resultBudget();
  if (first_) {
    const Activation activation = options_.first->activation;
    pass.maps.emplace(*first_, activation, image, budget, buffers_.maps, pass.stop);
    requireFits(pass.maps->channels());
    if (baselineFirst_)
      pass.baselineMaps.emplace(*baselineFirst_, activation, image, budget, pass.baselineSpare, pass.stop);
  }
  pass.steps = last_.steps(pass.seen());
  last_.makePlans(pass.steps);

  const int width = area.width;
  const int height = area.height;
  const int channels = pass.seen().channels();
  const std::vector<ElementType> types = last_.planes(channels);
  std::int64_t bytesPerRow = 0;
  for (const ElementType type : types)
    bytesPerRow += static_cast<std::int64_t>(width) * static_cast<std::int64_t>(sizeOf(type));
  int bandRows = static_cast<int>(std::clamp<std::int64_t>(budget / bytesPerRow, 1, height));
  if (first_ && pass.maps->heldRows() < height) {
    // Several steps, and the next band, find the maps that a band has asked for.
    int reach = 1;
    for (const Filter& f : last_.bank().filters()) reach = std::max(reach, f.height);
    bandRows = std::clamp(pass.maps->heldRows() - reach + 1, 1, bandRows);
  }

  BankRun result;
  if (first_) {
    for (const BankPass::Step& step : pass.maps->steps())
      result.steps.push_back(reportOf(step, 1, *step.plan));
  }
  for (const BankPass::Step& step : pass.steps)
    result.steps.push_back(reportOf(step, first_ ? 2 : 1, *step.plan));
  if (first_ && options_.verifyReference)
    pass.exact.emplace(*first_, pass.maps->steps(), options_.first->activation, image,
                       options_.judgeThreads.value_or(options_.threads));
  result.bands = (height + bandRows - 1) / bandRows;
  for (int y = 0; y < height; y += bandRows) {
    const Region band{area.x, area.y + y, width, std::min(bandRows, height - y)};
    std::vector<Image>& buffers = buffers_.results;
    const bool reusable = buffers.size() == types.size() && buffers.front().height() == band.height &&
                          buffers.front().width() == width;
    if (!reusable) {
      buffers.clear();
      for (const ElementType type : types) buffers.emplace_back(1, band.height, width, type);
    }
    runBand(pass, band, result);
    const bool wrong = std::any_of(result.steps.begin(), result.steps.end(), [](const StepReport& step) {
      return step.reference && !step.reference->passed;
    });
    if (wrong) {
      result.passed = false;
      continue;
    }
    const auto hidden = static_cast<std::ptrdiff_t>(last_.hidden(channels));
    if (hidden == 0) {
      receive(y, buffers);
      continue;
    }
    std::vector<Image> given(std::make_move_iterator(buffers.begin() + hidden),
                             std::make_move_iterator(buffers.end()));
    receive(y, given);
    std::move(given.begin(), given.end(), buffers.begin() + hidden);
  }
  if (first_) {
    for (std::size_t i = 0; i < pass.maps->times().size(); ++i) result.steps[i].times = pass.maps->times()[i];
    result.combineSeconds += pass.maps->combineSeconds();
    result.activationSeconds = pass.maps->activationSeconds();
  }
  result.verified = options_.verifyReference;
  return result;
}

void Runner::runBand(Pass& pass, const Region& band, BankRun& result) {
  const std::size_t before = result.steps.size() - pass.steps.size();
  if (pass.maps) pass.maps->fill();
  for (std::size_t i = 0; i < pass.steps.size(); ++i) {
    const BankPass::Step& step = pass.steps[i];
    StepReport& report = result.steps[before + i];
    // Maps that were computed because the plan asked for their rows are the first stage's time.
    const double mapsBefore = pass.maps ? pass.maps->seconds() : 0;
    PhaseTimes times = BankPass::run(step, pass.seen(), band, buffers_.results, pass.stop);
    if (pass.maps) times.upload = std::max(0.0, times.upload - (pass.maps->seconds() - mapsBefore));
    add(report.times, times);
    if (options_.verifyReference || options_.baseline != nullptr) judgeStep(pass, i, band, report);
  }
  result.combineSeconds += last_.combine(pass.seen().channels(), band.height, buffers_.results);
}

void Runner::judgeStep(Pass& pass, std::size_t number, const Region& band, StepReport& report) {
  const BankPass::Step& step = pass.steps[number];
  std::vector<Image> mine;
  for (const int b : step.planes) mine.push_back(std::move(buffers_.results[static_cast<std::size_t>(b)]));
  if (options_.verifyReference) {
    const int threads = options_.judgeThreads.value_or(options_.threads);
    const std::vector<int> rows = sampleRows(band.height, options_.verifyRows, hash(step.problem));
    const Verification v =
        first_ ? verifyOverMaps(step.problem, *step.bank, *pass.exact, band, mine, step.plan->errorBound(),
                                rows, threads, pass.stop)
               : verifyRows(step.problem, *step.bank, pass.image, band, mine, step.plan->errorBound(), rows,
                            threads, pass.stop, options_.exact);
    accumulate(report.reference, v, band.y);
  }
  if (options_.baseline != nullptr) compareStep(pass, step, band, mine, report);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    buffers_.results[static_cast<std::size_t>(step.planes[i])] = std::move(mine[i]);
  }
}

void Runner::compareStep(Pass& pass, const BankPass::Step& step, const Region& band,
                         const std::vector<Image>& mine, StepReport& report) {
  Support support = options_.baseline->supports(step.problem);
  if (first_) {
    for (const BankPass::Step& before : pass.maps->firstSteps()) {
      if (support) support = options_.baseline->supports(before.problem);
    }
  }
  if (!support) {
    report.baselineReason = support.reason;
    return;
  }
  const auto plan = options_.baseline->prepare(step.problem, *step.bank, {options_.threads});
  ImageSink other(step.problem, band);
  if (first_) pass.baselineMaps->fill();
  plan->run(first_ ? static_cast<Source&>(*pass.baselineMaps) : pass.image, other, band, pass.stop);
  accumulate(report.baseline, difference(mine, other.images()), band.y);
  report.baselineReason = toString(plan->info());
}

}  // namespace bankside

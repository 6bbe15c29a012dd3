#include "core/run/runner.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "core/judge/compare_chain.h"
#include "core/run/band_giver.h"
#include "core/sample_rows.h"
#include "core/stopwatch.h"
#include "core/text.h"

namespace bankside {
namespace {

void accumulate(std::optional<Verification>& sum, Verification v, int firstRow) {
  v.y += firstRow;
  add(sum, v);
}

}  // namespace

/// What one run needs while it lasts.
struct Runner::Pass {
  Source& image;
  std::vector<Image>& results;
  std::stop_token stop;
  std::deque<MapSource> maps;                   // of every stage but the last, each over the one before
  std::vector<MapSource::Spare> baselineSpare;  // before the maps, whose end fills it
  std::deque<MapSource> baselineMaps;
  std::vector<BankPass::Step> steps;  // of the last stage
  std::deque<ExactMaps> exact;        // as maps

  MapSource* lastMaps() { return maps.empty() ? nullptr : &maps.back(); }
  /// What the last stage sees.
  Source& seen() { return maps.empty() ? image : static_cast<Source&>(maps.back()); }
};

Runner::Runner(Pipeline pipeline, RunOptions options, ChooseEngine choose) : options_(options) {
  const std::size_t count = pipeline.stages.size();
  if (count == 0) throw Error(ErrorCode::BadInput, "a pipeline needs a stage");
  const Engine* baseline = options_.baseline;
  const auto byBaseline = [baseline](const ConvolutionProblem&) -> const Engine& { return *baseline; };
  for (std::size_t i = 0; i < count; ++i) {
    BankStage& stage = pipeline.stages[i];
    const bool isLast = i + 1 == count;
    if (!isLast && stage.combine == Combine::ArgMax) {
      throw Error(ErrorCode::BadInput, "argmax gives the number of a filter, which a " + ordinal(i + 2) +
                                           " bank cannot filter; combine the " + ordinal(i + 1) +
                                           " stage another way");
    }
    if (isLast && stage.activation != Activation::None)
      throw Error(ErrorCode::BadInput, "an activation stands between two stages, not after the last");
    const bool responses = isLast && pipeline.responses;
    if (baseline != nullptr)
      baseline_.emplace_back(stage, pipeline.border, responses, options_.plan, byBaseline);
    passes_.emplace_back(std::move(stage), pipeline.border, responses, options_.plan, choose);
  }
  requireFit();
}

Runner::Runner(MapProgram program, RunOptions options, ChooseEngine choose) : options_(options) {
  if (options_.baseline != nullptr) options_.memoryBudget /= 2;  // the maps of both are there at once
  if (const Engine* baseline = options_.baseline)
    baselineMaps_.emplace(program, options_,
                          [baseline](const ConvolutionProblem&) -> const Engine& { return *baseline; });
  maps_.emplace(std::move(program), options_, std::move(choose));
}

/// What can be told without an image: with several planes under a bank of one channel there are that many
/// times more maps.
void Runner::requireFit() const {
  int maps = 1;
  bool all = false;
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    const int channels = passes_[i].bank().channels();
    if (i > 0 && (all || channels % maps != 0)) requireFits(i, maps);
    all = all || channels > 1;
    if (channels > 1) maps = 1;
    if (passes_[i].stage().combine == Combine::None) maps *= passes_[i].bank().size();
  }
}

void Runner::requireFits(std::size_t stage, int maps) const {
  const int channels = passes_[stage].bank().channels();
  if (channels == 1 || channels == maps) return;
  throw Error(ErrorCode::BadInput, "the " + ordinal(stage + 1) + " bank sums over " +
                                       std::to_string(channels) + " channels and the " + ordinal(stage) +
                                       " gives " + std::to_string(maps) + (maps == 1 ? " map" : " maps") +
                                       "; it takes filters of " +
                                       (maps == 1 ? "" : std::to_string(maps) + " channels, or of ") +
                                       "one channel, which are applied to every map");
}

int Runner::seenChannels(int channels) const {
  if (maps_) return channels;
  for (std::size_t i = 0; i + 1 < passes_.size(); ++i)
    channels = static_cast<int>(passes_[i].names(channels).size());
  return channels;
}

std::vector<PlaneName> Runner::planes(int channels) const {
  if (!maps_) return last().names(seenChannels(channels));
  std::vector<PlaneName> planes;
  for (const MapName& name : maps_->names(channels)) planes.push_back({0, name.label});
  return planes;
}

std::vector<std::string> Runner::groupNames(const std::vector<std::string>& channelNames) const {
  if (maps_) return {"maps"};
  std::vector<std::string> seen = channelNames;
  for (std::size_t i = 0; i + 1 < passes_.size(); ++i) {
    const auto maps = passes_[i].names(static_cast<int>(seen.size()));
    const bool several = maps.back().channel > 0;
    std::vector<std::string> names;
    for (const PlaneName& map : maps)
      names.push_back((several ? seen[static_cast<std::size_t>(map.channel)] + "-" : "") + map.label);
    seen = std::move(names);
  }
  return seen;
}

void Runner::addMaps(std::deque<MapSource>& maps, std::vector<BankPass>& passes,
                     std::vector<MapSource::Spare>& spare, const Pass& pass) const {
  const std::int64_t budget = resultBudget();
  for (std::size_t i = 0; i + 1 < passes.size(); ++i) {
    if (i == 0) {
      maps.emplace_back(passes[i], pass.image, passes[i + 1].bank(), budget, spare[i], pass.stop);
    } else {
      maps.emplace_back(passes[i], maps.back(), passes[i + 1].bank(), budget, spare[i], pass.stop);
    }
    requireFits(i + 1, maps.back().channels());
  }
}

int Runner::bandRows(const Pass& pass, const Region& area, const std::vector<ElementType>& types) const {
  std::int64_t bytesPerRow = 0;
  for (const ElementType type : types)
    bytesPerRow += static_cast<std::int64_t>(area.width) * static_cast<std::int64_t>(sizeOf(type));
  // While one band is given away, the next one is there too.
  const bool whole = bytesPerRow * area.height <= resultBudget();
  const std::int64_t budget = resultBudget() / (options_.writeBehind && !whole ? 2 : 1);
  const int rows = static_cast<int>(std::clamp<std::int64_t>(budget / bytesPerRow, 1, area.height));
  return pass.maps.empty() ? rows : rowsWithin(pass.maps.back(), last().bank(), rows);
}

BankRun Runner::run(Source& image, const Receive& receive, std::stop_token stop,
                    const std::optional<Region>& part, const Image& field) {
  const Region area = part.value_or(Region{0, 0, image.width(), image.height()});
  if (area.x < 0 || area.y < 0 || area.width < 1 || area.height < 1 || area.width > image.width() - area.x ||
      area.height > image.height() - area.y) {
    throw Error(ErrorCode::BadInput, "a part was asked for that does not lie in the image");
  }
  return run(image, field, receive, buffers_, stop, area);
}

BankRun Runner::run(Source& image, const Image& field, const Receive& receive, RunBuffers& own,
                    const std::stop_token& stop, const Region& area) {
  if (maps_) return runMaps(image, field, receive, own, stop, area);
  Pass pass{image, own.results, stop, {}, std::vector<MapSource::Spare>(passes_.size()), {}, {}, {}};
  own.maps.resize(passes_.size());
  addMaps(pass.maps, passes_, own.maps, pass);
  if (options_.baseline != nullptr) addMaps(pass.baselineMaps, baseline_, pass.baselineSpare, pass);
  pass.steps = last().steps(pass.seen());
  last().makePlans(pass.steps);
  const int judgeThreads = options_.judgeThreads.value_or(options_.plan.threads);

  BankRun result;
  for (std::size_t i = 0; i < pass.maps.size(); ++i) {
    MapSource& maps = pass.maps[i];
    for (const BankPass::Step& step : maps.steps())
      result.steps.push_back(reportOf(step, static_cast<int>(i + 1)));
    if (!options_.verifyReference) continue;
    if (i == 0) {
      pass.exact.emplace_back(maps.stage(), maps.steps(), image, judgeThreads);
    } else {
      pass.exact.emplace_back(maps.stage(), maps.steps(), pass.exact.back(), judgeThreads);
    }
  }
  for (const BankPass::Step& step : pass.steps)
    result.steps.push_back(reportOf(step, static_cast<int>(passes_.size())));

  const int channels = pass.seen().channels();
  const std::vector<ElementType> types = last().planes(channels);
  const int rows = bandRows(pass, area, types);
  result.bands = (area.height + rows - 1) / rows;
  BandGiver giver(receive, options_.writeBehind && result.bands > 1 && options_.plan.threads != 1);
  for (int y = 0; y < area.height; y += rows) {
    const Region band{area.x, area.y + y, area.width, std::min(rows, area.height - y)};
    std::vector<Image>& buffers = own.results;
    const bool reusable = buffers.size() == types.size() && buffers.front().height() == band.height &&
                          buffers.front().width() == band.width;
    if (!reusable) {
      buffers.clear();
      for (const ElementType type : types) buffers.emplace_back(1, band.height, band.width, type);
    }
    runBand(pass, band, result);
    const bool wrong = std::any_of(result.steps.begin(), result.steps.end(), [](const StepReport& step) {
      return step.reference && !step.reference->passed;
    });
    if (wrong) {
      result.passed = false;
    } else {
      giver.give(y, own.results, last().hidden(channels));
    }
  }
  giver.finish();
  std::size_t step = 0;
  for (MapSource& maps : pass.maps) {
    for (std::size_t i = 0; i < maps.steps().size(); ++i, ++step) {
      result.steps[step].times = maps.times()[i];
      noteEngine(result.steps[step], maps.steps()[i]);
    }
    result.combineSeconds += maps.combineSeconds();
    result.activationSeconds += maps.activationSeconds();
  }
  for (const BankPass::Step& last : pass.steps) noteEngine(result.steps[step++], last);
  result.verified = options_.verifyReference;
  return result;
}

/// With what the baseline's banks make of the same steps, where it takes all of them.
void Runner::compareMaps(Source& image, const Image& field, const Maps& mine, BankRun& run,
                         const std::stop_token& stop) {
  const SecondsInto judging(run.judgeSeconds);
  StepReport& report = run.steps.back();
  try {
    BankRun other;
    const MapResults theirs = baselineMaps_->run(image, field, other, stop);
    report.baseline = difference(mine.planes, theirs.maps.planes, stop);
    report.baselineReason = toString(other.steps.back().plan);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Unsupported) throw;
    report.baselineReason = error.what();
  }
}

BankRun Runner::runMaps(Source& image, const Image& field, const Receive& receive, RunBuffers& buffers,
                        const std::stop_token& stop, const Region& area) {
  BankRun result;
  MapResults made = maps_->run(image, field, result, stop);
  result.verified = options_.verifyReference;
  std::vector<Image>& planes = buffers.results;
  planes.clear();
  if (made.parts) {
    made.parts->give(area, partBytes(options_.memoryBudget), options_.plan.threads, stop, planes, receive,
                     result);
    return result;
  }
  if (baselineMaps_ && !result.steps.empty()) compareMaps(image, field, made.maps, result, stop);
  for (Image& map : made.maps.planes) {
    if (area.width == map.width() && area.height == map.height()) {
      planes.push_back(std::move(map));
      continue;
    }
    Image part(1, area.height, area.width, ElementType::F32);
    for (int y = 0; y < area.height; ++y)
      std::copy_n(map.view<float>(0).row(area.y + y) + area.x, area.width, part.view<float>(0).row(y));
    planes.push_back(std::move(part));
  }
  if (result.passed) receive(0, planes);
  return result;
}

MapResults Runner::runSteps(Source& image, BankRun& run, const std::stop_token& stop) {
  return maps_->run(image, {}, run, stop);
}

void Runner::runBand(Pass& pass, const Region& band, BankRun& result) {
  const std::size_t before = result.steps.size() - pass.steps.size();
  for (std::size_t i = 0; i < pass.steps.size(); ++i) {
    StepReport& report = result.steps[before + i];
    report.times += runStep(pass.steps[i], pass.seen(), pass.lastMaps(), band, pass.results, pass.stop);
    if (options_.verifyReference || options_.baseline != nullptr) judgeStep(pass, i, band, result);
  }
  result.combineSeconds += last().combine(pass.seen().channels(), band.height, pass.results);
}

void Runner::judgeStep(Pass& pass, std::size_t number, const Region& band, BankRun& run) {
  const SecondsInto judging(run.judgeSeconds);
  StepReport& report = run.steps[run.steps.size() - pass.steps.size() + number];
  const BankPass::Step& step = pass.steps[number];
  std::vector<Image> mine;
  for (const int b : step.planes) mine.push_back(std::move(pass.results[static_cast<std::size_t>(b)]));
  if (options_.verifyReference) {
    const int threads = options_.judgeThreads.value_or(options_.plan.threads);
    const std::vector<int> rows = sampleRows(band.height, options_.verifyRows, hash(step.problem));
    const ErrorBound bound = step.plan->errorBound();
    const Verification v = pass.exact.empty() ? verifyRows(step.problem, *step.bank, pass.image, band, mine,
                                                           bound, rows, threads, pass.stop, options_.exact)
                                              : verifyOverMaps(step.problem, *step.bank, pass.exact.back(),
                                                               band, mine, bound, rows, threads, pass.stop);
    accumulate(report.reference, v, band.y);
  }
  if (options_.baseline != nullptr) compareStep(pass, step, band, mine, report);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    pass.results[static_cast<std::size_t>(step.planes[i])] = std::move(mine[i]);
  }
}

void Runner::compareStep(Pass& pass, const BankPass::Step& step, const Region& band,
                         const std::vector<Image>& mine, StepReport& report) {
  Support support = options_.baseline->supports(step.problem);
  for (const MapSource& maps : pass.maps) {
    for (const BankPass::Step& before : maps.stepsAsTheyAre()) {
      if (support) support = options_.baseline->supports(before.problem);
    }
  }
  if (!support) {
    report.baselineReason = support.reason;
    return;
  }
  const auto plan = options_.baseline->prepare(step.problem, *step.bank, {options_.plan.threads});
  ImageSink other(step.problem, band);
  if (pass.baselineMaps.empty()) {
    plan->run(pass.image, other, band, pass.stop);
  } else {
    pass.baselineMaps.back().hold(step.problem, band);
    plan->run(pass.baselineMaps.back(), other, band, pass.stop);
  }
  accumulate(report.baseline, difference(mine, other.images(), pass.stop), band.y);
  report.baselineReason = toString(plan->info());
}

}  // namespace bankside

#include "core/run/map_run.h"

#include <algorithm>

#include "core/judge/compare.h"
#include "core/maps/contrast.h"
#include "core/run/maps_source.h"
#include "core/sample_rows.h"
#include "core/stopwatch.h"

namespace bankside {
namespace {

constexpr std::size_t keptDeviceBanks = 64;

/// Maps of 0, in host memory.
PlacedMaps zerosLike(const PlacedMaps& made) {
  Maps zeros = Maps::make(made.extent(), made.names());
  for (std::size_t m = 0; m < zeros.size(); ++m) {
    const auto view = zeros.view(m);
    for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, 0.0f);
  }
  return PlacedMaps(std::move(zeros));
}

}  // namespace

MapRun::MapRun(const RunOptions& options, std::vector<PreparedStep>& steps,
               const std::vector<std::vector<MapName>>& operationNames, MapsOnDevice* device,
               std::mutex& alone, const MapEnds* ends, Source& image, const Image& field, BankRun& run,
               std::stop_token stop)
    : options_(options),
      steps_(steps),
      operationNames_(operationNames),
      device_(device),
      alone_(alone),
      ends_(ends),
      image_(image),
      run_(run),
      stop_(std::move(stop)),
      extent_{image.height(), image.width(), options.pixelsPerDegree},
      channels_(channelNames(image.channels())),
      team_(options.plan.threads),
      field_(field.empty() ? FieldOfView() : FieldOfView(field.clone())),
      context_{team_, stop_, field_, extent_, image.type()},
      made_(steps.size()),
      flat_(steps.size()) {
  if (device_ != nullptr) device_->maker->begin();
}

template <class Body>
auto MapRun::onHost(const Body& body, const std::function<void(double)>& note) const {
  const Clock::time_point start = Clock::now();
  auto made = body();
  note(secondsSince(start));
  return made;
}

template <class Body>
auto MapRun::onDevice(const Body& body, std::function<void(double)> note) {
  device_->maker->beginLap();
  auto made = body();
  device_->maker->endLap();
  laps_.push_back(std::move(note));
  return made;
}

std::function<void(double)> MapRun::noteOperation(int number, std::string does, const std::string& device) {
  run_.operationSteps.push_back({number + 1, std::move(does), device, 0});
  return [&run = run_, at = run_.operationSteps.size() - 1](double seconds) {
    run.operationSteps[at].seconds = seconds;
  };
}

PlacedMaps& MapRun::takes(int from) {
  if (from != MapStep::image) return made_[static_cast<std::size_t>(from)];
  if (!imageMaps_) imageMaps_.emplace(mapsOf(image_, channels_, extent_));
  return *imageMaps_;
}

const Maps& MapRun::host(PlacedMaps& maps) {
  if (maps.onHost()) return maps.maps();
  maps.maps() = Maps::make(maps.extent(), maps.names());
  onDevice([&] { return device_->maker->bring(maps.there(), maps.maps()), true; },
           [&run = run_](double seconds) { run.mapCopies.download += seconds; });
  return maps.maps();
}

const DeviceMaps& MapRun::there(PlacedMaps& maps) {
  if (!maps.onDevice())
    maps.there() = onDevice([&] { return device_->maker->put(maps.maps()); },
                            [&run = run_](double seconds) { run.mapCopies.upload += seconds; });
  return maps.there();
}

void MapRun::judgeBank(const BankPass::Step& step, const ErrorBound& bound, Source& seen,
                       std::vector<Image>& mine, StepReport& report) {
  const SecondsInto judging(run_.judgeSeconds);
  const Extent extent{seen.height(), seen.width()};
  report.reference =
      verifyRows(step.problem, *step.bank, seen, {0, 0, extent.width, extent.height}, mine, bound,
                 judgedRows(extent), options_.judgeThreads.value_or(options_.plan.threads), stop_);
  run_.passed = run_.passed && report.reference->passed;
}

template <class Body>
void MapRun::judge(const Body& body) {
  const SecondsInto judging(run_.judgeSeconds);
  const Verification v = body();
  add(run_.operations, v);
  run_.passed = run_.passed && v.passed;
}

std::vector<int> MapRun::judgedRows(const Extent& extent) const {
  return sampleRows(extent.height, options_.verifyRows, static_cast<std::uint64_t>(extent.width));
}

PlacedMaps MapRun::bankOnHost(PreparedStep& step, int number, Source& seen, const std::vector<MapName>& names,
                              double pixelsPerDegree) {
  Maps maps{{seen.height(), seen.width(), pixelsPerDegree}, bankNames(step, names), {}};
  for (BankPass& pass : step.passes) {
    std::unique_lock alone(alone_, std::defer_lock);
    if (!pass.sharesPlans(seen)) alone.lock();
    std::vector<BankPass::Step> steps = pass.steps(seen);
    pass.makePlans(steps);
    std::vector<Image> planes;
    for (const ElementType type : pass.planes(seen.channels()))
      planes.emplace_back(1, seen.height(), seen.width(), type);
    const Region all{0, 0, seen.width(), seen.height()};
    for (const BankPass::Step& s : steps) {
      StepReport report = reportOf(s, number + 1);
      report.times = BankPass::run(s, seen, all, planes, stop_);
      noteEngine(report, s);
      if (options_.verifyReference) {
        std::vector<Image> mine;
        for (const int p : s.planes) mine.push_back(std::move(planes[static_cast<std::size_t>(p)]));
        judgeBank(s, s.plan->errorBound(), seen, mine, report);
        for (std::size_t i = 0; i < mine.size(); ++i)
          planes[static_cast<std::size_t>(s.planes[i])] = std::move(mine[i]);
      }
      run_.steps.push_back(std::move(report));
    }
    run_.combineSeconds += pass.combine(seen.channels(), seen.height(), planes);
    for (std::size_t p = pass.hidden(seen.channels()); p < planes.size(); ++p)
      maps.planes.push_back(std::move(planes[p]));
  }
  return PlacedMaps(std::move(maps));
}

std::shared_ptr<DeviceBank> MapRun::prepared(const BankPass::Step& step, const std::string& place) {
  const std::string key = place + " " + step.engine->name() + " " + format(step.problem) + " " +
                          std::to_string(step.indices.front());
  const auto kept = device_->banks.find(key);
  if (kept != device_->banks.end()) return kept->second;
  if (device_->banks.size() >= keptDeviceBanks) device_->banks.clear();
  return device_->banks[key] = device_->maker->prepare(*step.engine, step.problem, *step.bank, options_.plan);
}

/// none: an engine of the bank computes elsewhere; nothing was started then.
std::optional<PlacedMaps> MapRun::bankOnDevice(PreparedStep& step, int number, PlacedMaps& seen) {
  const Extent& extent = seen.extent();
  const ShapeSource shape(static_cast<int>(seen.size()), extent.height, extent.width, ElementType::F32);
  std::vector<std::vector<DeviceStep>> passes;
  for (const BankPass& pass : step.passes) {
    passes.emplace_back();
    for (BankPass::Step& s : pass.steps(shape)) {
      auto bank = prepared(s, std::to_string(number) + "." + std::to_string(passes.size()));
      if (bank == nullptr) return std::nullopt;
      passes.back().push_back({std::move(s), std::move(bank)});
    }
  }
  DeviceMaps made;
  for (std::size_t p = 0; p < passes.size(); ++p) {
    for (auto& map : passOnDevice(step.passes[p], passes[p], number, seen)) made.push_back(std::move(map));
  }
  return PlacedMaps(extent, bankNames(step, seen.names()), std::move(made));
}

/// The planes that are given.
DeviceMaps MapRun::passOnDevice(const BankPass& pass, const std::vector<DeviceStep>& steps, int number,
                                PlacedMaps& seen) {
  const auto channels = static_cast<int>(seen.size());
  DeviceMaps planes(pass.planes(channels).size());
  for (const DeviceStep& s : steps) {
    StepReport report = reportOf(s.step, number + 1);
    report.engine = s.bank->engine();
    report.device = device_->maker->name();
    report.plan = s.bank->info();
    report.traits = s.bank->traits();
    const DeviceMaps& taken = there(seen);
    const DeviceMaps made = onDevice(
        [&] { return device_->maker->run(*s.bank, taken); },
        [&run = run_, at = run_.steps.size()](double seconds) { run.steps[at].times.compute = seconds; });
    if (options_.verifyReference) {
      Maps mine = Maps::make(seen.extent(), std::vector<MapName>(made.size()));
      device_->maker->bring(made, mine);
      MapsSource source(host(seen));
      judgeBank(s.step, s.bank->traits().errorBound, source, mine.planes, report);
    }
    run_.steps.push_back(std::move(report));
    for (std::size_t i = 0; i < made.size(); ++i)
      planes[static_cast<std::size_t>(s.step.planes[i])] = made[i];
  }
  const std::size_t hidden = pass.hidden(channels);
  const auto each = static_cast<std::size_t>(pass.bank().size());
  for (std::size_t g = 0; g * each < hidden; ++g) {
    const auto first = planes.begin() + static_cast<std::ptrdiff_t>(g * each);
    const DeviceMaps group(first, first + static_cast<std::ptrdiff_t>(each));
    planes[hidden + g] = onDevice([&] { return device_->maker->combine(pass.stage().combine, group); },
                                  [&run = run_, at = run_.steps.size() - 1](double seconds) {
                                    run.steps[at].times.compute += seconds;
                                  });
  }
  return {planes.begin() + static_cast<std::ptrdiff_t>(hidden), planes.end()};
}

PlacedMaps MapRun::runBank(PreparedStep& step, int number) {
  const int first = step.step.takes.front();
  // Over the image itself an engine sees pixels as they are stored.
  if (first == MapStep::image) return bankOnHost(step, number, image_, channels_, extent_.pixelsPerDegree);
  PlacedMaps& seen = takes(first);
  if (device_ != nullptr) {
    if (auto maps = bankOnDevice(step, number, seen)) return std::move(*maps);
  }
  MapsSource source(host(seen));
  return bankOnHost(step, number, source, seen.names(), seen.extent().pixelsPerDegree);
}

PlacedMaps MapRun::runOperation(const PreparedStep& step, int number) {
  const Operation& operation = *step.step.operation;
  std::optional<PlacedMaps> made;
  if (device_ != nullptr && device_->maker->has(operation)) {
    std::vector<DeviceMaps> taken;
    for (const int from : step.step.takes) taken.push_back(there(takes(from)));
    const Extent after = extentAfter(operation, takes(step.step.takes.front()).extent(), extent_);
    const std::size_t before = run_.operationSteps.size();
    auto maps = onDevice([&] { return device_->maker->operate(operation, taken, context_, after); },
                         noteOperation(number, format(operation), device_->maker->name()));
    if (maps) {
      made.emplace(after, operationNames_[static_cast<std::size_t>(number)], std::move(*maps));
    } else {  // it is the host's, and so is its place in the report
      run_.operationSteps.resize(before);
      laps_.back() = [](double) {};
    }
  }
  if (made && !options_.verifyReference) return std::move(*made);
  std::vector<const Maps*> taken;
  for (const int from : step.step.takes) taken.push_back(&host(takes(from)));
  if (!made)
    made.emplace(onHost([&] { return operation.entry->apply(operation, taken, context_); },
                        noteOperation(number, format(operation), hostDevice)));
  if (options_.verifyReference) {
    const Maps& mine = host(*made);
    judge([&] { return verifyOperation(operation, taken, context_, mine, judgedRows(made->extent())); });
  }
  return std::move(*made);
}

PlacedMaps MapRun::runCombine(const CombineOver& combine, PlacedMaps& from, int number) {
  std::optional<PlacedMaps> made;
  if (device_ != nullptr) {
    const std::vector<CombinedMaps> groups = combinedMaps(combine, from.names());
    const DeviceMaps& taken = there(from);
    made.emplace(from.extent(), namesOf(groups),
                 onDevice(
                     [&] {
                       DeviceMaps maps;
                       for (const CombinedMaps& group : groups) {
                         DeviceMaps some;
                         for (const std::size_t m : group.maps) some.push_back(taken[m]);
                         maps.push_back(device_->maker->combine(combine.combine, some));
                       }
                       return maps;
                     },
                     noteOperation(number, format(combine), device_->maker->name())));
  } else {
    made.emplace(onHost([&] { return combineOver(combine, host(from), context_); },
                        noteOperation(number, format(combine), hostDevice)));
  }
  if (options_.verifyReference) {
    const Maps& taken = host(from);
    const Maps& mine = host(*made);
    judge([&] { return verifyCombine(combine, taken, context_, mine, judgedRows(made->extent())); });
  }
  return std::move(*made);
}

bool MapRun::takesFlat(const MapStep& step) {
  return std::all_of(step.takes.begin(), step.takes.end(), [&](int from) {
    if (from != MapStep::image) return static_cast<bool>(flat_[static_cast<std::size_t>(from)]);
    if (step.bank) return false;  // it sees pixels as they are stored, of which no maps are made
    if (!imageIsFlat_) imageIsFlat_ = isFlat(takes(from).maps());
    return *imageIsFlat_;
  });
}

/// Found where the image has one value, or is filled around a field that has: everything after is rounding.
bool MapRun::isFlatAfter(const PreparedStep& step, bool taken, PlacedMaps& made) {
  const std::string operation = step.step.operation ? step.step.operation->entry->name : "";
  if (operation == "mask" && !field_.everything()) return false;
  // Beyond the frame there is another value.
  if (step.step.bank && step.passes.front().border().kind == BorderKind::Constant) return false;
  if (taken || operation != "fill" || field_.everything() || !imageMaps_) return taken;
  return mayBeFlat(imageMaps_->maps(), field_, made.extent(), step.step.operation->number("erode")) &&
         isFlat(host(made));
}

double MapRun::fieldDegrees() const {
  const auto mask = field_.mask().view<std::uint8_t>(0);
  int top = mask.height, bottom = -1, left = mask.width, right = -1;
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y) == 0) continue;
      top = std::min(top, y);
      bottom = y;
      left = std::min(left, x);
      right = std::max(right, x);
    }
  }
  const double down = static_cast<double>(bottom + 1 - top) / mask.height * extent_.height;
  const double across = static_cast<double>(right + 1 - left) / mask.width * extent_.width;
  return std::max(down, across) / extent_.pixelsPerDegree;
}

void MapRun::begin() {
  // What follows takes its size, by the extent that the operation gives.
  const auto last = static_cast<std::size_t>(ends_->resample);
  const Extent size = extentAfter(*steps_[last].step.operation, extent_, extent_);
  BegunMaps begun = beginInBands(image_, steps_, *ends_, size, options_.memoryBudget, context_, run_);
  made_[last] = PlacedMaps(std::move(begun.maps));
  imageMaps_.emplace(std::move(begun.under));
  std::fill_n(flat_.begin(), ends_->resample + 1, begun.flat);
}

std::unique_ptr<LastMaps> MapRun::lastMaps(Maps taken, std::vector<MapName> names) {
  return std::make_unique<LastMaps>(std::move(taken), std::move(field_), steps_, *ends_, std::move(names),
                                    context_, run_);
}

Maps MapRun::go() {
  const auto count = static_cast<int>(steps_.size());
  if (ends_ != nullptr) begin();
  for (int i = ends_ != nullptr ? ends_->resample + 1 : 0; i < (ends_ != nullptr ? ends_->restore : count);
       ++i) {
    PreparedStep& step = steps_[static_cast<std::size_t>(i)];
    PlacedMaps& maps = made_[static_cast<std::size_t>(i)];
    inStep(step.step, i, [&] {
      context_.flat = takesFlat(step.step);
      if (step.step.bank) maps = runBank(step, i);
      if (step.step.operation) maps = runOperation(step, i);
      // A bank has done its first one.
      for (std::size_t c = step.step.bank ? 1 : 0; c < step.step.combines.size(); ++c) {
        PlacedMaps& from = c == 0 && !step.step.operation ? takes(step.step.takes.front()) : maps;
        maps = runCombine(step.step.combines[c], from, i);
      }
      const bool flat = isFlatAfter(step, context_.flat, maps);
      flat_[static_cast<std::size_t>(i)] = flat;
      if (flat && step.step.bank && sumsToNothing(*step.step.bank)) maps = zerosLike(maps);
      nameAfter(step.step, i + 1 == count, maps.names());
    });
    if (stop_.stop_requested()) throw Cancelled();
    for (int k = 0; k < i; ++k) {
      if (steps_[static_cast<std::size_t>(k)].lastUse == i) made_[static_cast<std::size_t>(k)].drop();
    }
  }
  PlacedMaps& last = ends_ == nullptr
                         ? made_.back()
                         : made_[static_cast<std::size_t>(
                               steps_[static_cast<std::size_t>(ends_->restore)].step.takes.front())];
  host(last);
  run_.flat = std::find(flat_.begin(), flat_.end(), true) != flat_.end();
  run_.pixelsPerDegree = extent_.pixelsPerDegree;
  if (extent_.pixelsPerDegree > 0 && !field_.everything()) run_.fieldDegrees = fieldDegrees();
  if (device_ != nullptr) {
    const std::vector<double> seconds = device_->maker->laps();
    for (std::size_t i = 0; i < laps_.size(); ++i) laps_[i](seconds[i]);
  }
  return std::move(last.maps());
}

}  // namespace bankside

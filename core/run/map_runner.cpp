#include "core/run/map_runner.h"

#include <algorithm>

#include "core/error.h"
#include "core/judge/compare.h"
#include "core/maps/exact_operation.h"
#include "core/run/maps_source.h"
#include "core/sample_rows.h"
#include "core/stopwatch.h"
#include "core/text.h"

namespace bankside {
namespace {

std::string nameOf(const MapStep& step, int number) {
  return step.name.empty() ? ordinal(static_cast<std::size_t>(number) + 1) + " step"
                           : "\"" + step.name + "\"";
}

[[noreturn]] void refuse(const MapStep& step, int number, const std::string& sentence) {
  throw Error(ErrorCode::BadInput, nameOf(step, number) + ": " + sentence);
}

/// What `body` throws, with the step's name before it.
template <class Body>
decltype(auto) inStep(const MapStep& step, int number, const Body& body) {
  try {
    return body();
  } catch (const Error& e) {
    throw Error(e.code(), nameOf(step, number) + ": " + e.what());
  }
}

/// Of an image's channels: "channel0", "channel1" ...
std::vector<MapName> channelNames(int channels) {
  std::vector<MapName> names;
  for (int c = 0; c < channels; ++c) names.push_back({"channel" + std::to_string(c)});
  return names;
}

/// A single map has its step's name, several have it before their own; those of the last step, whose names
/// are their files', keep theirs.
void nameAfter(const MapStep& step, bool last, std::vector<MapName>& names) {
  if (step.name.empty()) return;
  if (names.size() == 1) {
    names.front().label = step.name;
  } else if (!last) {
    for (MapName& name : names) name.label = step.name + "-" + name.label;
  }
}

void judged(const Verification& v, BankRun& run) {
  add(run.operations, v);
  run.passed = run.passed && v.passed;
}

bool isChannelSum(const FilterBank& bank, std::size_t maps) {
  return static_cast<std::size_t>(bank.channels()) == maps;
}

}  // namespace

MapRunner::MapRunner(MapProgram program, RunOptions options, ChooseEngine choose) : options_(options) {
  if (program.steps.empty()) throw Error(ErrorCode::BadInput, "a recipe needs a step");
  const auto count = static_cast<int>(program.steps.size());
  steps_.resize(program.steps.size());
  for (int i = 0; i < count; ++i) {
    Step& step = steps_[static_cast<std::size_t>(i)];
    step.step = std::move(program.steps[static_cast<std::size_t>(i)]);
    const MapStep& s = step.step;
    const auto taken = static_cast<int>(s.takes.size());
    const int least = s.operation ? s.operation->entry->least : 1;
    const int most = s.operation ? s.operation->entry->most : 1;
    if (taken < least || taken > most) {
      refuse(s, i,
             "takes " + std::to_string(least) + (most > least ? " to " + std::to_string(most) : "") +
                 (most > 1 ? " earlier steps, not " : " earlier step, not ") + std::to_string(taken));
    }
    for (const int from : s.takes) {
      if (from >= i || from < MapStep::image) refuse(s, i, "takes a step that does not come before it");
      if (from >= 0) steps_[static_cast<std::size_t>(from)].lastUse = i;
    }
    if (!s.bank && !s.operation && s.combines.empty()) refuse(s, i, "does nothing");
    if (s.bank) addPasses(step, program.border, choose);
  }
  int fields = 0;
  for (int i = 0; i < count; ++i) {
    const MapStep& step = steps_[static_cast<std::size_t>(i)].step;
    if (step.operation && step.operation->entry->name == "field" && ++fields > 1)
      refuse(step, i, "the field of view was found before");
  }
  for (int i = 0; i + 1 < count; ++i) {
    if (steps_[static_cast<std::size_t>(i)].lastUse == 0)
      refuse(steps_[static_cast<std::size_t>(i)].step, i, "no step takes what it gives");
  }
}

void MapRunner::addPasses(Step& step, const Border& border, const ChooseEngine& choose) const {
  const FilterBank& bank = *step.step.bank;
  const bool combined = !step.step.combines.empty();
  std::vector<MapName> filters;
  for (const Filter& f : bank.filters()) filters.push_back({f.label, f.orientation, f.scale});
  const Combine combine = combined ? step.step.combines.front().combine : Combine::None;
  if (combined) step.groups = combinedMaps(step.step.combines.front(), filters);
  if (step.groups.size() < 2) {
    step.passes.emplace_back(BankStage{bank, combine}, border, false, options_.plan, choose);
    return;
  }
  for (const CombinedMaps& group : step.groups) {
    std::vector<Filter> some;
    for (const std::size_t f : group.maps) some.push_back(bank.filters()[f]);
    step.passes.emplace_back(BankStage{FilterBank(bank.info(), std::move(some)), combine}, border, false,
                             options_.plan, choose);
  }
}

/// After the first combine.
std::vector<MapName> MapRunner::bankNames(const Step& step, const std::vector<MapName>& seen) const {
  const FilterBank& bank = *step.step.bank;
  if (bank.channels() != 1 && !isChannelSum(bank, seen.size())) {
    throw Error(ErrorCode::BadInput, "the bank sums over " + std::to_string(bank.channels()) +
                                         " channels and takes " + std::to_string(seen.size()) +
                                         (seen.size() == 1 ? " map" : " maps"));
  }
  std::vector<MapName> own;
  if (step.groups.empty()) {
    for (const Filter& f : bank.filters()) own.push_back({f.label, f.orientation, f.scale});
  } else {
    own = namesOf(step.groups);
  }
  if (isChannelSum(bank, seen.size())) return own;
  Maps::requireFew(own.size() * seen.size());
  // Passes are run one after another, each over every map.
  std::vector<MapName> names;
  const auto add = [&](const MapName& before, const MapName& after) {
    names.push_back({before.label + "-" + after.label,
                     after.orientation ? after.orientation : before.orientation,
                     after.scale ? after.scale : before.scale});
  };
  if (step.passes.size() == 1) {
    for (const MapName& before : seen) {
      for (const MapName& after : own) add(before, after);
    }
  } else {
    for (const MapName& after : own) {
      for (const MapName& before : seen) add(before, after);
    }
  }
  return names;
}

/// Operations are tried on one pixel, which is 0: only names and numbers of maps are wanted.
std::vector<MapRunner::Tried> MapRunner::dryRun(int channels) const {
  const ThreadTeam team(1);
  FieldOfView field;
  const Extent pixel{1, 1, options_.pixelsPerDegree};
  OperationContext context{team, {}, field, pixel, ElementType::F32};
  const auto zeros = [](double pixelsPerDegree, std::vector<MapName> names) {
    Maps maps = Maps::make({1, 1, pixelsPerDegree}, std::move(names));
    for (std::size_t m = 0; m < maps.size(); ++m) maps.view(m).at(0, 0) = 0;
    return maps;
  };
  const Maps image = zeros(pixel.pixelsPerDegree, channelNames(channels));
  std::vector<Maps> made;
  std::vector<Tried> tried;
  for (int i = 0; i < static_cast<int>(steps_.size()); ++i) {
    const Step& step = steps_[static_cast<std::size_t>(i)];
    inStep(step.step, i, [&] {
      std::vector<const Maps*> taken;
      for (const int from : step.step.takes)
        taken.push_back(from == MapStep::image ? &image : &made[static_cast<std::size_t>(from)]);
      Maps maps = zeros(taken[0]->extent.pixelsPerDegree, taken[0]->names);
      std::size_t first = 0;
      std::size_t own = 0;
      if (step.step.bank) {
        maps = zeros(maps.extent.pixelsPerDegree, bankNames(step, taken[0]->names));
        first = 1;
        for (const BankPass& pass : step.passes)
          own = std::max(own, pass.hidden(static_cast<int>(taken[0]->size())));
        own += maps.size();
      } else if (step.step.operation) {
        const Extent after = extentAfter(*step.step.operation, taken[0]->extent, pixel);
        // What is resampled stays one pixel here, however many it would be.
        if (after == taken[0]->extent)
          maps = step.step.operation->entry->apply(*step.step.operation, taken, context);
        maps = zeros(after.pixelsPerDegree, maps.names);
        own = 2 * maps.size();  // `fill` has as many again while it works
      }
      for (std::size_t c = first; c < step.step.combines.size(); ++c) {
        const std::size_t before = maps.size();
        maps = combineOver(step.step.combines[c], maps, context);
        own = std::max(own, before + maps.size());
      }
      nameAfter(step.step, i + 1 == static_cast<int>(steps_.size()), maps.names);
      tried.push_back({maps.names, std::max(own, maps.size())});
      made.push_back(std::move(maps));
    });
    for (int k = 0; k < i; ++k) {
      if (steps_[static_cast<std::size_t>(k)].lastUse == i) made[static_cast<std::size_t>(k)].planes.clear();
    }
  }
  return tried;
}

std::vector<MapName> MapRunner::names(int channels) const { return dryRun(channels).back().names; }

int MapRunner::imageChannels() const {
  for (const Step& step : steps_) {
    if (step.step.bank && step.step.takes.front() == MapStep::image) return step.step.bank->channels();
  }
  return 1;
}

std::vector<Extent> MapRunner::extents(const Extent& image) const {
  std::vector<Extent> all;
  for (int i = 0; i < static_cast<int>(steps_.size()); ++i) {
    const MapStep& step = steps_[static_cast<std::size_t>(i)].step;
    const auto of = [&](int from) {
      return from == MapStep::image ? image : all[static_cast<std::size_t>(from)];
    };
    const Extent first = of(step.takes.front());
    for (const int from : step.takes) {
      if (of(from).height != first.height || of(from).width != first.width)
        refuse(step, i, "takes maps of different sizes; some are resampled");
    }
    all.push_back(step.operation ? extentAfter(*step.operation, first, image) : first);
  }
  const Extent& last = all.back();
  if (last.height != image.height || last.width != image.width) {
    throw Error(ErrorCode::BadInput, "the recipe ends with maps of " + std::to_string(last.width) + " x " +
                                         std::to_string(last.height) +
                                         " pixels and the image has another size; its last maps are to be "
                                         "restored");
  }
  return all;
}

bool MapRunner::sharesPlans(const Source& image) const {
  const std::vector<Tried> tried = dryRun(image.channels());
  const std::vector<Extent> sizes = extents({image.height(), image.width(), options_.pixelsPerDegree});
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const int from = steps_[i].step.takes.front();
    const auto taken = static_cast<std::size_t>(std::max(from, 0));
    const ShapeSource seen = from == MapStep::image
                                 ? ShapeSource(image)
                                 : ShapeSource(static_cast<int>(tried[taken].names.size()),
                                               sizes[taken].height, sizes[taken].width, ElementType::F32);
    for (const BankPass& pass : steps_[i].passes) {
      if (!pass.sharesPlans(seen)) return false;
    }
  }
  return true;
}

std::int64_t MapRunner::bytes(int channels, int height, int width) const {
  const std::vector<Tried> tried = dryRun(channels);
  const Extent image{height, width, options_.pixelsPerDegree};
  const std::vector<Extent> sizes = extents(image);
  const auto bytesOf = [](const Extent& extent, std::size_t maps) {
    return static_cast<std::int64_t>(maps) * extent.height * extent.width *
           static_cast<std::int64_t>(sizeof(float));
  };
  // What windows, statistics and the field hold while they work, in planes: distances, sums in double.
  constexpr std::size_t working = 12;
  std::int64_t held = bytesOf(image, static_cast<std::size_t>(channels));
  std::int64_t most = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    most = std::max(most, held + bytesOf(sizes[i], tried[i].mostMaps + working));
    held += bytesOf(sizes[i], tried[i].names.size());
    for (std::size_t k = 0; k < i; ++k) {
      if (steps_[k].lastUse == static_cast<int>(i)) held -= bytesOf(sizes[k], tried[k].names.size());
    }
  }
  return most;
}

void MapRunner::judgeBank(const BankPass::Step& step, Source& seen, std::vector<Image>& planes,
                          StepReport& report, BankRun& run, const std::stop_token& stop) const {
  std::vector<Image> mine;
  for (const int p : step.planes) mine.push_back(std::move(planes[static_cast<std::size_t>(p)]));
  const Extent extent{seen.height(), seen.width()};
  report.reference = verifyRows(step.problem, *step.bank, seen, {0, 0, extent.width, extent.height}, mine,
                                step.plan->errorBound(), judgedRows(extent),
                                options_.judgeThreads.value_or(options_.plan.threads), stop);
  run.passed = run.passed && report.reference->passed;
  for (std::size_t i = 0; i < mine.size(); ++i)
    planes[static_cast<std::size_t>(step.planes[i])] = std::move(mine[i]);
}

Maps MapRunner::runBank(Step& step, int number, Source& seen, const std::vector<MapName>& names,
                        double pixelsPerDegree, BankRun& run, const std::stop_token& stop) const {
  Maps maps{{seen.height(), seen.width(), pixelsPerDegree}, bankNames(step, names), {}};
  for (BankPass& pass : step.passes) {
    std::vector<BankPass::Step> steps = pass.steps(seen);
    pass.makePlans(steps);
    std::vector<Image> planes;
    for (const ElementType type : pass.planes(seen.channels()))
      planes.emplace_back(1, seen.height(), seen.width(), type);
    const Region all{0, 0, seen.width(), seen.height()};
    for (const BankPass::Step& s : steps) {
      StepReport report = reportOf(s, number + 1);
      report.times = BankPass::run(s, seen, all, planes, stop);
      noteEngine(report, s);
      if (options_.verifyReference) judgeBank(s, seen, planes, report, run, stop);
      run.steps.push_back(std::move(report));
    }
    run.combineSeconds += pass.combine(seen.channels(), seen.height(), planes);
    for (std::size_t p = pass.hidden(seen.channels()); p < planes.size(); ++p)
      maps.planes.push_back(std::move(planes[p]));
  }
  return maps;
}

Maps MapRunner::runOperation(const Operation& operation, const std::vector<const Maps*>& taken,
                             OperationContext& context, BankRun& run) const {
  const Clock::time_point start = Clock::now();
  Maps maps = operation.entry->apply(operation, taken, context);
  run.operationSeconds += secondsSince(start);
  if (options_.verifyReference)
    judged(verifyOperation(operation, taken, context, maps, judgedRows(maps.extent)), run);
  return maps;
}

Maps MapRunner::runCombine(const CombineOver& combine, const Maps& taken, const OperationContext& context,
                           BankRun& run) const {
  const Clock::time_point start = Clock::now();
  Maps maps = combineOver(combine, taken, context);
  run.operationSeconds += secondsSince(start);
  if (options_.verifyReference)
    judged(verifyCombine(combine, taken, context, maps, judgedRows(maps.extent)), run);
  return maps;
}

std::vector<int> MapRunner::judgedRows(const Extent& extent) const {
  return sampleRows(extent.height, options_.verifyRows, static_cast<std::uint64_t>(extent.width));
}

Maps MapRunner::run(Source& image, const Image& given, BankRun& run, const std::stop_token& stop) {
  const Extent extent{image.height(), image.width(), options_.pixelsPerDegree};
  if (!given.empty() && (given.height() != extent.height || given.width() != extent.width)) {
    throw Error(ErrorCode::BadInput, "the field of view that was given has " + std::to_string(given.width()) +
                                         " x " + std::to_string(given.height()) + " pixels, the image " +
                                         std::to_string(extent.width) + " x " +
                                         std::to_string(extent.height));
  }
  if (const std::int64_t needed = bytes(image.channels(), extent.height, extent.width);
      needed > options_.memoryBudget) {
    constexpr std::int64_t mega = 1 << 20;
    throw Error(ErrorCode::Limit, "the recipe's maps of an image of " + std::to_string(extent.width) + " x " +
                                      std::to_string(extent.height) + " take " +
                                      std::to_string(needed / mega + 1) + " MB at once, and " +
                                      std::to_string(options_.memoryBudget / mega) + " MB are allowed");
  }
  const ThreadTeam team(options_.plan.threads);
  FieldOfView field = given.empty() ? FieldOfView() : FieldOfView(given.clone());
  OperationContext context{team, stop, field, extent, image.type()};
  const std::vector<MapName> channels = channelNames(image.channels());
  std::optional<Maps> imageMaps;
  const auto asMaps = [&]() -> const Maps& {
    if (!imageMaps) imageMaps = mapsOf(image, channels, extent);
    return *imageMaps;
  };

  std::vector<Maps> made(steps_.size());
  for (int i = 0; i < static_cast<int>(steps_.size()); ++i) {
    Step& step = steps_[static_cast<std::size_t>(i)];
    const auto takes = [&](int from) -> const Maps& {
      return from == MapStep::image ? asMaps() : made[static_cast<std::size_t>(from)];
    };
    Maps& maps = made[static_cast<std::size_t>(i)];
    inStep(step.step, i, [&] {
      const int first = step.step.takes.front();
      if (step.step.bank && first == MapStep::image) {
        maps = runBank(step, i, image, channels, extent.pixelsPerDegree, run, stop);
      } else if (step.step.bank) {
        MapsSource source(takes(first));
        maps = runBank(step, i, source, takes(first).names, takes(first).extent.pixelsPerDegree, run, stop);
      }
      if (step.step.operation) {
        std::vector<const Maps*> taken;
        for (const int from : step.step.takes) taken.push_back(&takes(from));
        maps = runOperation(*step.step.operation, taken, context, run);
      }
      // A bank has done its first one.
      for (std::size_t c = step.step.bank ? 1 : 0; c < step.step.combines.size(); ++c) {
        const Maps& from = c == 0 && !step.step.operation ? takes(first) : maps;
        maps = runCombine(step.step.combines[c], from, context, run);
      }
      nameAfter(step.step, i + 1 == static_cast<int>(steps_.size()), maps.names);
    });
    if (stop.stop_requested()) throw Cancelled();
    for (int k = 0; k < i; ++k) {
      if (steps_[static_cast<std::size_t>(k)].lastUse == i) made[static_cast<std::size_t>(k)].planes.clear();
    }
  }
  return std::move(made.back());
}

}  // namespace bankside

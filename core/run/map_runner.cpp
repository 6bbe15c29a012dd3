#include "core/run/map_runner.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace bankside {
namespace {

[[noreturn]] void refuse(const MapStep& step, int number, const std::string& sentence) {
  throw Error(ErrorCode::BadInput, nameOf(step, number) + ": " + sentence);
}

/// A resampled map in which nothing of the image is seen is a wrong scale's.
void requireSome(const Extent& size, const Extent& image) {
  constexpr int least = 4;
  if (std::min(size.height, size.width) >= std::min({least, image.height, image.width})) return;
  throw Error(ErrorCode::BadInput, "an image of " + formatNumber(image.pixelsPerDegree) +
                                       " pixels per degree would be left with " + std::to_string(size.width) +
                                       " x " + std::to_string(size.height) + " of its " +
                                       std::to_string(image.width) + " x " + std::to_string(image.height) +
                                       " pixels; is the scale right?");
}

}  // namespace

MapRunner::MapRunner(MapProgram program, RunOptions options, ChooseEngine choose)
    : options_(options),
      places_(std::make_unique<MapPlaces>(options.mapDevices)),
      alone_(std::make_unique<std::mutex>()) {
  if (program.steps.empty()) throw Error(ErrorCode::BadInput, "a recipe needs a step");
  const auto count = static_cast<int>(program.steps.size());
  steps_.resize(program.steps.size());
  for (int i = 0; i < count; ++i) {
    PreparedStep& step = steps_[static_cast<std::size_t>(i)];
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
    if (s.bank) addPasses(step, program.border, options_.plan, choose);
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
    const PreparedStep& step = steps_[static_cast<std::size_t>(i)];
    inStep(step.step, i, [&] {
      std::vector<const Maps*> taken;
      for (const int from : step.step.takes)
        taken.push_back(from == MapStep::image ? &image : &made[static_cast<std::size_t>(from)]);
      Maps maps = zeros(taken[0]->extent.pixelsPerDegree, taken[0]->names);
      std::size_t first = 0;
      std::size_t own = 0;
      std::vector<MapName> operationNames;
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
        operationNames = maps.names;
        own = 2 * maps.size();  // `fill` has as many again while it works
      }
      for (std::size_t c = first; c < step.step.combines.size(); ++c) {
        const std::size_t before = maps.size();
        maps = combineOver(step.step.combines[c], maps, context);
        own = std::max(own, before + maps.size());
      }
      nameAfter(step.step, i + 1 == static_cast<int>(steps_.size()), maps.names);
      tried.push_back({maps.names, std::move(operationNames), std::max(own, maps.size())});
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
  for (const PreparedStep& step : steps_) {
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

ShapeSource MapRunner::seenBy(const MapStep& step, const std::vector<Tried>& tried,
                              const std::vector<Extent>& sizes, const Source& image) {
  const int from = step.takes.front();
  if (from == MapStep::image) return ShapeSource(image);
  const auto taken = static_cast<std::size_t>(from);
  return {static_cast<int>(tried[taken].names.size()), sizes[taken].height, sizes[taken].width,
          ElementType::F32};
}

bool MapRunner::takesSeveral(const Source& image) const {
  const std::vector<Tried> tried = dryRun(image.channels());
  const std::vector<Extent> sizes = extents({image.height(), image.width(), options_.pixelsPerDegree});
  if (const Engine* const engine = engineOnDevice(tried, sizes, image))
    return places_->devicesOf(*engine) > 1;
  for (const PreparedStep& step : steps_) {
    for (const BankPass& pass : step.passes) {
      if (!pass.sharesPlans(seenBy(step.step, tried, sizes, image))) return false;
    }
  }
  return true;
}

std::int64_t MapRunner::bytes(int channels, int height, int width) const {
  const Extent image{height, width, options_.pixelsPerDegree};
  return bytes(channels, image, dryRun(channels), extents(image));
}

std::int64_t MapRunner::bytes(int channels, const Extent& image, const std::vector<Tried>& tried,
                              const std::vector<Extent>& sizes, const MapEnds* ends) const {
  const auto bytesOf = [](const Extent& extent, std::size_t maps) {
    return static_cast<std::int64_t>(maps) * extent.height * extent.width *
           static_cast<std::int64_t>(sizeof(float));
  };
  // What windows, statistics and the field hold while they work, in planes: distances, sums in double.
  constexpr std::size_t working = 12;
  // At the ends there are bands alone; of the image, and where it is resampled, maps of the others' size.
  const std::size_t first = ends != nullptr ? static_cast<std::size_t>(ends->resample) : 0;
  std::int64_t held = bytesOf(ends != nullptr ? sizes[first] : image, static_cast<std::size_t>(channels));
  std::int64_t most = 0;
  for (std::size_t i = first; i < (ends != nullptr ? static_cast<std::size_t>(ends->restore) : steps_.size());
       ++i) {
    most = std::max(most, held + bytesOf(sizes[i], tried[i].mostMaps + working));
    held += bytesOf(sizes[i], tried[i].names.size());
    for (std::size_t k = 0; k < i; ++k) {
      if (steps_[k].lastUse == static_cast<int>(i)) held -= bytesOf(sizes[k], tried[k].names.size());
    }
  }
  return most;
}

const Engine* MapRunner::engineOnDevice(const std::vector<Tried>& tried, const std::vector<Extent>& sizes,
                                        const Source& image) const {
  for (const PreparedStep& step : steps_) {
    if (step.step.takes.front() == MapStep::image) continue;
    for (const BankPass& pass : step.passes) {
      for (const BankPass::Step& one : pass.steps(seenBy(step.step, tried, sizes, image))) {
        if (places_->devicesOf(*one.engine) > 0) return one.engine;
      }
    }
  }
  return nullptr;
}

MapResults MapRunner::run(Source& image, const Image& given, BankRun& run, const std::stop_token& stop) {
  const Extent extent{image.height(), image.width(), options_.pixelsPerDegree};
  if (!given.empty() && (given.height() != extent.height || given.width() != extent.width)) {
    throw Error(ErrorCode::BadInput, "the field of view that was given has " + std::to_string(given.width()) +
                                         " x " + std::to_string(given.height()) + " pixels, the image " +
                                         std::to_string(extent.width) + " x " +
                                         std::to_string(extent.height));
  }
  const std::vector<Tried> tried = dryRun(image.channels());
  const std::vector<Extent> sizes = extents(extent);
  for (const Extent& size : sizes) requireSome(size, extent);
  const std::int64_t whole = bytes(image.channels(), extent, tried, sizes);
  // Who judges looks at whole maps.
  const bool judged = options_.verifyReference || options_.baseline != nullptr;
  const std::optional<MapEnds> ends =
      whole > options_.memoryBudget && !judged ? endsOf(steps_, sizes, extent) : std::nullopt;
  const std::int64_t needed =
      ends ? bytes(image.channels(), extent, tried, sizes, &*ends) + partBytes(options_.memoryBudget) : whole;
  if (needed > options_.memoryBudget) {
    constexpr std::int64_t mega = 1 << 20;
    throw Error(ErrorCode::Limit,
                "the recipe's maps of an image of " + std::to_string(extent.width) + " x " +
                    std::to_string(extent.height) + " take " + std::to_string(needed / mega + 1) +
                    " MB at once, and " + std::to_string(options_.memoryBudget / mega) +
                    " MB are allowed; give the run more (--memory, part of which is for maps; in "
                    "Python memory=)");
  }
  std::vector<std::vector<MapName>> operationNames;
  for (const Tried& step : tried) operationNames.push_back(step.operationNames);
  const auto go = [&](MapsOnDevice* device, BankRun& of) {
    MapRun mapRun(options_, steps_, operationNames, device, *alone_, ends ? &*ends : nullptr, image, given,
                  of, stop);
    MapResults results{mapRun.go(), nullptr};
    if (ends) results.parts = mapRun.lastMaps(std::move(results.maps), tried.back().names);
    return results;
  };
  const Engine* const engine = engineOnDevice(tried, sizes, image);
  while (engine != nullptr) {
    MapPlaces::Place place = places_->take(*engine, needed, stop);
    if (!place) break;
    try {
      BankRun onDevice;
      MapResults results = go(&place.opened(), onDevice);
      run = std::move(onDevice);
      return results;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::Device && error.code() != ErrorCode::Limit) throw;
      if (!places_->failed(place, *engine, error, needed)) break;
    }
  }
  run.mapsInstead = places_->whyNot(needed);
  return go(nullptr, run);
}

}  // namespace bankside

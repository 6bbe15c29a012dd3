#include "gui/window/compute/last_maps.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/run/recipe_runner.h"
#include "core/text.h"
#include "gui/window/compute/gathering.h"

namespace bankside::window {
namespace {

/// Of the whole picture, or as coarser copies where that is not in memory.
std::vector<PlanePtr> planesOf(const LastMaps& maps, const RunSettings& settings, BankRun& run,
                               const std::stop_token& stop) {
  constexpr std::int64_t bandBytes = std::int64_t{64} << 20;
  const Extent& size = maps.extent();
  std::vector<std::size_t> all(maps.size());
  std::iota(all.begin(), all.end(), 0);
  Gathering gathered(*settings.picture, std::nullopt, all);
  std::vector<Image> band;
  maps.give(
      {0, 0, size.width, size.height}, bandBytes, settings.threads, stop, band,
      [&](int firstRow, const std::vector<Image>& planes) { gathered.add(firstRow, planes); }, run);
  std::vector<PlanePtr> planes;
  for (const std::size_t map : all) planes.push_back(gathered.take(map));
  return planes;
}

}  // namespace

MapParts::MapParts(const std::map<PlaneKey, PlaneResult>& known, const Region& area, int threads,
                   std::stop_token stop)
    : known_(known), area_(area), threads_(threads), stop_(std::move(stop)) {}

PlanePtr MapParts::part(const PlaneKey& key) {
  if (const auto there = planes_.find(key); there != planes_.end()) return there->second;
  PlanePtr& plane = planes_[key];
  if (key.layer == Layer::Difference) {
    const PlanePtr ours = part({Layer::Output, key.index});
    const PlanePtr theirs = part({Layer::OpenCv, key.index});
    return plane = ours && theirs ? differencePlane(*ours, *theirs) : nullptr;
  }
  const auto whole = known_.find(key);
  if (whole == known_.end() || !whole->second.parts) return nullptr;
  const LastMaps* const parts = whole->second.parts.get();
  if (!maps_.contains(parts)) {
    maps_[parts] = parts->part(area_, threads_, stop_);
    ++made_;
  }
  Image& map = maps_.at(parts).at(static_cast<std::size_t>(key.index));
  return plane = makePlane(std::make_shared<const Image>(std::move(map)), 0);
}

std::vector<PlaneResult> lastMaps(const RunSettings& settings, Source& source, Layer layer,
                                  const SelectEngine& select, const std::stop_token& stop) {
  const std::string asked = layer == Layer::OpenCv ? "opencv" : settings.recipe.engine;
  Recipe recipe = settings.recipe;
  recipe.verify = VerifyLevel::Off;
  Runner runner = makeRunner(recipe, settings.banks(), mapOptions(settings),
                             [&](const ConvolutionProblem& p) -> const Engine& { return select(asked, p); });
  BankRun run;
  MapResults made = runner.runSteps(source, run, stop);
  std::vector<PlanePtr> planes;
  if (made.parts) {
    planes = planesOf(*made.parts, settings, run, stop);
  } else {
    for (Image& map : made.maps.planes) {
      if (stop.stop_requested()) throw Cancelled();
      planes.push_back(makePlane(std::make_shared<const Image>(std::move(map)), 0));
    }
  }
  const std::shared_ptr<const LastMaps> parts =
      settings.picture->finest > 0 ? std::move(made.parts) : nullptr;
  std::vector<std::string> paths;
  for (const StepReport& step : run.steps) {
    const std::string path = pathName(step.engine, step.plan);
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  std::vector<PlaneResult> results;
  for (PlanePtr& plane : planes) {
    results.push_back({.key = {layer, static_cast<int>(results.size())},
                       .plane = std::move(plane),
                       .error = {},
                       .engine = joinWords(paths),
                       .variant = run.steps.empty() ? std::string() : toString(run.steps.back().plan),
                       .times = run.times(),
                       .filters = 1,
                       .partEqualsWhole = false,
                       .parts = parts});
  }
  return results;
}

}  // namespace bankside::window

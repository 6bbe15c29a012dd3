#include "gui/window/compute/last_maps.h"

#include <algorithm>

#include "core/free_memory.h"
#include "core/run/recipe_runner.h"
#include "core/text.h"
#include "gui/window/compute/gathering.h"
#include "kernels/device_engines.h"

namespace bankside::window {

std::vector<PlaneResult> lastMaps(const RunSettings& settings, Source& source, Layer layer,
                                  const SelectEngine& select, const std::stop_token& stop) {
  const std::string asked = layer == Layer::OpenCv ? "opencv" : settings.recipe.engine;
  Recipe recipe = settings.recipe;
  recipe.verify = VerifyLevel::Off;
  RunOptions options;
  options.plan.threads = settings.threads;
  options.pixelsPerDegree = settings.pixelsPerDegree;
  options.mapDevices = mapDevices();
  options.memoryBudget = memoryForMaps(options.memoryBudget);
  Runner runner = makeRunner(recipe, settings.banks(), options,
                             [&](const ConvolutionProblem& p) -> const Engine& { return select(asked, p); });
  GatheredPlanes gathered(source.height());
  const BankRun run = runner.run(
      source, [&](int firstRow, const std::vector<Image>& band) { gathered.add(firstRow, band); }, stop);
  std::vector<std::string> paths;
  for (const StepReport& step : run.steps) {
    const std::string path = pathName(step.engine, step.plan);
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  std::vector<PlaneResult> results;
  for (Image& map : gathered.images()) {
    if (stop.stop_requested()) throw Cancelled();
    results.push_back({.key = {layer, static_cast<int>(results.size())},
                       .plane = makePlane(std::make_shared<const Image>(std::move(map)), 0),
                       .error = {},
                       .engine = joinWords(paths),
                       .variant = run.steps.empty() ? std::string() : toString(run.steps.back().plan),
                       .times = run.times(),
                       .filters = 1,
                       .partEqualsWhole = false});
  }
  return results;
}

}  // namespace bankside::window

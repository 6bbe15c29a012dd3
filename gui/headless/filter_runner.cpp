#include "gui/headless/filter_runner.h"

#include "core/error.h"
#include "core/free_memory.h"
#include "core/run/recipe_runner.h"
#include "kernels/device_engines.h"
#include "kernels/devices.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

RunOptions frontEndOptions(const FilterCommand& command) {
  const Recipe& recipe = command.recipe;
  const bool withBaseline = recipe.verify == VerifyLevel::OpenCv || recipe.verify == VerifyLevel::All;
  RunOptions options;
  options.plan.threads = command.threads;
  options.baseline = withBaseline ? &baselineEngine() : nullptr;
  options.writeBehind = true;
  options.memoryBudget = command.memory / 2;
  if (recipe.ofMaps() && !command.memorySaid) options.memoryBudget = memoryForMaps(options.memoryBudget);
  options.pixelsPerDegree = command.pixelsPerDegree;
  options.mapDevices = mapDevices();
  return options;
}

void requireHonestFormat(const Recipe& recipe) {
  if (recipe.compression && !takes(recipe.format, *recipe.compression)) {
    throw Error(ErrorCode::BadInput, std::string("--compression ") + toString(*recipe.compression) +
                                         " is not for --format " + toString(recipe.format) + "; " +
                                         compressionsTaken());
  }
  mapThreshold(recipe);
  if (recipe.format == FileFormat::Png && recipe.map == OutputMap::None) {
    throw Error(
        ErrorCode::BadInput,
        "PNG cannot hold float32 responses; choose --map clip, stretch or binary, or --format tiff or npy");
  }
}

/// Who is asked for a device after it was lost refuses: that is the device's fault, not the image's.
const Engine& engineFor(const std::string& engine, const ConvolutionProblem& problem) {
  try {
    return selectEngine(engine, problem);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Unsupported && lostDevices()) throw Error(ErrorCode::Device, error.what());
    throw;
  }
}

}  // namespace

void takeDevices(const FilterCommand& command) {
  if (command.devices.empty()) return;
  const std::string& engine = command.recipe.engine;
  const Engine* const found = engine.starts_with("cuda") ? nullptr : findEngine(engine);
  if (found != nullptr && found->device() != "CPU")
    throw Error(ErrorCode::BadInput, "--device is for auto and cuda; the engine " + engine +
                                         " takes the first GPU that CUDA_VISIBLE_DEVICES shows");
  if (engine != "auto" && !engine.starts_with("cuda"))
    throw Error(ErrorCode::BadInput, "--device names GPUs, which the engine " + engine + " does not use");
  useDevices(command.devices);
}

void requireReady(const FilterCommand& command) {
  bool ofDevices = true;
  try {
    requireNamedDevices();
    ofDevices = false;
    // What was lost was ready. Who has its work now, or says that it is gone, filters.
    if (!lostDevices()) requireEngine(command.recipe.engine);
  } catch (const Error& error) {
    throw CannotFilter(error, ofDevices);
  }
}

Runner makeFilterRunner(const FilterCommand& command, const std::vector<FilterBank>& banks) {
  const Recipe& recipe = command.recipe;
  requireHonestFormat(recipe);
  takeDevices(command);
  const bool onDevice = recipe.engine.starts_with("cuda") && findEngine(recipe.engine) != nullptr;
  if (!onDevice || !seesDevices()) requireEngine(recipe.engine);
  Runner runner = makeRunner(recipe, banks, frontEndOptions(command),
                             [engine = recipe.engine](const ConvolutionProblem& problem) -> const Engine& {
                               return engineFor(engine, problem);
                             });
  const ChannelChoice channel = recipe.channel;
  if (channel != ChannelChoice::All && channel != ChannelChoice::Pages) runner.planes(runner.imageChannels());
  return runner;
}

}  // namespace bankside::headless

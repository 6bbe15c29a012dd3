#include "library/prepared_recipe.h"

#include <stdexcept>
#include <utility>

#include "core/imageio/image_codec.h"
#include "core/run/channel.h"
#include "core/run/gathered_planes.h"
#include "core/run/recipe_runner.h"
#include "core/run/shipped_recipes.h"
#include "filters/catalog.h"
#include "library/host_engines.h"
#include "library/status.h"
#include "library/view.h"

namespace bankside::library {
namespace {

/// Most pixels a side, as of a plan's images.
constexpr std::int64_t mostPixels = 1'000'000'000;

Runner runnerOf(const Recipe& recipe, const PreparedRecipe::Request& request) {
  if (recipe.verify == VerifyLevel::OpenCv || recipe.verify == VerifyLevel::All) {
    throw Error(ErrorCode::Unsupported, std::string("the recipe is verified by ") + toString(recipe.verify) +
                                            ", which only the command can: OpenCV is no part of the library");
  }
  requireEngineOf(hostEngines(), recipe.engine);
  std::vector<FilterBank> banks;
  for (const std::string& bank : bankNames(recipe)) banks.push_back(loadBank(bank));
  RunOptions options;
  options.plan.threads = request.threads;
  options.memoryBudget = request.memory;
  options.pixelsPerDegree = request.pixelsPerDegree;
  return makeRunner(recipe, banks, options,
                    [engine = recipe.engine](const ConvolutionProblem& problem) -> const Engine& {
                      return selectEngineOf(hostEngines(), engine, problem);
                    });
}

/// As files have them.
std::vector<std::string> channelNames(int channels, ChannelChoice choice) {
  if (isOfPages(choice)) {
    std::vector<std::string> names;
    for (int page = 1; page <= channels; ++page) names.push_back("page" + std::to_string(page));
    return names;
  }
  if (channels == 3 || channels == 4) return codec::colourNames(3, channels == 4);
  return {};
}

/// As names of files have them: of several that the last bank sees, each with its own.
std::vector<PlaneName> planesOf(const Runner& runner, const std::vector<std::string>& channels) {
  std::vector<PlaneName> planes = runner.planes(static_cast<int>(channels.size()));
  const std::vector<std::string> groups = runner.groupNames(channels);
  if (groups.size() < 2) return planes;
  for (PlaneName& plane : planes)
    plane.label = groups[static_cast<std::size_t>(plane.channel)] + "." + plane.label;
  return planes;
}

void requireShape(const bk_view& view) {
  const auto within = [](std::int64_t number, std::int64_t most) { return number >= 1 && number <= most; };
  if (within(view.channels, maxFilterCount) && within(view.height, mostPixels) &&
      within(view.width, mostPixels))
    return;
  refuse("an image of [" + std::to_string(view.channels) + "," + std::to_string(view.height) + "," +
         std::to_string(view.width) + "] is none: its sizes are 1 to " + std::to_string(maxFilterCount) +
         " channels, and 1 to " + std::to_string(mostPixels) + " pixels a side");
}

Image fieldOf(const bk_view& view, int height, int width) {
  checkView(view, {"the field of view", ElementType::U8, 1, height, width}, false);
  Image field(1, height, width, ElementType::U8);
  ViewSource(view, ElementType::U8).readRows(0, 0, field.plane(0));
  return field;
}

}  // namespace

PreparedRecipe::PreparedRecipe(const std::string& nameOrFile, const Request& request)
    : recipe_(openRecipe(nameOrFile)), runner_(runnerOf(recipe_, request)) {
  if (recipe_.channel != ChannelChoice::All && recipe_.channel != ChannelChoice::Pages)
    planes_ = planesOf(runner_, std::vector<std::string>(static_cast<std::size_t>(runner_.imageChannels())));
}

RecipeMaps PreparedRecipe::run(const bk_view& image, const bk_view* field,
                               const std::stop_token& stop) const {
  requireShape(image);
  const ElementType type = elementType(image.type);
  const auto channels = static_cast<int>(image.channels);
  const auto height = static_cast<int>(image.height);
  const auto width = static_cast<int>(image.width);
  checkView(image, {"the image", type, channels, height, width}, false);
  const Image inside = field == nullptr ? Image() : fieldOf(*field, height, width);
  ViewSource pixels(image, type);
  const std::lock_guard lock(running_);
  const ChannelChoice choice = channels == 1 ? ChannelChoice::Auto : recipe_.channel;  // one plane as it is
  const ChannelSelection seen =
      selectChannels(pixels, channelNames(channels, choice), choice, runner_.imageChannels());
  GatheredPlanes whole(height);
  const BankRun run = runner_.run(
      *seen.source, [&](int firstRow, const std::vector<Image>& bands) { whole.add(firstRow, bands); }, stop,
      {}, inside);
  if (!run.passed) throw std::runtime_error("a result was judged wrong, none is given");
  return {planesOf(runner_, seen.names), std::move(whole.images())};
}

}  // namespace bankside::library

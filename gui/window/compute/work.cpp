#include "gui/window/compute/work.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/free_memory.h"
#include "core/imageio/image_stream.h"
#include "core/imageio/page_stack.h"
#include "core/run/recipe_runner.h"
#include "core/run/result_files.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "gui/window/compute/honest_format.h"
#include "kernels/device_engines.h"

namespace bankside::window {
namespace {

/// Where red, green and blue are among the channels; -1 for what is not there.
std::array<int, 3> colorsOf(const Picture& picture) {
  std::array<int, 3> at = {-1, -1, -1};
  const auto& names = picture.info.channelNames;
  const std::string colors[] = {"red", "green", "blue"};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto found = std::find(names.begin(), names.end(), colors[i]);
    if (found != names.end()) at[i] = static_cast<int>(found - names.begin());
  }
  return at;
}

/// The image, and four panes of f32 with their coarser copies; of colours only the copies.
double neededBytes(const ImageInfo& info, bool stacked) {
  const double pixels = static_cast<double>(info.width) * info.height;
  const double channels = stacked ? info.pages : info.channels;
  const double colors = !stacked && info.channels >= 3 ? 3 * 4.0 / 3 : 0;
  return pixels * (channels * static_cast<double>(sizeOf(info.type)) + 4 * 4.0 * 4 / 3 + colors);
}

/// How often a plane is halved so that its copies take a small share of the memory.
int halvings(const ImageInfo& info, std::int64_t memory) {
  constexpr double share = 1.0 / 32;
  int level = 1;
  const auto bytes = [&] {
    return std::ldexp(static_cast<double>(info.width), -level) * std::ldexp(info.height, -level) * 4.0 * 4 /
           3;
  };
  while (bytes() > share * static_cast<double>(memory)) ++level;
  return level;
}

/// A picture without its pixels.
class Outline final : public Source {
 public:
  explicit Outline(const ImageInfo& info) : info_(info) {}
  ElementType type() const override { return info_.type; }
  int channels() const override { return info_.channels; }
  int height() const override { return info_.height; }
  int width() const override { return info_.width; }
  void readRows(int, int, MutablePlane) override { throw Error(ErrorCode::Io, "an outline has no pixels"); }

 private:
  ImageInfo info_;
};

/// Leaves the pixels in the file.
void openInFile(Picture& picture, const ImageInfo& info, std::int64_t memory) {
  const ImageLimits limits{.maxBytes = memory / 2};
  picture.finest = halvings(info, memory);
  std::unique_ptr<Source> source;
  if (picture.stacked) {
    PageStack stack = openPageStack(ImageFile(picture.path), 0, limits);
    picture.info = std::move(stack.info);
    source = std::move(stack.source);
  } else {
    picture.info = info;
    source = openSource(picture.path, picture.page, limits);
  }
  // Whoever reads from it would hold it whole.
  if (!source->resident(0)) return;
  throw Error(ErrorCode::Limit, picture.path.string() + ": " + std::to_string(info.width) + " x " +
                                    std::to_string(info.height) + " pixels take about " +
                                    formatFixed(neededBytes(info, picture.stacked) / 1e9, 1) +
                                    " GB in the window, and this kind of file cannot be read in rows");
}

}  // namespace

const char* toString(Layer layer) {
  switch (layer) {
    case Layer::Input: return "input";
    case Layer::Output: return "output";
    case Layer::OpenCv: return "opencv";
    case Layer::Difference: return "difference";
    case Layer::Kept: return "kept";
  }
  return "?";
}

std::optional<Layer> parseLayer(std::string_view text) {
  for (const Layer layer : allLayers) {
    if (text == toString(layer)) return layer;
  }
  return std::nullopt;
}

std::string pathName(const std::string& engine, const PlanInfo& plan) {
  return plan.path.empty() ? engine : plan.path;
}

std::string pathName(const Engine& engine, const ConvolutionProblem& problem, const FilterBank& bank,
                     Precision precision) {
  if (engine.kind().role != EngineKind::Role::Planner) return engine.name();
  return pathName(engine.name(), engine.prepare(problem, bank, {.precision = precision})->info());
}

std::unique_ptr<Source> Picture::source() const {
  if (image) return std::make_unique<ImageSource>(*image);
  if (stacked) return openPageStack(ImageFile(path), 0).source;
  return openSource(path, page);
}

std::unique_ptr<Source> Picture::shape() const { return std::make_unique<Outline>(info); }

bool isColored(const Picture& picture) {
  if (!picture.image) return false;
  const auto at = colorsOf(picture);
  return std::all_of(at.begin(), at.end(), [](int channel) { return channel >= 0; });
}

Photograph makePhotograph(const Picture& picture) {
  if (!isColored(picture)) return nullptr;
  std::array<PlanePtr, 3> planes;
  const auto at = colorsOf(picture);
  for (std::size_t i = 0; i < planes.size(); ++i) planes[i] = makePlane(picture.image, at[i]);
  return std::make_shared<const std::array<PlanePtr, 3>>(std::move(planes));
}

std::int64_t machineMemory() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
}

PicturePtr openPicture(const std::filesystem::path& path, int page, bool stacked, std::int64_t memory) {
  const auto start = Clock::now();
  const ImageInfo info = readImageInfo(path, stacked ? 0 : page);
  auto picture = std::make_shared<Picture>();
  picture->path = path;
  picture->page = page;
  picture->stacked = stacked;
  picture->memory = memory;
  if (neededBytes(info, stacked) > 0.75 * static_cast<double>(memory)) {
    openInFile(*picture, info, memory);
  } else if (stacked) {
    PageStack stack = openPageStack(ImageFile(path), ImageLimits{}.maxBytes);
    Image image(stack.source->channels(), stack.source->height(), stack.source->width(),
                stack.source->type());
    for (int c = 0; c < image.channels(); ++c) stack.source->readRows(c, 0, image.plane(c));
    picture->info = std::move(stack.info);
    picture->image = std::make_shared<const Image>(std::move(image));
  } else {
    LoadedImage loaded = readImage(path, page);
    picture->info = std::move(loaded.info);
    picture->image = std::make_shared<const Image>(std::move(loaded.image));
  }
  picture->decodeSeconds = secondsSince(start);
  return picture;
}

std::vector<FilterBank> RunSettings::banks() const {
  if (recipe.ofMaps()) return stepBanks ? *stepBanks : std::vector<FilterBank>();
  std::vector<FilterBank> banks;
  if (bank) banks.push_back(*bank);
  if (then && recipe.stages.size() > 1) banks.push_back(*then);
  return banks;
}

bool RunSettings::complete() const {
  if (recipe.ofMaps()) return stepBanks != nullptr;
  return bank && (recipe.stages.size() < 2 || then);
}

int imageChannels(const RunSettings& settings) {
  if (!settings.complete()) return 1;
  if (!settings.recipe.ofMaps()) return settings.bank->channels();
  return makeRunner(settings.recipe, settings.banks(), {}, nullptr).imageChannels();
}

RunOptions mapOptions(const RunSettings& settings) {
  RunOptions options;
  options.plan.threads = settings.threads;
  options.pixelsPerDegree = settings.pixelsPerDegree;
  options.mapDevices = mapDevices();
  options.memoryBudget = memoryForMaps(options.memoryBudget);
  if (settings.picture->finest > 0)
    options.memoryBudget = std::min(options.memoryBudget, settings.picture->memory / 2);
  return options;
}

ResultPlanes resultPlanes(const RunSettings& settings, const std::vector<std::string>& channels) {
  Recipe all = settings.recipe;
  all.responses = true;
  RunOptions options;
  options.pixelsPerDegree = settings.pixelsPerDegree;
  const Runner runner = makeRunner(all, settings.banks(), options, nullptr);
  const int count = static_cast<int>(channels.size());
  ResultPlanes result;
  result.planes = runner.planes(count);
  result.groups = runner.groupNames(channels);
  if (all.ofMaps()) return result;
  const int seen = runner.seenChannels(count);
  result.responses = (runner.bank().channels() == seen ? 1 : seen) * runner.bank().size();
  return result;
}

ImageRun exportResponses(const RunSettings& settings, const ExportSettings& options,
                         const SelectEngine& select, std::stop_token stop) {
  const Picture& picture = *settings.picture;
  requireHonestFormat(settings.recipe);
  std::error_code failure;
  std::filesystem::create_directories(options.folder, failure);
  if (!std::filesystem::is_directory(options.folder, failure)) {
    throw Error(ErrorCode::Io, options.folder.string() + ": cannot be made a folder");
  }
  const auto whole = picture.source();
  const ChannelSelection selection =
      selectChannels(*whole, picture.info.channelNames, settings.recipe.channel, imageChannels(settings));
  RunOptions rest;
  if (settings.recipe.ofMaps()) rest = mapOptions(settings);
  rest.plan.threads = settings.threads;
  const VerifyLevel verify = settings.recipe.verify;
  if (verify == VerifyLevel::OpenCv || verify == VerifyLevel::All) rest.baseline = options.baseline;
  Runner runner = makeRunner(settings.recipe, settings.banks(), rest,
                             [&](const ConvolutionProblem& problem) -> const Engine& {
                               return select(settings.recipe.engine, problem);
                             });
  ImageRun report;
  report.input = picture.path.string();
  report.page = picture.stacked ? 1 : picture.page + 1;
  report.notes = picture.info.notes;
  report.dropped = selection.dropped;
  const std::string page = picture.info.pages > 1 ? ".page" + std::to_string(picture.page + 1) : "";
  const ResultSettings where{
      options.folder,          settings.recipe.format,      settings.recipe.map,
      existing(options.force), settings.recipe.compression, mapThreshold(settings.recipe)};
  ResultFiles files(where, picture.path.stem().string() + page, runner.planes(selection.source->channels()),
                    runner.groupNames(selection.names), picture.info.type, selection.source->height(),
                    report);
  files.heed(checkOf(stop));
  report.run = runner.run(
      *selection.source, [&](int firstRow, const std::vector<Image>& band) { files.write(firstRow, band); },
      stop);
  for (const StepReport& step : report.run.steps) {
    if (!step.reference || step.reference->passed) continue;
    throw Error(ErrorCode::Device,
                "nothing was exported: " + step.engine + " is wrong at " + step.reference->place());
  }
  files.finish();
  if (options.region) {
    const std::string name = picture.path.stem().string() + page + ".region.png";
    writeImage(options.folder / name, *options.region, FileFormat::Png, existing(options.force));
    report.outputs.push_back(name);
  }
  report.ok = true;
  return report;
}

}  // namespace bankside::window

#include "gui/window/work.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "core/error.h"
#include "core/result_files.h"

namespace bankside::window {
namespace {

using Clock = std::chrono::steady_clock;

/// Bands this large keep the runner's own buffers small beside the planes that the window holds.
constexpr std::int64_t bandBytes = std::int64_t{256} << 20;

/// Rows of every `step`-th plane from `first` on, copied into whole images as the bands come.
class Gathered {
 public:
  Gathered(int height, int first, int step)
      : height_(height), first_(static_cast<std::size_t>(first)), step_(static_cast<std::size_t>(step)) {}
  void add(int firstRow, const std::vector<Image>& band) {
    std::size_t i = 0;
    for (std::size_t plane = first_; plane < band.size(); plane += step_, ++i) {
      const Image& part = band[plane];
      if (images_.size() <= i)
        images_.push_back(std::make_shared<Image>(1, height_, part.width(), part.type()));
      MutablePlane rows = images_[i]->plane(0);
      rows.data = rows.row(firstRow);
      rows.height = std::min(part.height(), height_ - firstRow);
      ImageSource(part).readRows(0, 0, rows);
    }
  }
  const std::vector<std::shared_ptr<Image>>& images() const { return images_; }

 private:
  int height_;
  std::size_t first_;
  std::size_t step_;
  std::vector<std::shared_ptr<Image>> images_;
};

/// One call of `computePlanes`.
class Computation {
 public:
  Computation(const RunSettings& settings, const SelectEngine& select,
              const std::function<void(PlaneResult)>& receive, std::stop_token stop)
      : settings_(settings),
        select_(select),
        receive_(receive),
        stop_(std::move(stop)),
        whole_(*settings.picture->image) {
    selection_ = selectChannels(whole_, settings.picture->info.channelNames, settings.recipe.channel,
                                settings.bank ? settings.bank->channels() : 1);
    if (settings.bank == nullptr) return;
    responseGroups_ =
        settings.bank->channels() == selection_.source->channels() ? 1 : selection_.source->channels();
  }

  void run(const std::vector<PlaneKey>& wanted) {
    for (const PlaneKey& key : wanted) {
      if (stop_.stop_requested()) throw Cancelled();
      if (given_.contains(key)) continue;
      try {
        give(key);
      } catch (const Cancelled&) {
        throw;
      } catch (const std::exception& error) {
        receive_(
            {.key = key, .plane = nullptr, .error = error.what(), .engine = {}, .variant = {}, .times = {}});
      }
    }
  }

 private:
  void give(const PlaneKey& key) {
    switch (key.layer) {
      case Layer::Input: return giveInput(key);
      case Layer::Output:
      case Layer::OpenCv: return giveResult(key);
      case Layer::Difference: {
        const PlaneKey ours{Layer::Output, key.index};
        const PlaneKey theirs{Layer::OpenCv, key.index};
        for (const PlaneKey& side : {ours, theirs}) {
          if (const auto known = settings_.known.find(side); known != settings_.known.end()) {
            given_[side] = known->second;
          }
          if (!given_.contains(side)) giveResult(side);
        }
        return keep({.key = key,
                     .plane = differencePlane(*given_.at(ours), *given_.at(theirs)),
                     .error = {},
                     .engine = {},
                     .variant = {},
                     .times = {}});
      }
    }
  }

  void keep(PlaneResult result) {
    given_[result.key] = result.plane;
    receive_(std::move(result));
  }

  void giveInput(const PlaneKey& key) {
    Source& source = *selection_.source;
    auto image = std::make_shared<Image>(1, source.height(), source.width(), source.type());
    source.readRows(key.index, 0, image->plane(0));
    keep({.key = key,
          .plane = makePlane(std::move(image), 0),
          .error = {},
          .engine = {},
          .variant = {},
          .times = {}});
  }

  /// How a filter must be computed to have the bytes that it has in a run of the whole bank.
  struct Part {
    FilterBank bank;
    int index = 0;       ///< of the filter in that bank
    std::string engine;  ///< by the name of its path
  };

  /// The filters that the bank's run takes in one problem, and the engine that it takes for them. Where a
  /// sum's order depends on all filters of a problem (the transforms' tiles do), they all run.
  Part partFor(const std::string& engineName, int filter) const {
    const FilterBank& bank = *settings_.bank;
    for (const UniformGroup& group : groupBySize(bank)) {
      const auto at = std::find(group.indices.begin(), group.indices.end(), filter);
      if (at == group.indices.end()) continue;
      auto problem = makeProblem(group.bank, selection_.source->channels(), selection_.source->height(),
                                 selection_.source->width(), selection_.source->type(), ElementType::F32,
                                 settings_.recipe.border, Combine::None);
      problem.mode = settings_.recipe.stages.front().mode.value_or(problem.mode);
      const std::string path = pathName(select_(engineName, problem), problem, group.bank);
      const int index = static_cast<int>(at - group.indices.begin());
      if (path == "cpu:fft") return {group.bank, index, path};
      ConvolutionProblem one = problem;
      one.filterCount = 1;
      const bool alone = bool(select_(path, problem).supports(one));
      return {FilterBank(bank.info(), {bank[filter]}), 0, alone ? path : engineName};
    }
    throw Error(ErrorCode::BadInput, "the bank has no such filter");
  }

  void giveResult(const PlaneKey& key) {
    const FilterBank& bank = *settings_.bank;
    const Stage& stage = settings_.recipe.stages.front();
    const int responses = responseGroups_ * bank.size();
    const bool combined = key.index >= responses;
    const int filter = key.index % bank.size();
    const std::string asked = key.layer == Layer::OpenCv ? "opencv" : settings_.recipe.engine;
    const Part part = combined ? Part{bank, 0, asked} : partFor(asked, filter);
    RunnerOptions options;
    options.border = settings_.recipe.border;
    options.mode = stage.mode;
    options.combine = combined ? stage.combine : Combine::None;
    // Whether responses are wanted too decides whether the combine is fused: as when they are exported.
    options.responses = !combined || settings_.recipe.responses;
    options.threads = settings_.threads;
    options.memoryBudget = bandBytes;
    Runner runner(part.bank, options,
                  [&](const ConvolutionProblem& p) -> const Engine& { return select_(part.engine, p); });
    const int first = combined ? (options.responses ? responses : 0) : part.index;
    const int step = combined ? 1 : part.bank.size();
    Gathered gathered(selection_.source->height(), first, step);
    const BankRun run = runner.run(
        *selection_.source,
        [&](int firstRow, const std::vector<Image>& band) { gathered.add(firstRow, band); }, stop_);
    const StepReport& report = run.steps.front();
    for (std::size_t i = 0; i < gathered.images().size(); ++i) {
      if (stop_.stop_requested()) throw Cancelled();
      const int plane = static_cast<int>(i);
      keep({.key = {key.layer, combined ? responses + plane : plane * bank.size() + filter},
            .plane = makePlane(gathered.images()[i], 0),
            .error = {},
            .engine =
                report.engine == "cpu" ? report.variant.substr(0, report.variant.find(',')) : report.engine,
            .variant = report.variant,
            .times = run.times()});
    }
  }

  const RunSettings& settings_;
  const SelectEngine& select_;
  const std::function<void(PlaneResult)>& receive_;
  std::stop_token stop_;
  ImageSource whole_;
  ChannelSelection selection_;
  int responseGroups_ = 1;
  std::map<PlaneKey, PlanePtr> given_;
};

}  // namespace

const char* toString(Layer layer) {
  switch (layer) {
    case Layer::Input: return "input";
    case Layer::Output: return "output";
    case Layer::OpenCv: return "opencv";
    case Layer::Difference: return "difference";
  }
  return "?";
}

std::optional<Layer> parseLayer(std::string_view text) {
  for (const Layer layer : allLayers) {
    if (text == toString(layer)) return layer;
  }
  return std::nullopt;
}

std::string pathName(const Engine& engine, const ConvolutionProblem& problem, const FilterBank& bank) {
  if (engine.name() != "cpu") return engine.name();
  const std::string variant = engine.prepare(problem, bank, {})->variant();
  return variant.substr(0, variant.find(','));
}

PicturePtr openPicture(const std::filesystem::path& path, int page) {
  const auto start = Clock::now();
  LoadedImage loaded = readImage(path, page);
  auto picture = std::make_shared<Picture>();
  picture->path = path;
  picture->page = page;
  picture->info = std::move(loaded.info);
  picture->image = std::make_shared<const Image>(std::move(loaded.image));
  picture->decodeSeconds = std::chrono::duration<double>(Clock::now() - start).count();
  return picture;
}

std::vector<PlaneName> resultPlanes(const FilterBank& bank, const Recipe& recipe, int channels) {
  RunnerOptions options;
  options.combine = recipe.stages.front().combine;
  return Runner(bank, options, nullptr).planes(channels);
}

void computePlanes(const RunSettings& settings, const std::vector<PlaneKey>& wanted,
                   const SelectEngine& select, const std::function<void(PlaneResult)>& receive,
                   std::stop_token stop) {
  Computation(settings, select, receive, std::move(stop)).run(wanted);
}

ImageRun exportResponses(const RunSettings& settings, const ExportSettings& options,
                         const SelectEngine& select, std::stop_token stop) {
  const Picture& picture = *settings.picture;
  const Stage& stage = settings.recipe.stages.front();
  if (settings.recipe.format == FileFormat::Png && settings.recipe.map == OutputMap::None) {
    throw Error(ErrorCode::BadInput,
                "PNG cannot hold float responses: choose to clip or to stretch them, or another format");
  }
  std::error_code failure;
  std::filesystem::create_directories(options.folder, failure);
  if (!std::filesystem::is_directory(options.folder, failure)) {
    throw Error(ErrorCode::Io, options.folder.string() + ": cannot be made a folder");
  }
  ImageSource whole(*picture.image);
  const ChannelSelection selection =
      selectChannels(whole, picture.info.channelNames, settings.recipe.channel, settings.bank->channels());
  RunnerOptions run;
  run.border = settings.recipe.border;
  run.mode = stage.mode;
  run.combine = stage.combine;
  run.responses = settings.recipe.responses;
  run.threads = settings.threads;
  Runner runner(*settings.bank, run, [&](const ConvolutionProblem& problem) -> const Engine& {
    return select(settings.recipe.engine, problem);
  });
  ImageRun report;
  report.input = picture.path.string();
  report.page = picture.page + 1;
  report.notes = picture.info.notes;
  report.dropped = selection.dropped;
  const std::string page = picture.info.pages > 1 ? ".page" + std::to_string(picture.page + 1) : "";
  const ResultSettings where{options.folder, settings.recipe.format, settings.recipe.map, options.force};
  ResultFiles files(where, picture.path.stem().string() + page, runner.planes(selection.source->channels()),
                    selection.names, picture.info.type, selection.source->height(), report);
  report.run = runner.run(
      *selection.source, [&](int firstRow, const std::vector<Image>& band) { files.write(firstRow, band); },
      stop);
  files.finish();
  if (options.region) {
    const std::string name = picture.path.stem().string() + page + ".region.png";
    publish(options.folder / name, options.force,
            [&](const std::filesystem::path& file) { writeImage(file, *options.region, FileFormat::Png); });
    report.outputs.push_back(name);
  }
  report.ok = true;
  return report;
}

}  // namespace bankside::window

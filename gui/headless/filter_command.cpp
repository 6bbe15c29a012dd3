#include <chrono>
#include <iostream>
#include <limits>

#include "core/atomic_file.h"
#include "core/channel.h"
#include "core/error.h"
#include "core/image_io.h"
#include "core/image_stream.h"
#include "core/log.h"
#include "core/page_stack.h"
#include "core/recipe_runner.h"
#include "core/report_writer.h"
#include "core/result_files.h"
#include "core/text.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/inputs.h"
#include "gui/headless/progress.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

RunnerOptions frontEndOptions(const FilterCommand& command) {
  const Recipe& recipe = command.recipe;
  const bool withBaseline = recipe.verify == VerifyLevel::OpenCv || recipe.verify == VerifyLevel::All;
  RunnerOptions options;
  options.threads = command.threads;
  options.baseline = withBaseline ? findEngine("opencv") : nullptr;
  options.memoryBudget = command.memory / 2;
  return options;
}

/// A page in memory, or as rows from its file where it would take too much of the memory allowed.
struct OpenedPage {
  ImageInfo info;
  Image image;
  std::unique_ptr<Source> source;
};

OpenedPage openPage(const FilterCommand& command, const InputFile& input, int page) {
  constexpr ImageLimits anySize{.maxBytes = std::numeric_limits<std::int64_t>::max()};
  OpenedPage opened;
  if (command.recipe.channel == ChannelChoice::Pages) {
    PageStack stack = openPageStack(input.path, command.memory / 4);
    opened.info = std::move(stack.info);
    opened.source = std::move(stack.source);
    return opened;
  }
  opened.info = readImageInfo(input.path, page, anySize);
  const ImageInfo& info = opened.info;
  const double bytes =
      static_cast<double>(info.channels) * info.height * info.width * static_cast<double>(sizeOf(info.type));
  if (bytes > static_cast<double>(command.memory) / 4) {
    opened.source = openSource(input.path, page);
  } else {
    opened.image = readImage(input.path, page).image;
    opened.source = std::make_unique<ImageSource>(opened.image);
  }
  return opened;
}

/// Filters one page. Throws what went wrong; `report` has what was learned until then.
void filterPage(const FilterCommand& command, const InputFile& input, int page, Runner& runner,
                ImageRun& report, const std::stop_token& stop) {
  const auto start = Clock::now();
  const OpenedPage opened = openPage(command, input, page);
  report.decodeSeconds = secondsSince(start);
  const ImageInfo& info = opened.info;
  report.format = info.format;
  report.shape = std::to_string(info.channels) + " x " + std::to_string(info.height) + " x " +
                 std::to_string(info.width) + " " + toString(info.type);
  report.notes = info.notes;

  const ChannelSelection selection = selectChannels(*opened.source, info.channelNames, command.recipe.channel,
                                                    runner.imageBank().channels());
  if (!selection.note.empty()) report.notes.push_back(selection.note);
  for (const std::string& note : report.notes) log(LogLevel::Info, input.path.string() + ": " + note);
  for (const std::string& channel : selection.dropped) report.dropped.push_back("channel " + channel);

  const std::string stem = input.stem + (info.pages > 1 ? ".page" + std::to_string(page + 1) : "");
  ResultFiles files({command.output, command.recipe.format, command.recipe.map, command.force}, stem,
                    runner.planes(selection.source->channels()), runner.groupNames(selection.names),
                    info.type, info.height, report);
  const auto timed = [&](const auto& write) {
    const auto from = Clock::now();
    write();
    report.encodeSeconds += secondsSince(from);
  };
  report.run = runner.run(
      *selection.source,
      [&](int firstRow, const std::vector<Image>& band) { timed([&] { files.write(firstRow, band); }); },
      stop);
  for (const StepReport& step : report.run.steps) {
    if (!step.reference || step.reference->passed) continue;
    std::string sentence = "engine " + step.engine + " is wrong at " + step.reference->place();
    if (step.stage > 1) sentence += " of the second stage";
    sentence += "; repeat with:";
    for (const StepReport& each : report.run.steps) {
      if (&each != &step && each.stage >= step.stage) continue;
      sentence += " bankside verify --engine " + each.engine + " --problem " + format(each.problem) +
                  (&each == &step ? "" : " and");
    }
    throw Error(ErrorCode::Device, sentence);
  }
  timed([&] { files.finish(); });
}

std::string engineNames(const BankRun& run) {
  std::string names = run.steps.front().engine;
  if (run.steps.back().engine != run.steps.front().engine) names += ", then " + run.steps.back().engine;
  return names;
}

std::string summary(const ImageRun& image) {
  std::string text = image.input + (image.page > 1 ? " page " + std::to_string(image.page) : "") + ": " +
                     std::to_string(image.outputs.size()) + (image.outputs.size() == 1 ? " file" : " files");
  const PhaseTimes times = image.run.times();
  text += ", decode " + formatFixed(image.decodeSeconds * 1e3, 1) + " ms, filter " +
          formatFixed(times.total() * 1e3, 1) + " ms (" + engineNames(image.run) + "), encode " +
          formatFixed(image.encodeSeconds * 1e3, 1) + " ms";
  for (const StepReport& step : image.run.steps) {
    if (step.reference)
      text += ", verified, max error " + formatNumber(static_cast<float>(step.reference->maxAbsError));
    if (step.baseline) {
      text += ", OpenCV (" + step.baselineReason + ") differs by at most " +
              formatNumber(static_cast<float>(step.baseline->maxAbsError));
    } else if (!step.baselineReason.empty()) {
      text += ", OpenCV not compared: " + step.baselineReason;
    }
  }
  if (image.clippedValues > 0) text += ", " + std::to_string(image.clippedValues) + " values clipped";
  if (image.nonFiniteValues > 0) text += ", " + std::to_string(image.nonFiniteValues) + " values not finite";
  return text;
}

/// What was counted while the command ran; decides the exit code.
struct Tally {
  int failed = 0;
  bool mismatch = false;
  bool interrupted = false;
  bool diskFull = false;

  bool stopped() const { return interrupted || diskFull; }
};

class FilterRun {
 public:
  FilterRun(const FilterCommand& command, const std::vector<InputFile>& inputs, Runner& runner,
            FilterReport& report)
      : command_(command),
        runner_(runner),
        report_(report),
        progress_(command.progress, static_cast<int>(inputs.size())) {}

  void filterFile(const InputFile& input, int number, const std::stop_token& stop) {
    progress_.show(number, input.path.string());
    if (!input.error.empty()) return fail({.input = input.path.string()}, input.error);
    int pages = 0;
    try {
      const bool stacked = command_.recipe.channel == ChannelChoice::Pages;
      pages = stacked ? 1 : readImageInfo(input.path).pages;
      if (command_.page > pages) {
        throw Error(ErrorCode::BadInput, input.path.string() + ": has " + std::to_string(pages) +
                                             " page(s), not " + std::to_string(command_.page));
      }
    } catch (const std::exception& error) {
      return fail({.input = input.path.string()}, error.what());
    }
    for (int page = 0; page < pages; ++page) {
      if (command_.page != 0 && command_.page != page + 1) continue;
      filterOnePage(input, page, pages, stop);
      if (tally_.stopped()) return;
    }
  }

  const Tally& tally() const { return tally_; }

 private:
  void filterOnePage(const InputFile& input, int page, int pages, const std::stop_token& stop) {
    ImageRun image{.input = input.path.string(), .page = page + 1};
    if (command_.page != 0 && pages > 1)
      image.dropped.push_back("all pages but " + std::to_string(command_.page) + " of " +
                              std::to_string(pages));
    try {
      filterPage(command_, input, page, runner_, image, stop);
      image.ok = true;
      progress_.clear();
      std::cout << summary(image) << "\n";
      report_.images.push_back(std::move(image));
    } catch (const Cancelled&) {
      tally_.interrupted = true;
    } catch (const std::exception& error) {
      tally_.diskFull = dynamic_cast<const DiskFull*>(&error) != nullptr;
      tally_.mismatch = tally_.mismatch || !image.run.passed;
      image.outputs.clear();
      const std::string path = input.path.string();
      const std::string sentence = error.what();
      fail(std::move(image), sentence.rfind(path, 0) == 0 || sentence.rfind(command_.output, 0) == 0
                                 ? sentence
                                 : path + ": " + sentence);
    }
  }

  void fail(ImageRun image, const std::string& sentence) {
    progress_.clear();
    log(LogLevel::Error, sentence);
    image.error = sentence;
    ++tally_.failed;
    report_.images.push_back(std::move(image));
  }

  const FilterCommand& command_;
  Runner& runner_;
  FilterReport& report_;
  Progress progress_;
  Tally tally_;
};

void requireHonestFormat(const Recipe& recipe) {
  if (recipe.format == FileFormat::Png && recipe.map == OutputMap::None) {
    throw Error(
        ErrorCode::BadInput,
        "PNG cannot hold float32 responses; choose --map clip or --map stretch, or --format tiff or npy");
  }
}

}  // namespace

int runFilter(const FilterCommand& command, const std::string& commandText, std::stop_token stop) {
  requireHonestFormat(command.recipe);
  const std::vector<FilterBank> banks = openBanks(command.recipe);
  requireEngine(command.recipe.engine);
  if (!command.recipe.responses && command.recipe.stages.back().combine == Combine::None)
    log(LogLevel::Warning,
        "--no-responses changes nothing: without a combined map every response is written");
  const std::vector<InputFile> inputs = findInputs(command.inputs);
  if (inputs.empty()) {
    log(LogLevel::Error, "no image files in " + joinWords(command.inputs));
    return exitEmptyInput;
  }
  // Banks that do not go together are a wrong command, said before anything is made.
  Runner runner = makeRunner(command.recipe, banks, frontEndOptions(command),
                             [&](const ConvolutionProblem& problem) -> const Engine& {
                               return selectEngine(command.recipe.engine, problem);
                             });
  requireReportFile(command.report, command.inputs);
  requireReportFile(command.saveRecipe, command.inputs);
  requireResultFolder(command.output, command.inputs);
  if (!command.saveRecipe.empty())
    publishText(command.saveRecipe, command.force, writeRecipe(command.recipe));

  FilterReport report{.environment = currentEnvironment(),
                      .command = commandText,
                      .recipe = writeRecipe(command.recipe),
                      .banks = {},
                      .images = {}};
  for (const FilterBank& bank : banks) report.banks.push_back({bank.info().name, bank.contentHash()});
  Tally tally;
  {
    FilterRun run(command, inputs, runner, report);
    for (std::size_t i = 0; i < inputs.size() && !run.tally().stopped(); ++i)
      run.filterFile(inputs[i], static_cast<int>(i), stop);
    tally = run.tally();
  }
  if (!command.report.empty()) writeFileAtomically(command.report, toJson(report));
  if (tally.interrupted) throw Cancelled();
  if (tally.failed > 0) {
    log(LogLevel::Error,
        std::to_string(tally.failed) + " of " + std::to_string(report.images.size()) + " images failed");
  }
  if (tally.diskFull) {
    log(LogLevel::Error,
        "stopped, as nothing more fits; what is finished is kept, and the same command goes on");
    return exitTransient;
  }
  return tally.mismatch ? exitMismatch : tally.failed > 0 ? exitSomeFailed : exitOk;
}

}  // namespace bankside::headless

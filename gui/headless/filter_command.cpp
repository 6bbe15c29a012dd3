#include <algorithm>
#include <deque>
#include <utility>

#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/log.h"
#include "core/parallel.h"
#include "core/run/recipe_runner.h"
#include "core/run/report_writer.h"
#include "core/run/result_files.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/inputs.h"
#include "gui/headless/page_reader.h"
#include "gui/headless/page_writer.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

RunOptions frontEndOptions(const FilterCommand& command) {
  const Recipe& recipe = command.recipe;
  const bool withBaseline = recipe.verify == VerifyLevel::OpenCv || recipe.verify == VerifyLevel::All;
  RunOptions options;
  options.plan.threads = command.threads;
  options.baseline = withBaseline ? &baselineEngine() : nullptr;
  options.memoryBudget = command.memory / 2;
  return options;
}

/// How much pages that are under way may take: what one alone takes at most, its image and its results, and
/// with several stages less the maps.
std::int64_t pageMemory(const FilterCommand& command) {
  return command.recipe.stages.size() > 1 ? command.memory / 2 : command.memory / 4 * 3;
}

/// The pages of a run on their way from the reader through the runner to the writer.
class PageQueue final : public ImageQueue {
 public:
  PageQueue(PageReader& reader, PageWriter& writer, std::stop_token stop)
      : reader_(reader), writer_(writer), stop_(std::move(stop)) {}

  Item* next(bool wait) override {
    while (!writer_.stopped()) {
      std::unique_ptr<Page> page = reader_.next(wait, stop_);
      if (page == nullptr) return nullptr;
      if (stop_.stop_requested()) throw Cancelled();
      writer_.announce(*page);
      if (page->error || !page->refusal.empty()) {
        writer_.take(std::move(page));
        continue;
      }
      if (page->alone) page->item.receive = writingBands(*page);
      pages_.push_back(std::move(page));
      return &pages_.back()->item;
    }
    return nullptr;
  }

  void done(Item& item) override {
    std::unique_ptr<Page> page = std::move(pages_.front());
    pages_.pop_front();
    page->report.run = std::move(item.run);
    page->error = item.error;
    writer_.take(std::move(page));
  }

 private:
  static Runner::Receive writingBands(Page& page) {
    return [&page](int firstRow, const std::vector<Image>& band) {
      const auto start = Clock::now();
      page.files->write(firstRow, band);
      page.report.encodeSeconds += secondsSince(start);
    };
  }

  PageReader& reader_;
  PageWriter& writer_;
  std::stop_token stop_;
  std::deque<std::unique_ptr<Page>> pages_;  // under way, oldest first
};

/// Compressing files takes longer than filtering them; more than these wait for memory or the disk.
constexpr int mostWriters = 8;

/// One thread means one: reading, filtering and writing then take turns.
Tally filterPages(const FilterCommand& command, const std::vector<InputFile>& inputs, Runner& runner,
                  FilterReport& report, const std::stop_token& stop) {
  const int threads = command.threads > 0 ? command.threads : availableThreads();
  const bool overlapped = threads > 1;
  PageMemory memory(pageMemory(command));
  PageWriter writer(command, static_cast<int>(inputs.size()), report, memory,
                    overlapped ? std::min(threads, mostWriters) : 0);
  bool interrupted = false;
  try {
    PageReader reader(command, inputs, runner, memory, overlapped);
    PageQueue queue(reader, writer, stop);
    runner.runAll(queue, stop);
  } catch (const Cancelled&) {
    interrupted = true;
  }
  Tally tally = writer.finish(interrupted);
  tally.interrupted = tally.interrupted || interrupted;
  return tally;
}

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
  const ResultFolder folder(command.output, command.inputs);
  if (!command.saveRecipe.empty())
    publishText(command.saveRecipe, command.force, writeRecipe(command.recipe));

  FilterReport report{.environment = currentEnvironment(),
                      .command = commandText,
                      .recipe = writeRecipe(command.recipe),
                      .banks = {},
                      .images = {}};
  for (const FilterBank& bank : banks) report.banks.push_back({bank.info().name, bank.contentHash()});
  const Tally tally = filterPages(command, inputs, runner, report, stop);
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

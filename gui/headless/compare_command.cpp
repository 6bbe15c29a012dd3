#include <algorithm>
#include <iostream>

#include "core/bench/command_text.h"
#include "core/bench/comparison.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/image_io.h"
#include "core/imageio/page_stack.h"
#include "core/log.h"
#include "core/parallel.h"
#include "core/run/channel.h"
#include "core/run/recipe_runner.h"
#include "core/text.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/inputs.h"
#include "gui/headless/progress.h"
#include "gui/headless/thread_count.h"
#include "gui/headless/untrusted.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

/// Every engine that the words name, at every thread count; a family ("cuda") is its first engine that is
/// available, or its first, which then says why not.
std::vector<Contender> findContenders(const CompareCommand& command) {
  std::vector<Contender> contenders;
  for (const int count : usedThreads(command.threads)) {
    for (const std::string& name : command.engines) {
      const Engine* const engine = &namedEngine(name);
      const bool known = std::any_of(contenders.begin(), contenders.end(), [&](const Contender& c) {
        return c.engine == engine && c.threads == count;
      });
      if (!known) contenders.push_back({engine, count});
    }
  }
  return contenders;
}

std::string commandFor(const CompareCommand& command, int pages, const BenchRow& row,
                       const std::string& baseline) {
  std::vector<std::string> names = {row.engine};
  if (row.engine != baseline) names.push_back(baseline);
  return compareCommand(command.input, command.page - 1, pages, command.recipe, names, command.measure) +
         " --threads " + std::to_string(row.threads);
}

/// The page, or all pages as one image, in memory.
struct OpenedInput {
  ImageInfo info;
  Image image;
  std::unique_ptr<Source> source;  ///< may refer to `image`
};

void openInput(const CompareCommand& command, OpenedInput& opened) {
  const ImageLimits limits{.maxPixels = command.maxPixels};
  if (isOfPages(command.recipe.channel)) {
    PageStack stack = openPageStack(ImageFile(command.input), limits.maxBytes, limits);
    opened.info = std::move(stack.info);
    opened.source = std::move(stack.source);
    return;
  }
  const ImageFile file(command.input);
  if (command.page > file.pages()) {
    throw Error(ErrorCode::BadInput, command.input + ": has " + counted(file.pages(), "page") + ", not " +
                                         std::to_string(command.page));
  }
  LoadedImage loaded = file.read(command.page - 1, limits);
  opened.info = std::move(loaded.info);
  opened.image = std::move(loaded.image);
  opened.source = std::make_unique<ImageSource>(opened.image);
}

/// Of one that is taken from several; said now, too.
std::string pageNote(const CompareCommand& command, int pages) {
  if (pages < 2 || isOfPages(command.recipe.channel)) return "";
  const std::string note = "page " + std::to_string(command.page) + " of " + std::to_string(pages);
  log(LogLevel::Info, command.input + ": " + note + " is taken; --page takes another");
  return ", " + note;
}

}  // namespace

int runCompare(const CompareCommand& command, const std::string& commandText, std::stop_token stop) {
  const Recipe& recipe = command.recipe;
  const std::vector<FilterBank> banks = openBanks(recipe);
  const std::vector<Contender> contenders = findContenders(command);
  RunFiles files;
  files.read(command.input, "an input");
  readBanks(files, recipe);
  requireReportFiles(command, beginningsOf(ReportKind::Comparison), Foreign::Stays, files);
  const std::unique_ptr<Sandbox> sandbox = sandboxIf(command.untrusted, ImageLimits{}.maxBytes);
  OpenedInput opened;
  openInput(command, opened);
  const ChannelSelection selection =
      selectChannels(*opened.source, opened.info.channelNames, recipe.channel, banks.front().channels());

  BenchReport report{.kind = ReportKind::Comparison,
                     .command = commandText,
                     .environment = currentEnvironment(),
                     .input = command.input,
                     .inputNote = std::to_string(opened.info.width) + " x " +
                                  std::to_string(opened.info.height) + " " + toString(opened.info.type) +
                                  pageNote(command, opened.info.pages) +
                                  (selection.note.empty() ? "" : ", " + selection.note),
                     .bank = banks.front().info().name,
                     .bankTitle = banks.front().info().title,
                     .bankHash = banks.front().contentHash()};
  Hash all;
  all.add(report.bankHash);
  for (std::size_t i = 1; i < banks.size(); ++i) {
    const Activation activation = recipe.stages[i - 1].activation;
    report.bank += (activation == Activation::None ? "" : std::string(", ") + toString(activation)) +
                   ", then " + banks[i].info().name;
    report.bankTitle += ", then " + banks[i].info().title;
    all.add(banks[i].contentHash());
    report.bankHash = all.value();
  }
  {
    Progress progress(command.progress, 0);
    ComparisonOptions options;
    options.run.plan.precision = recipe.precision;
    options.run.verifyReference = command.verify;
    options.measure = command.measure;
    options.baseline = baselineEngine().name();
    options.progress = [&](const std::string& what) { progress.show(0, what); };
    compareEngines(report, makePipeline(recipe, banks), *selection.source, contenders, options, stop);
  }
  for (BenchRow& row : report.rows)
    row.command = commandFor(command, opened.info.pages, row, report.baseline);
  for (const Contender& contender : contenders) {
    const std::pair<std::string, std::string> entry{contender.engine->name(),
                                                    contender.engine->description()};
    if (std::find(report.environment.begin(), report.environment.end(), entry) == report.environment.end()) {
      report.environment.push_back(entry);
    }
  }

  std::cout << toTable(report) << "\n";
  for (const auto& [name, value] : report.environment) std::cout << name << ": " << value << "\n";
  if (!command.json.empty()) writeFileAtomically(command.json, toJson(report));
  if (!command.csv.empty()) writeFileAtomically(command.csv, toCsv(report));
  if (!command.markdown.empty()) writeFileAtomically(command.markdown, toMarkdown(report));

  if (anyOwn(report.rows, Disposition::Incorrect)) return exitMismatch;
  if (anyOwn(report.rows, Disposition::Failed)) return exitSomeFailed;
  const bool nothing = std::all_of(report.rows.begin(), report.rows.end(), [](const BenchRow& row) {
    return row.disposition == Disposition::Unsupported;
  });
  if (nothing) log(LogLevel::Error, "none of these engines can filter this: nothing was compared");
  return nothing ? exitUsage : exitOk;
}

}  // namespace bankside::headless

#include <algorithm>
#include <iostream>

#include "core/bench/comparison.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/image_io.h"
#include "core/imageio/page_stack.h"
#include "core/log.h"
#include "core/parallel.h"
#include "core/run/channel.h"
#include "core/text.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/inputs.h"
#include "gui/headless/progress.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

/// Every engine that the words name, at every thread count; a family ("cuda") is its first engine that is
/// available, or its first, which then says why not.
std::vector<Contender> findContenders(const CompareCommand& command) {
  std::vector<int> threads;
  for (const int count : command.threads) {
    if (count > availableThreads()) {
      log(LogLevel::Warning,
          std::to_string(count) + " threads asked for, " + std::to_string(availableThreads()) + " used");
    }
    const int real = count == 0 ? availableThreads() : std::min(count, availableThreads());
    if (std::find(threads.begin(), threads.end(), real) == threads.end()) threads.push_back(real);
  }
  std::vector<Contender> contenders;
  for (const int count : threads) {
    for (const std::string& name : command.engines) {
      const Engine* engine = findEngine(name);
      if (engine == nullptr) selectEngine(name, {});  // throws with the list of names
      const bool known = std::any_of(contenders.begin(), contenders.end(), [&](const Contender& c) {
        return c.engine == engine && c.threads == count;
      });
      if (!known) contenders.push_back({engine, count});
    }
  }
  return contenders;
}

std::string commandFor(const CompareCommand& command, const BenchRow& row, const std::string& baseline) {
  const Recipe& recipe = command.recipe;
  const Stage& stage = recipe.stages.front();
  std::string text = "bankside compare " + shellWord(command.input) + " --bank " + shellWord(stage.bank);
  if (recipe.channel != ChannelChoice::Auto) text += std::string(" --channel ") + toString(recipe.channel);
  if (recipe.border != Border{}) text += " --border " + format(recipe.border);
  if (stage.mode) text += std::string(" --mode ") + toString(*stage.mode);
  if (stage.combine != Combine::None) text += std::string(" --combine ") + toString(stage.combine);
  if (recipe.stages.size() > 1) {
    const Stage& then = recipe.stages[1];
    if (stage.activation != Activation::None)
      text += std::string(" --activation ") + toString(stage.activation);
    text += " --then " + shellWord(then.bank);
    if (then.mode) text += std::string(" --then-mode ") + toString(*then.mode);
    if (then.combine != Combine::None) text += std::string(" --then-combine ") + toString(then.combine);
  }
  if (recipe.precision != Precision::Fp32) text += std::string(" --precision ") + toString(recipe.precision);
  text += " --engines " + row.engine;
  if (row.engine != baseline) text += "," + baseline;
  return text + " --threads " + std::to_string(row.threads);
}

/// The page, or all pages as one image, in memory.
struct OpenedInput {
  ImageInfo info;
  Image image;
  std::unique_ptr<Source> source;  ///< may refer to `image`
};

void openInput(const CompareCommand& command, OpenedInput& opened) {
  if (command.recipe.channel == ChannelChoice::Pages) {
    PageStack stack = openPageStack(command.input, ImageLimits().maxBytes);
    opened.info = std::move(stack.info);
    opened.source = std::move(stack.source);
    return;
  }
  const ImageInfo pages = readImageInfo(command.input);
  if (command.page > pages.pages) {
    throw Error(ErrorCode::BadInput, command.input + ": has " + std::to_string(pages.pages) +
                                         " page(s), not " + std::to_string(command.page));
  }
  LoadedImage loaded = readImage(command.input, command.page - 1);
  opened.info = std::move(loaded.info);
  opened.image = std::move(loaded.image);
  opened.source = std::make_unique<ImageSource>(opened.image);
}

}  // namespace

int runCompare(const CompareCommand& command, const std::string& commandText, std::stop_token stop) {
  const Recipe& recipe = command.recipe;
  const std::vector<FilterBank> banks = openBanks(recipe);
  const FilterBank& bank = banks.back();
  const Stage& last = recipe.stages.back();
  const std::vector<Contender> contenders = findContenders(command);
  for (const std::string& file : {command.json, command.csv, command.markdown})
    requireReportFile(file, {command.input});
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
                                  (selection.note.empty() ? "" : ", " + selection.note),
                     .bank = banks.front().info().name,
                     .bankTitle = banks.front().info().title,
                     .bankHash = banks.front().contentHash()};
  if (banks.size() > 1) {
    const Activation activation = recipe.stages.front().activation;
    report.bank += (activation == Activation::None ? "" : std::string(", ") + toString(activation)) +
                   ", then " + bank.info().name;
    report.bankTitle += ", then " + bank.info().title;
    Hash both;
    both.add(report.bankHash);
    both.add(bank.contentHash());
    report.bankHash = both.value();
  }
  {
    Progress progress(command.progress, 0);
    ComparisonOptions options{.border = recipe.border,
                              .mode = last.mode,
                              .combine = last.combine,
                              .first = {},
                              .precision = recipe.precision,
                              .measure = command.measure,
                              .verify = command.verify,
                              .progress = [&](const std::string& what) { progress.show(0, what); }};
    if (banks.size() > 1) {
      const Stage& first = recipe.stages.front();
      options.first = FirstStage{banks.front(), first.mode, first.combine, first.activation};
    }
    compareEngines(report, bank, *selection.source, contenders, options, stop);
  }
  for (BenchRow& row : report.rows) row.command = commandFor(command, row, report.baseline);
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
  return anyOwn(report.rows, Disposition::Failed) ? exitSomeFailed : exitOk;
}

}  // namespace bankside::headless

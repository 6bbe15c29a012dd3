#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/log.h"
#include "core/process.h"
#include "core/run/report_writer.h"
#include "core/text.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/distinct_results.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/filter_pages.h"
#include "gui/headless/filter_runner.h"
#include "gui/headless/inputs.h"
#include "gui/headless/truth_files.h"
#include "gui/headless/untrusted.h"

namespace bankside::headless {

namespace {

FilterCommand ofScale(const FilterCommand& command, const ScaleGroup& group) {
  FilterCommand scaled = command;
  scaled.pixelsPerDegree = group.pixelsPerDegree;
  return scaled;
}

bool mayGoOn(const Tally& tally) {
  return !tally.interrupted && !tally.diskFull && !tally.lostDevice && tally.lost.empty();
}

/// Those that a run which was stopped did not come to.
void addUntried(FilterReport& report, const std::vector<InputFile>& inputs) {
  std::set<std::string> tried;
  for (const ImageRun& image : report.images) tried.insert(image.input);
  for (const InputFile& input : inputs) {
    if (!tried.contains(input.path.string())) report.untried.push_back(input.path.string());
  }
  if (report.untried.empty()) return;
  report.notes.push_back("stopped: " + counted(std::ssize(report.untried), "input") + " not tried");
}

void warnOfNoEffect(const FilterCommand& command) {
  const Recipe& recipe = command.recipe;
  if (!recipe.responses && !recipe.ofMaps() && recipe.stages.back().combine == Combine::None)
    log(LogLevel::Warning,
        "--no-responses changes nothing: without a combined map every response is written");
  if (command.thresholdGiven && recipe.map != OutputMap::Binary && command.saveRecipe.empty())
    log(LogLevel::Warning, "--threshold changes nothing without --map binary");
  const bool judged = recipe.verify == VerifyLevel::Reference || recipe.verify == VerifyLevel::All;
  if (judged && recipe.ofMaps())
    log(LogLevel::Info, "--verify judges every step in double precision, which takes many times as long");
  const bool scaled = command.pixelsPerDegree > 0 || !command.scaleTable.empty();
  if (scaled && !recipe.ofMaps())
    log(LogLevel::Warning, "--scale changes nothing: it is for recipes of steps, which resample");
  if (scaled && !command.saveRecipe.empty())
    log(LogLevel::Info, command.saveRecipe + ": has no scale, which belongs to images; give --scale with it");
}

}  // namespace

int runFilter(const FilterCommand& command, const std::string& commandText, std::stop_token stop) {
  giveBackLargeMemory();
  const std::vector<FilterBank> banks = openBanks(command.recipe);
  warnOfNoEffect(command);
  std::vector<std::string> remarks;
  std::vector<InputFile> inputs = findInputs(command.inputs, remarks);
  if (inputs.empty()) {
    log(LogLevel::Error, "no image files in " + joinWords(command.inputs));
    return exitEmptyInput;
  }
  for (const std::string& remark : remarks) log(LogLevel::Warning, remark);
  const std::unique_ptr<Sandbox> sandbox = sandboxIf(command.untrusted, command.memory);
  giveFields(inputs, command.field, command.recipe);
  giveScales(inputs, command.scaleTable);
  const std::vector<ScaleGroup> groups = scaleGroups(inputs, command.pixelsPerDegree);
  // Banks that do not go together are a wrong command, said before anything is made.
  Runner runner = makeFilterRunner(ofScale(command, groups.front()), banks);
  RunFiles files;
  for (const InputFile& input : inputs) {
    files.read(input.path, "an input");
    if (!input.field.empty()) files.read(input.field, "a mask");
  }
  files.read(command.recipeFile, "the recipe");
  files.read(command.scaleTable, "the scales");
  readBanks(files, command.recipe);
  const ResultFolder folder(command.output, command.inputs);  // a report may go there
  requireReportFile(command.report, "the report", beginningsOf(FilterReport::fileKind).json,
                    foreign(command.force), files);
  requireReportFile(command.saveRecipe, "the saved recipe", "", foreign(command.force), files);
  requireDistinctResults(command, inputs, runner, files);
  if (!command.saveRecipe.empty())
    writeFileAtomically(command.saveRecipe, writeRecipe(command.recipe), existing(command.force));

  FilterReport report{.environment = currentEnvironment(),
                      .command = commandText,
                      .recipe = writeRecipe(command.recipe),
                      .notes = std::move(remarks),
                      .banks = {},
                      .images = {}};
  for (const FilterBank& bank : banks) report.banks.push_back({bank.info().name, bank.contentHash()});
  Tally tally = filterPages(ofScale(command, groups.front()), imagesOf(groups.front(), inputs), runner, files,
                            report, stop);
  for (std::size_t i = 1; i < groups.size() && mayGoOn(tally); ++i) {
    const FilterCommand scaled = ofScale(command, groups[i]);
    Runner other = makeFilterRunner(scaled, banks);
    const StageTimes before = report.stages;
    tally += filterPages(scaled, imagesOf(groups[i], inputs), other, files, report, stop);
    report.stages += before;
  }
  if (!tally.lost.empty()) log(LogLevel::Error, tally.lost);
  if (report.images.size() > 1) log(LogLevel::Info, toString(report.stages));
  addUntried(report, inputs);
  if (!command.report.empty()) writeFileAtomically(command.report, toJson(report));
  if (tally.interrupted) throw Cancelled();
  if (!tally.lost.empty()) return exitInternal;
  if (tally.failed > 0) {
    log(LogLevel::Error,
        std::to_string(tally.failed) + " of " + counted(std::ssize(report.images), "image") + " failed");
  }
  if (tally.diskFull || tally.lostDevice) {
    log(LogLevel::Error, std::string("stopped, as ") +
                             (tally.diskFull ? "nothing more fits" : "nothing is left that may filter") +
                             "; what is finished is kept, and the same command goes on");
    return exitTransient;
  }
  if (tally.mismatch) return exitMismatch;
  if (tally.wanted) return exitTransient;
  return tally.failed > 0 ? exitSomeFailed : exitOk;
}

}  // namespace bankside::headless

#include "gui/headless/batch_steps.h"

#include <filesystem>

#include "core/batch/contact_sheet.h"
#include "core/batch/image_list.h"
#include "core/batch/journal.h"
#include "core/batch/ledger.h"
#include "core/batch/manifest.h"
#include "core/batch/sheet_page.h"
#include "core/environment.h"
#include "core/folder.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/part_file.h"
#include "core/log.h"
#include "core/text.h"
#include "gui/headless/batch_shard.h"
#include "gui/headless/destinations.h"
#include "gui/headless/distinct_results.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/filter_runner.h"
#include "gui/headless/inputs.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

/// The oddest ones of a contact sheet: more take a browser's breath.
constexpr std::size_t sheetImages = 500;

/// Shards run elsewhere: their folders are not this one's, and neither may be their machines.
void freeze(Recipe& recipe) {
  const auto freezeBank = [](std::string& bank) {
    std::error_code ignored;
    if (!bank.empty() && fs::is_regular_file(bank, ignored)) bank = absolutePath(bank);
  };
  for (Stage& stage : recipe.stages) freezeBank(stage.bank);
  for (RecipeStep& step : recipe.steps) freezeBank(step.bank);
  if (recipe.engine != "auto") return;
  try {
    requireEngine("cuda");
  } catch (const Error&) {
    recipe.engine = "cpu";
  }
}

ManifestHead headOf(const BatchCommand& command) {
  ManifestHead head;
  head.program = versionText();
  head.input = absolutePath(command.input);
  head.output = absolutePath(command.output);
  head.recipe = command.filter.recipe;
  freeze(head.recipe);
  head.page = command.filter.page;
  head.pixelsPerDegree = command.filter.pixelsPerDegree;
  head.maxPixels = command.filter.maxPixels;
  head.sample = command.sample;
  return head;
}

/// Below the folder, itself included. Unfinished files of runs that have ended.
void removeParts(const fs::path& folder) {
  for (const fs::path& part : removeAbandonedParts(folder))
    log(LogLevel::Info, part.string() + ": removed; a run that was killed had left it unfinished");
  std::error_code failure;
  for (const fs::path& entry : entriesOf(folder, failure))
    if (fs::symlink_status(entry, failure).type() == fs::file_type::directory) removeParts(entry);
}

/// Itself, or some folder below, however it is reached: by a link, a mount, or not made yet.
bool liesIn(const fs::path& folder, const fs::path& other) {
  std::error_code failure;
  for (fs::path above = fs::weakly_canonical(fs::absolute(folder)); !above.empty();
       above = above.parent_path()) {
    if (fs::equivalent(above, other, failure) && !failure) return true;
    if (above == above.parent_path()) break;
  }
  return false;
}

/// Whether another plan, or one that cannot be read, stands there.
bool standsAnother(const fs::path& manifest, std::uint64_t hash) {
  std::error_code failure;
  if (!fs::exists(manifest, failure)) return false;
  try {
    return Manifest(manifest).hash() != hash;
  } catch (const Error&) {
    return true;
  }
}

/// Of the plan that is about to take the place of another. It may have been run before that one, whose
/// results, of the same names and sizes, are no longer its own. Errors  Error{Io}
void forgetJournals(const fs::path& manifest, std::uint64_t hash) {
  const std::string ours = formatHash(hash) + ".";
  std::error_code failure;
  for (const fs::path& journal : entriesOf(journalFolder(manifest), failure)) {
    if (!journal.filename().string().starts_with(ours)) continue;
    fs::remove(journal, failure);
    if (failure) throw Error(ErrorCode::Io, journal.string() + ": " + failure.message());
  }
}

/// Before any of them is written.
void requireReports(const BatchCommand& command, RunFiles& files) {
  const bool whole = command.action == BatchCommand::Action::All;  // merge has no --force
  const Foreign other = command.filter.force                  ? Foreign::Goes
                        : whole && command.watched == nullptr ? Foreign::StaysUnlessForced
                                                              : Foreign::Stays;
  const ReportBeginnings beginnings = batchReportBeginnings();
  requireReportFile(command.json, "the JSON report", beginnings.json, other, files);
  requireReportFile(command.csv, "the CSV report", beginnings.csv, other, files);
  requireReportFile(command.sheet, "the contact sheet", sheetBeginning, other, files);
}

}  // namespace

/// What `fs::absolute` of a path is without dots in it.
std::string absolutePath(const std::string& path) {
  std::string text = fs::absolute(path).lexically_normal().string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

void requireFoldersApart(const std::string& input, const std::string& output) {
  std::error_code failure;
  const auto refuse = [](const std::string& sentence) { throw Error(ErrorCode::BadInput, sentence); };
  if (!fs::is_directory(input, failure))
    refuse(input + ": " + (failure ? failure.message() : "is not a folder"));
  if (liesIn(output, input))
    refuse(output +
           ": lies in the folder of the images; the next plan would take the results for images, so name "
           "another");
}

void requireNamed(const std::string& file) {
  std::error_code failure;
  if (!fs::exists(file, failure))
    throw Error(ErrorCode::BadInput, file + ": " + (failure ? failure.message() : "there is no such file"));
}

void readPlanned(const Manifest& manifest, RunFiles& files) {
  files.read(manifest.path(), "the manifest");
  readBanks(files, manifest.head().recipe);
  std::error_code none;
  for (const fs::path& journal : entriesOf(journalFolder(manifest.path()), none))
    files.read(journal, "a journal");
}

int planBatch(const BatchCommand& command) {
  takeDevices(command.filter);  // before the engine is one that this machine has
  requireReady(command.filter);
  ManifestHead head = headOf(command);
  requireFoldersApart(head.input, head.output);
  if (!command.list.empty()) requireNamed(command.list);
  const FilterCommand filter = filterCommand(head, command.filter);
  const std::vector<FilterBank> banks = openBanks(head.recipe);
  for (const FilterBank& bank : banks) head.banks.push_back({bank.info().name, bank.contentHash()});
  const Runner runner = makeFilterRunner(withAnyScale(filter), banks);
  RunFiles files;
  files.read(filter.recipeFile, "the recipe");
  files.read(command.list, "the list");
  readBanks(files, head.recipe);
  requireReportFile(command.manifest, "the manifest", beginningsOf(ManifestHead::fileKind).json,
                    Foreign::Stays, files);
  requireReports(command, files);

  ManifestWriter writer(command.manifest, head);
  std::string unscaled;  // one that has no scale of its own
  bool scaled = head.pixelsPerDegree > 0;
  const auto take = [&](const ManifestEntry& entry) {
    if (entry.pixelsPerDegree == 0)
      unscaled = entry.id;
    else
      scaled = true;
    writer.add(entry);
  };
  LeftOut leftOut;
  const Suspects suspects = command.list.empty() ? scanFolder(head.input, command.patterns, take, &leftOut)
                                                 : readImageList(command.list, head.input, take);
  if (writer.images() == 0) {
    log(LogLevel::Error, "no images in " + (command.list.empty() ? head.input : command.list) +
                             (command.patterns.empty() ? "" : " match " + joinWords(command.patterns)));
    return exitEmptyInput;
  }
  if (!unscaled.empty()) makeFilterRunner(filter, banks);  // says so where the recipe wants one
  std::vector<InputFile> doubtful;
  for (const std::string& id : suspects)
    doubtful.push_back({.path = fs::path(head.input) / id, .stem = stemOf(id), .error = ""});
  if (!doubtful.empty()) requireDistinctResults(filter, doubtful, runner, files);
  if (command.anew && standsAnother(command.manifest, writer.hash()))
    forgetJournals(command.manifest, writer.hash());
  writer.finish(existing(command.anew), leftOut);
  if (!leftOut.empty()) log(LogLevel::Warning, head.input + ": " + leftOut.sentence());
  if (scaled && !head.recipe.ofMaps())
    log(LogLevel::Warning, "pixels per degree change nothing: they are for recipes of steps, which resample");
  if (command.filter.recipe.engine == "auto" && head.recipe.engine == "cpu")
    log(LogLevel::Info, "there is no GPU here, so all shards compute on CPUs; --engine cuda asks for GPUs");
  log(LogLevel::Info, command.manifest + ": " + counted(writer.images(), "image"));
  return exitOk;
}

BatchReport mergeBatch(const BatchCommand& command, const std::string& commandText,
                       const std::stop_token& stop) {
  RunFiles files;
  files.read(command.filter.recipeFile, "the recipe");
  files.read(command.list, "the list");
  requireNamed(command.manifest);
  const Manifest manifest(command.manifest);
  readPlanned(manifest, files);
  requireReports(command, files);
  const Ledger ledger(manifest);
  std::optional<AtomicFile> csv;
  std::string lines;
  const auto flush = [&] {
    if (csv) csv->write(lines);
    lines.clear();
  };
  if (!command.csv.empty()) csv.emplace(command.csv);
  BatchReport report = mergeJournals(manifest, ledger, [&](const std::string& line) {
    lines += line;
    if (lines.size() > (std::size_t{1} << 20)) flush();
  });
  flush();
  if (csv) csv->commit();
  if (!command.json.empty()) writeFileAtomically(command.json, toJson(report, manifest, commandText));
  const fs::path output = command.output.empty() ? manifest.head().output : command.output;
  if (!command.sheet.empty())
    writeFileAtomically(command.sheet,
                        contactSheet(manifest, ledger, manifest.head().input, output, sheetImages, stop));
  // Before that, shards may be running whose locks are not seen here.
  if (report.untried == 0) removeParts(output);
  return report;
}

BatchOutcome runWholeBatch(BatchCommand command, const std::string& commandText,
                           const std::stop_token& stop) {
  requireFoldersApart(command.input, command.output);
  const ResultFolder folder(command.output, {});
  if (command.manifest.empty()) command.manifest = (fs::path(command.output) / "manifest.jsonl").string();
  try {
    if (const int code = planBatch(command); code != exitOk) return {code, {}, {}};
  } catch (const WouldReplace&) {
    throw OtherPlan(
        command.manifest +
        ": is a plan of other images or settings; go on with it by bankside batch run --manifest, "
        "or give --plan-anew");
  }
  command.input.clear();
  command.output.clear();
  command.shard = Shard{};  // of an array's tasks too: who asks for everything gets it
  const ShardOutcome run = runShard(command, stop);
  BatchOutcome outcome{run.code, run.reason, {}};
  const bool toItsEnd = run.reason.empty();
  if (!toItsEnd) return outcome;
  outcome.report = mergeBatch(command, commandText, stop);
  return outcome;
}

}  // namespace bankside::headless

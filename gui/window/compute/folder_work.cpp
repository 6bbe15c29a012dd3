#include "gui/window/compute/folder_work.h"

#include <utility>

#include "core/batch/ledger.h"
#include "core/engine.h"
#include "core/imageio/atomic_file.h"
#include "gui/headless/batch_steps.h"
#include "gui/headless/destinations.h"
#include "gui/headless/exit_code.h"
#include "gui/window/compute/folder_report.h"
#include "gui/window/compute/honest_format.h"
#include "gui/window/compute/thumbnail.h"

namespace bankside::window {
namespace {

namespace fs = std::filesystem;

constexpr const char* listBeginning = "image\n\"";

/// The files of ours beside the results, which replace nobody else's.
void requireFiles(const FolderRequest& request) {
  const auto other = request.replace ? headless::Foreign::Goes : headless::Foreign::Stays;
  headless::RunFiles files;
  headless::requireReportFile(request.output / folderTable, "the table", folderTableBeginning, other, files);
  if (!request.images.empty())
    headless::requireReportFile(request.output / folderList, "the list of images", listBeginning, other,
                                files);
}

/// Below the folder and its sub-folders, also where all of it is filtered.
std::vector<std::string> namesOf(const FolderRequest& request) {
  if (!request.images.empty()) return request.images;
  std::vector<std::string> names;
  for (const fs::path& file : imagesBelow(request.input, true))
    names.push_back(file.lexically_relative(request.input).string());
  return names;
}

/// Journals may be a stranger's.
bool liesBelow(const fs::path& folder, const fs::path& file) {
  std::error_code failure;
  const fs::path between =
      fs::weakly_canonical(file, failure).lexically_relative(fs::weakly_canonical(folder, failure));
  return !failure && !between.empty() && *between.begin() != ".." && !fs::is_symlink(file, failure);
}

/// What a run left: its table, its sheet, and results that are still what its journals say.
struct Left {
  std::uint64_t plan = 0;
  std::vector<fs::path> files;
};

Left leftBefore(const fs::path& manifest, const fs::path& output) {
  Left left{0, {output / folderTable, output / folderSheet}};
  try {
    const Manifest plan(manifest);
    const Ledger ledger(plan);
    left.plan = plan.hash();
    for (std::int64_t i = 0; i < plan.images(); ++i) {
      if (!ledger.done(i)) continue;
      for (const BatchOutput& result : ledger.read(i).outputs) {
        std::error_code failure;
        const fs::path file = output / result.file;
        if (fs::file_size(file, failure) == static_cast<std::uintmax_t>(result.bytes) && !failure &&
            liesBelow(output, file))
          left.files.push_back(file);
      }
    }
  } catch (const Error&) {
    // A plan that cannot be read has no results that are known.
  }
  return left;
}

void writeList(const fs::path& file, const std::vector<std::string>& images) {
  std::string text = "image\n";
  for (const std::string& image : images) {
    text += '"';
    for (const char letter : image) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    text += "\"\n";
  }
  writeFileAtomically(file, text);
}

}  // namespace

FolderReport runFolder(const FolderRequest& request, const std::function<void(const FolderProgress&)>& watch,
                       const std::stop_token& stop) {
  requireHonestFormat(request.recipe);
  headless::BatchCommand command;
  command.input = request.input.string();
  command.output = request.output.string();
  command.manifest = (request.output / "manifest.jsonl").string();
  command.filter.recipe = request.recipe;
  command.filter.pixelsPerDegree = request.pixelsPerDegree;
  command.filter.threads = request.threads;
  command.filter.force = request.replace;
  command.anew = request.replace;
  command.sheet = (request.output / folderSheet).string();
  headless::requireFoldersApart(command.input, command.output);
  const headless::ResultFolder folder(command.output, {});
  requireFiles(request);
  requireOneTruth(request.truth, request.input, namesOf(request));
  if (!request.images.empty()) {
    command.list = (request.output / folderList).string();
    writeList(command.list, request.images);
  }
  Left before;
  if (request.replace) before = leftBefore(command.manifest, request.output);
  FolderProgress progress;
  command.watched = [&](const headless::BatchProgress& batch) {
    // Another plan stands, and none of its results do: what is of the old one goes.
    const Left old = std::exchange(before, {});
    if (!old.files.empty() && Manifest(command.manifest).hash() != old.plan) {
      std::error_code ignored;
      for (const fs::path& file : old.files) fs::remove(file, ignored);
    }
    progress.total = batch.total;
    progress.before = batch.before;
    progress.done = batch.done;
    progress.failed = batch.failed;
    progress.image = batch.id;
    progress.error = batch.error;
    watch(progress);
  };
  try {
    const headless::BatchOutcome outcome = headless::runWholeBatch(command, "bankside-window", stop);
    if (outcome.code == headless::exitEmptyInput)
      throw Error(ErrorCode::BadInput, request.input.string() + ": there is no image in this folder");
    if (!outcome.report) throw Error(ErrorCode::Io, outcome.reason);
  } catch (const headless::OtherPlan& other) {
    throw OtherRun(other.what());
  }
  if (stop.stop_requested()) throw Cancelled();
  progress.stage = FolderProgress::Stage::Measuring;
  progress.image.clear();
  progress.error.clear();
  FolderReport report = measureFolder(
      {.manifest = command.manifest,
       .input = request.input,
       .output = request.output,
       .region = request.region,
       .truth = request.truth,
       .judged = request.judged,
       .judgedAlone = request.judgedAlone,
       .threshold = request.threshold,
       .threads = request.threads},
      [&](int done, int of) {
        progress.before = 0;
        progress.done = done;
        progress.total = of;
        watch(progress);
      },
      stop);
  writeFileAtomically(request.output / folderTable, toCsv(report));
  return report;
}

}  // namespace bankside::window

#include "gui/headless/batch_shard.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <utility>

#include "core/batch/journal.h"
#include "core/batch/ledger.h"
#include "core/engine.h"
#include "core/environment.h"
#include "core/error.h"
#include "core/imageio/part_file.h"
#include "core/log.h"
#include "core/stopping.h"
#include "core/text.h"
#include "gui/headless/destinations.h"
#include "gui/headless/ending.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/filter_pages.h"
#include "gui/headless/filter_runner.h"
#include "gui/headless/inputs.h"
#include "gui/headless/page_entry.h"
#include "gui/headless/progress.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

/// Images that go through one pipeline: names of results and reports of so many are held.
constexpr std::size_t imagesAtOnce = 1024;

/// Runners hold plans and memory; a list of images may name many scales.
constexpr std::size_t mostRunners = 4;

/// An image that is to be done.
struct Pending {
  std::int64_t number = 0;
  ManifestEntry planned;
  int attempt = 1;
};

class ShardRun {
 public:
  ShardRun(const BatchCommand& command, const Manifest& manifest, std::vector<FilterBank> banks,
           const Shard& shard, const std::stop_token& stop)
      : command_(command),
        manifest_(manifest),
        banks_(std::move(banks)),
        shard_(shard),
        filter_(filterCommand(manifest.head(), command.filter)),
        input_(command.input.empty() ? manifest.head().input : command.input),
        place_(command.input.empty() ? InputPlace::Planned : InputPlace::Copied),
        journal_(manifest, shard),
        ledger_(manifest),
        sample_(verifiedSpread(manifest)),
        ending_(stop, !command.watched),
        stop_(stop) {
    if (!command.output.empty()) filter_.output = command.output;
    filter_.progress = false;
    filter_.told = [this](const Page& page) { take(page); };
  }

  ShardOutcome run() {
    if (std::string why = whyNotWritten(); !why.empty()) return {exitTransient, std::move(why)};
    count();
    if (std::string why = whyNotRead(); !why.empty() && doneBefore_ < total_)
      return {exitTransient, std::move(why)};
    watch({}, {});
    Progress progress(command_.filter.progress && !command_.watched, static_cast<int>(total_ - doneBefore_));
    progress_ = &progress;
    // Those that failed before come last: who gives up after some failures gets to the others at least.
    filterAll(false);
    if (failedBefore_ && !ended()) filterAll(true);
    journal_.sync();
    progress.clear();
    return conclude();
  }

 private:
  bool ended() const { return ending_.enough().stop_requested(); }

  /// A folder that is not mounted here, say: its images would fail one by one.
  std::string whyNotRead() const {
    std::error_code failure;
    if (fs::is_directory(input_, failure)) return {};
    return input_.string() + ": no images here: " + (failure ? failure.message() : "is not a folder");
  }

  std::string whyNotWritten() const {
    std::error_code failure;
    fs::create_directories(filter_.output, failure);
    const std::string why = failure ? failure.message() : whyNotWritable(filter_.output);
    return why.empty() ? "" : filter_.output + ": cannot write here: " + why;
  }

  void watch(const std::string& id, const std::string& error) const {
    if (command_.watched) command_.watched({total_, doneBefore_, doneNow_, failed_, id, error});
  }

  std::function<bool(std::string_view)> ours() const {
    return [shard = shard_](std::string_view id) { return shard.has(id); };
  }

  /// Looks at every result of before, so that what is left is known.
  void count() {
    done_.resize(static_cast<std::size_t>(manifest_.images()));
    manifest_.forEach(
        [&](std::int64_t number, const ManifestEntry& planned) {
          if (ended()) return false;
          ++total_;
          if (ledger_.done(number) && stands(number, planned)) {
            done_[static_cast<std::size_t>(number)] = true;
            ++doneBefore_;
          }
          return true;
        },
        ours());
    mostFailures_ = command_.mostFailures.of(total_);
    log(LogLevel::Info, "shard " + shard_.text() + ": " + counted(total_, "image") + ", " +
                            std::to_string(doneBefore_) + " of them done before");
  }

  void filterAll(bool again) {
    std::vector<Pending> pending;
    manifest_.forEach(
        [&](std::int64_t number, const ManifestEntry& planned) {
          const int attempts = ledger_.attempts(number);
          if (isDone(number)) return true;
          failedBefore_ = failedBefore_ || attempts > 0;
          if ((attempts > 0) != again) return true;
          pending.push_back({number, planned, attempts + 1});
          if (pending.size() == imagesAtOnce) filter(pending);
          return !ended();
        },
        ours());
    filter(pending);
  }

  bool isDone(std::int64_t number) const { return done_[static_cast<std::size_t>(number)]; }

  bool stands(std::int64_t number, const ManifestEntry& planned) {
    try {
      const JournalEntry entry = ledger_.read(number);
      if (entry.id != planned.id || stateOf(planned, input_, place_) == InputState::Changed) return false;
      const ResultState state = stateOf(entry, filter_.output, command_.content);
      if (state == ResultState::Torn) damaged_.emplace(number, entry.outputs);
      return state == ResultState::Present;
    } catch (const Error&) {
      return false;  // a line that cannot be read, or a result
    }
  }

  /// Those that are verified and those of another scale have runners of their own.
  void filter(std::vector<Pending>& pending) {
    std::map<std::pair<double, bool>, std::vector<Pending>> groups;
    for (Pending& image : pending) {
      const ManifestHead& head = manifest_.head();
      const double scale =
          image.planned.pixelsPerDegree > 0 ? image.planned.pixelsPerDegree : head.pixelsPerDegree;
      const bool verified =
          head.recipe.verify != VerifyLevel::Off && spread(image.planned.id, verifySalt) < sample_;
      groups[{scale, verified}].push_back(std::move(image));
    }
    pending.clear();
    for (auto& [settings, images] : groups) {
      if (ended()) return;
      filter_.pixelsPerDegree = settings.first;
      filter_.recipe.verify = settings.second ? manifest_.head().recipe.verify : VerifyLevel::Off;
      filter(std::move(images), runnerOf(settings));
    }
  }

  Runner& runnerOf(const std::pair<double, bool>& settings) {
    if (runners_.size() >= mostRunners && !runners_.contains(settings)) runners_.clear();
    auto& runner = runners_[settings];
    if (runner == nullptr) runner = std::make_unique<Runner>(makeFilterRunner(filter_, banks_));
    return *runner;
  }

  void filter(std::vector<Pending> images, Runner& runner) {
    current_ = std::move(images);
    entry_ = {};
    inputs_.clear();
    for (const Pending& image : current_) {
      const fs::path path = input_ / image.planned.id;
      InputFile input{.path = path, .stem = stemOf(image.planned.id), .error = ""};
      if (stateOf(image.planned, input_, place_) == InputState::Changed)
        input.error = path.string() + ": changed after it was planned; plan again";
      makeFolder(fs::path(input.stem).parent_path());
      inputs_.push_back(std::move(input));
    }
    RunFiles files;
    FilterReport report;
    const Tally tally = filterPages(filter_, inputs_, runner, files, report, ending_.now(), ending_.enough());
    mismatch_ = mismatch_ || tally.mismatch;
    wanted_ = wanted_ || tally.wanted;
    if (tally.diskFull) endFor("the disk is full");
    if (!tally.lost.empty() && broken_.empty()) {
      broken_ = tally.lost;
      ending_.begin();
    }
    if (journalFailure_) endFor(sentenceOf(journalFailure_));
    journal_.sync();
  }

  /// What cannot be made is said by the image that wants it.
  void makeFolder(const fs::path& folder) {
    if (folder == lastFolder_) return;
    lastFolder_ = folder;
    std::error_code ignored;
    fs::create_directories(filter_.output / folder, ignored);
    // Elsewhere another shard may be writing, and not every file system tells machines of each other's locks.
    if (shard_.count == 1) removeAbandonedParts(filter_.output / folder);
  }

  void endFor(const std::string& transient) {
    if (transient_.empty()) transient_ = transient;
    ending_.begin();
  }

  /// A page that is done or failed; one at a time.
  void take(const Page& page) {
    try {
      const Pending& image = current_[static_cast<std::size_t>(page.input - inputs_.data())];
      if (page.error != nullptr && isTransient(page.error, page.report.run)) {
        entry_ = {};
        return endFor(page.report.error);
      }
      if (page.first) {
        entry_ = {.number = image.number, .attempt = image.attempt, .done = true, .id = image.planned.id};
      } else if (entry_.pages == 0 || page.number != nextPage_) {
        entry_ = {};  // nothing is known of a page before it
        return;
      }
      addPage(entry_, page, filter_.output, command_.content);
      nextPage_ = page.number + 1;
      if (!page.last) return;
      const JournalEntry entry = std::exchange(entry_, {});
      keep(entry, *page.input);
    } catch (const std::exception&) {
      entry_ = {};
      if (!journalFailure_) journalFailure_ = std::current_exception();
      ending_.begin();
    }
  }

  void keep(JournalEntry entry, const InputFile& input) {
    if (!input.error.empty()) entry.errorClass = "stale";
    if (const auto before = damaged_.find(entry.number);
        entry.errorClass == "exists" && before != damaged_.end()) {
      entry.error = "its result of before is damaged: " + entry.error;
      entry.outputs = before->second;  // whose they are, all the same
    }
    countNotes(entry, notes_);
    journal_.append(entry);
    if (entry.done) {
      ++doneNow_;
    } else if (++failed_ > mostFailures_ && !gaveUp_) {
      gaveUp_ = true;
      ending_.begin();
    }
    watch(entry.id, entry.error);
    if (!entry.done) progress_->clear();
    progress_->show(static_cast<int>(doneNow_ + failed_), entry.id);
  }

  ShardOutcome conclude() const {
    const std::int64_t done = doneBefore_ + doneNow_;
    if (!command_.watched) {
      for (const std::string& line : split(toText(notes_), '\n')) {
        if (!line.empty()) log(LogLevel::Info, line);
      }
      if (const LeftOut& leftOut = manifest_.leftOut(); !leftOut.empty())
        log(LogLevel::Warning, "planned: " + leftOut.sentence());
      std::cout << "shard " << shard_.text() << ": " << done << " of " << counted(total_, "image")
                << " done, " << doneBefore_ << " of them before; " << failed_ << " failed\n";
    }
    if (!broken_.empty()) return {exitInternal, broken_};
    if (!transient_.empty()) {
      return {exitTransient,
              "stopped (" + transient_ + "); what is finished is kept, and the same command goes on"};
    }
    if (gaveUp_)
      return {exitSomeFailed, "gave up, as more than " + counted(mostFailures_, "image") + " failed"};
    if (stop_.stop_requested()) throw Cancelled();
    return {mismatch_ ? exitMismatch : wanted_ ? exitTransient : failed_ > 0 ? exitSomeFailed : exitOk, {}};
  }

  const BatchCommand& command_;
  const Manifest& manifest_;
  std::vector<FilterBank> banks_;
  Shard shard_;
  FilterCommand filter_;
  fs::path input_;
  InputPlace place_;
  JournalWriter journal_;  // locked before the journals are read
  Ledger ledger_;
  double sample_;  ///< images of a smaller spread are verified
  Ending ending_;
  std::stop_token stop_;
  Progress* progress_ = nullptr;
  std::map<std::pair<double, bool>, std::unique_ptr<Runner>> runners_;
  fs::path lastFolder_ = "/";
  std::vector<bool> done_;                                    ///< of the manifest's entries: before this run
  std::map<std::int64_t, std::vector<BatchOutput>> damaged_;  ///< results of such, which are no longer whole
  NoteCounts notes_;

  std::vector<Pending> current_;
  std::vector<InputFile> inputs_;
  JournalEntry entry_;  ///< of the image whose pages come
  int nextPage_ = 0;    ///< of it
  std::int64_t total_ = 0;
  bool failedBefore_ = false;  ///< some that are not done have
  std::int64_t doneBefore_ = 0;
  std::int64_t doneNow_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t mostFailures_ = 0;
  bool mismatch_ = false;
  bool wanted_ = false;
  bool gaveUp_ = false;
  std::string transient_;
  std::string broken_;
  std::exception_ptr journalFailure_;
};

/// The banks of the manifest, if this program makes them as the one did that planned.
std::vector<FilterBank> plannedBanks(const Manifest& manifest) {
  const ManifestHead& head = manifest.head();
  const auto refuse = [&](const std::string& sentence) {
    throw Error(ErrorCode::BadInput, manifest.path().string() + ": " + sentence + "; plan again");
  };
  if (head.program != versionText())
    refuse("was planned by bankside " + head.program + ", and this is " + versionText());
  std::vector<FilterBank> banks = openBanks(head.recipe);
  if (banks.size() != head.banks.size()) refuse("its recipe and its banks do not go together");
  for (std::size_t i = 0; i < banks.size(); ++i) {
    if (banks[i].contentHash() != head.banks[i].hash)
      refuse("the bank " + head.banks[i].name + " is not what it was when this was planned");
  }
  return banks;
}

}  // namespace

FilterCommand filterCommand(const ManifestHead& head, const FilterCommand& run) {
  FilterCommand command = run;
  command.inputs = {head.input};
  command.output = head.output;
  command.recipe = head.recipe;
  command.page = head.page;
  command.pixelsPerDegree = head.pixelsPerDegree;
  command.maxPixels = head.maxPixels;
  return command;
}

FilterCommand withAnyScale(FilterCommand command) {
  if (command.pixelsPerDegree == 0) command.pixelsPerDegree = 1;
  return command;
}

ShardOutcome runShard(const BatchCommand& command, std::stop_token stop) {
  std::optional<Manifest> manifest;
  std::vector<FilterBank> banks;
  FilterCommand filter;
  const Shard shard = chooseShard(command.shard, command.shards, environ);
  try {
    manifest.emplace(command.manifest);
    banks = plannedBanks(*manifest);
    filter = withAnyScale(filterCommand(manifest->head(), command.filter));
  } catch (const Error& error) {
    return {exitPermanent, error.what()};
  }
  takeDevices(filter);  // of this command line, not of the plan: another one helps
  try {
    makeFilterRunner(filter, banks);
  } catch (const Error& error) {
    return {exitPermanent, error.what()};
  }
  try {
    ShardOutcome outcome = ShardRun(command, *manifest, std::move(banks), shard, stop).run();
    if (!command.watched) setProgramStop(stop);
    return outcome;
  } catch (const CannotFilter& error) {
    if (error.ofDevices) throw;
    return {exitPermanent, error.what()};
  } catch (const Error& error) {
    // Journals and results: another try may find their disk again, or the shard free.
    if (error.code() != ErrorCode::Io && dynamic_cast<const ShardTaken*>(&error) == nullptr) throw;
    return {exitTransient, error.what()};
  }
}

}  // namespace bankside::headless

#include "gui/headless/filter_pages.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/parallel.h"
#include "core/stopwatch.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/page_reader.h"

namespace bankside::headless {
namespace {

/// How much pages that are under way may take: what one alone takes at most, its image and its results, and
/// with several stages less the maps.
std::int64_t pageMemory(const FilterCommand& command) {
  return command.recipe.stages.size() > 1 ? command.memory / 2 : command.memory / 4 * 3;
}

/// The pages of a run on their way from the reader through the runner to the writer.
class PageQueue final : public ImageQueue {
 public:
  PageQueue(PageReader& reader, PageWriter& writer, std::stop_token stop, std::stop_token enough)
      : reader_(reader), writer_(writer), stop_(std::move(stop)), enough_(std::move(enough)) {}

  Item* next(bool wait) override {
    while (!writer_.stopped()) {
      Pages page = reader_.next(wait, stop_);
      if (page.empty() || enough_.stop_requested()) return nullptr;
      if (stop_.stop_requested()) throw Cancelled();
      if (begin(page.front())) {
        pages_.splice(pages_.end(), page);
        return &pages_.back().item;
      }
      writer_.take(std::move(page));
    }
    return nullptr;
  }

  void done(Item& item) override {
    Pages page;
    page.splice(page.end(), pages_, pages_.begin());
    page.front().report.run = std::move(item.run);
    page.front().error = item.error;
    writer_.take(std::move(page));
  }

 private:
  /// Whether it is to be filtered.
  bool begin(Page& page) {
    try {
      writer_.announce(page);
      if (page.alone && page.error == nullptr) page.item.receive = writingBands(page);
    } catch (const std::exception&) {
      page.error = std::current_exception();
    }
    return page.error == nullptr;
  }

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
  std::stop_token enough_;
  Pages pages_;  // under way, oldest first
};

/// Compressing files takes longer than filtering them; more than these wait for memory or the disk.
constexpr int mostWriters = 8;

}  // namespace

Tally filterPages(const FilterCommand& command, const std::vector<InputFile>& inputs, Runner& runner,
                  RunFiles& files, FilterReport& report, const std::stop_token& stop,
                  const std::stop_token& enough) {
  const int threads = command.threads > 0 ? command.threads : availableThreads();
  const bool overlapped = threads > 1;
  PageMemory memory(pageMemory(command));
  PageWriter writer(command, static_cast<int>(inputs.size()), report, memory,
                    overlapped ? std::min(threads, mostWriters) : 0);
  std::optional<int> pages;
  std::exception_ptr broken;
  bool interrupted = false;
  try {
    PageReader reader(command, inputs, runner, files, memory, overlapped);
    PageQueue queue(reader, writer, stop, enough);
    runner.runAll(queue, stop);
    pages = reader.count();
  } catch (const Cancelled&) {
    interrupted = true;
  } catch (const std::exception&) {
    broken = std::current_exception();
  }
  Tally tally = writer.finish(interrupted);
  const bool balanced = pages == tally.done + tally.failed;
  tally.interrupted = tally.interrupted || interrupted || (!balanced && enough.stop_requested());
  if (!balanced && !tally.interrupted && !tally.diskFull) {
    tally.lost = "the run broke off" + (broken ? ": " + sentenceOf(broken) : "") +
                 "; images done: " + std::to_string(tally.done) +
                 ", failed: " + std::to_string(tally.failed) +
                 ", of others nothing is known; the same command goes on";
  }
  return tally;
}

}  // namespace bankside::headless

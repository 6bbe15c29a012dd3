/// Writes the results of the pages of a run, several at a time, while later ones are filtered, and says what
/// became of each in the order of the inputs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "gui/headless/page.h"
#include "gui/headless/progress.h"

namespace bankside::headless {

/// What was counted while the command ran; decides the exit code.
struct Tally {
  int done = 0;
  int failed = 0;
  bool mismatch = false;
  bool interrupted = false;
  bool diskFull = false;
  std::string lost;  ///< that the account of the pages does not balance; empty if it does
};

class PageWriter {
 public:
  /// Everything must outlive it. `threads`: of its own; 0: pages are written as they are taken.
  PageWriter(const FilterCommand& command, int files, FilterReport& report, PageMemory& memory, int threads);
  ~PageWriter();
  PageWriter(const PageWriter&) = delete;
  PageWriter& operator=(const PageWriter&) = delete;

  /// The page is about to be filtered.
  void announce(const Page& page);
  /// The page alone that was filtered, or ended before.
  void take(Pages&& page);
  /// Nothing more is wanted: the disk is full.
  bool stopped() const { return stopped_; }
  /// Waits until everything taken is written; or, where `abandoned`, only for what is being written.
  Tally finish(bool abandoned);

 private:
  void write();
  void writePage(Page& page);
  void store(Page& page);
  void giveBack(Page& page);
  void tell(Pages&& page);
  void tellPage(Page& page);
  void keep(Page& page);
  void fail(Page& page);

  const FilterCommand& command_;
  FilterReport& report_;
  PageMemory& memory_;
  Tally tally_;
  std::atomic<bool> stopped_ = false;
  std::atomic<int> filesDone_ = 0;
  std::mutex console_;
  Progress progress_;

  std::mutex mutex_;
  std::condition_variable changed_;
  Pages waiting_;  // by number
  bool closed_ = false;
  std::mutex telling_;
  Pages written_;  // by number; not told, as an earlier one is not there
  int told_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace bankside::headless

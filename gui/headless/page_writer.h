/// Writes the results of the pages of a run, and says what became of each in the order of the inputs.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>

#include "core/run/run_report.h"
#include "gui/headless/page_flow.h"
#include "gui/headless/progress.h"

namespace bankside::headless {

/// What was counted while the command ran; decides the exit code.
struct Tally {
  int done = 0;
  int failed = 0;
  int dropped = 0;  ///< as if they had not been begun
  bool mismatch = false;
  bool interrupted = false;
  bool diskFull = false;
  bool wanted = false;      ///< memory, threads or open files, by some that failed
  bool lostDevice = false;  ///< and none is left that may filter; one page failed, and others were dropped
  std::string lost;         ///< that the account of the pages does not balance; empty if it does

  Tally& operator+=(const Tally& later) {
    done += later.done;
    failed += later.failed;
    dropped += later.dropped;
    mismatch = mismatch || later.mismatch;
    interrupted = interrupted || later.interrupted;
    diskFull = diskFull || later.diskFull;
    wanted = wanted || later.wanted;
    lostDevice = lostDevice || later.lostDevice;
    lost += later.lost;
    return *this;
  }
};

class PageWriter final : public PageEnd {
 public:
  /// Everything must outlive it.
  PageWriter(const FilterCommand& command, int files, FilterReport& report, const std::stop_token& stop);

  void announce(Page& page) override;
  void store(Page& page) override;
  void tell(Page& page) override;
  /// The disk is full, or the devices that were asked for are lost.
  bool stopped() const override { return diskFull_ || lostDevice_; }
  /// After the last page.
  Tally tally();
  /// Why the first page that is missing in the tally could not be told, if one is.
  std::exception_ptr untold() const { return untold_; }

 private:
  void write(Page& page);
  void keep(Page& page);
  void fail(Page& page);

  const FilterCommand& command_;
  FilterReport& report_;
  Tally tally_;
  std::exception_ptr untold_;
  StopCheck check_;
  std::atomic<bool> diskFull_ = false;
  std::atomic<bool> lostDevice_ = false;
  std::atomic<int> filesDone_ = 0;
  std::mutex console_;
  Progress progress_;
};

}  // namespace bankside::headless

/// The pages of a run from their files through the runner to their end, as many at a time as there are
/// threads.
///
/// Every thread does what is nearest to a page's end: it stores one that was filtered, or begins the next
/// one, reads it and, where the engine shares its plans among threads, filters and stores it too. What takes
/// a device, or all threads, for itself is filtered by the thread that runs the flow (`Runner::runAll`). That
/// thread is the first to ask for devices and engine, so that pages are read while a device is set up.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/kept_memory.h"
#include "core/run/stage_clock.h"
#include "core/stopwatch.h"
#include "gui/headless/page_reader.h"

namespace bankside::headless {

/// What becomes of pages.
class PageEnd {
 public:
  virtual ~PageEnd() = default;
  /// It is about to be filtered. On several threads. Throws what then is its error
  virtual void announce(Page& page) = 0;
  /// Filtered, or ended before. On several threads; throws nothing.
  virtual void store(Page& page) = 0;
  /// One after another, in the order of the inputs, without their pixels. Throws what ends the run
  virtual void tell(Page& page) = 0;
  /// No page is wanted any more.
  virtual bool stopped() const { return false; }
};

class PageFlow final : private ImageQueue {
 public:
  /// Everything must outlive it. `threads`: 1: pages take turns on the thread that runs it.
  PageFlow(PageReader& reader, const FilterCommand& command, Runner& runner, RunFiles& files,
           PageMemory& memory, PageEnd& end, int threads);

  /// Every page is told in the end. After `enough` none is begun, and those whose filtering has not begun are
  /// dropped. Errors  CannotFilter, where no page was filtered; Cancelled, and what else ends the run before
  void run(const std::stop_token& stop, const std::stop_token& enough = {});

  /// How many pages were begun, and whether there was no other one.
  int begun() const { return reader_.given(); }
  bool ended() const { return reader_.ended(); }

  /// What the stages did.
  StageTimes times() const { return times_; }

 private:
  Item* next(bool wait) override;
  void done(Item& item) override;

  enum class Task { None, Read, Filter, Store };
  void work();
  Task nextTask(Pages& page, KeptMemory& kept);
  Pages begin();
  void read(Pages&& page);
  bool engineIsUp();
  void getReady();
  void decide(Page& page);
  void filter(Page& page);
  void finish(Pages&& page);
  void giveBack(Page& page);
  void tell(Pages&& page);
  bool mayFilter();
  bool mayDrop() const { return enough_.stop_requested() && !(toFilter_.empty() && toFilterBeside_.empty()); }
  bool drop(Pages& page);
  bool drop(Page& page) const;
  Pages nextRead(bool wait);
  Pages readNext();
  void countRunner(const Page& page);
  void breakOff();
  void end();
  bool waiting() const { return !filtered_.empty() || !toFilterBeside_.empty(); }
  bool over() const { return (ended_ && underWay_ == 0) || broken_ || stop_.stop_requested(); }

  PageReader& reader_;
  const FilterCommand& command_;
  Runner& runner_;
  RunFiles& files_;
  PageMemory& memory_;
  PageEnd& end_;
  int threads_;
  std::stop_token stop_;
  std::stop_token enough_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  Pages toFilter_;        // by number, for the thread that runs
  Pages toFilterBeside_;  // by number, for any
  Pages filtered_;        // by number, for any
  bool engineIsUp_ = false;
  bool ready_ = false;  // of the thread that runs
  bool beginning_ = false;
  bool room_ = true;    // for all that is known
  bool ended_ = false;  // no page is begun any more
  int underWay_ = 0;    // begun and not told
  bool overlapped_ = false;
  std::exception_ptr broken_;  // what ended the run before
  std::vector<std::thread> workers_;

  Pages inRunner_;  // oldest first
  Clock::time_point runnerBegan_;

  std::mutex telling_;
  Pages stored_;  // by number; not told, as an earlier one is not there
  int told_ = 0;

  StageClock clock_;
  StageTimes times_;  // once it ran
};

}  // namespace bankside::headless

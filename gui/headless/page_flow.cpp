#include "gui/headless/page_flow.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "core/parallel.h"
#include "gui/headless/filter_runner.h"

namespace bankside::headless {
namespace {

/// Without waiting for a device.
double hostSeconds(const BankRun& run) { return run.hostTimes().total() + run.judgeSeconds; }

/// A page among others by their numbers. Nearly all of them are earlier.
void insert(Pages& pages, Pages& page) {
  auto at = pages.end();
  while (at != pages.begin() && isEarlier(page.front(), *std::prev(at))) --at;
  pages.splice(at, page);
}

}  // namespace

PageFlow::PageFlow(PageReader& reader, const FilterCommand& command, Runner& runner, RunFiles& files,
                   PageMemory& memory, PageEnd& end, int threads)
    : reader_(reader),
      command_(command),
      runner_(runner),
      files_(files),
      memory_(memory),
      end_(end),
      threads_(threads),
      clock_(threads, Clock::now()) {}

void PageFlow::run(const std::stop_token& stop, const std::stop_token& enough) {
  stop_ = stop;
  enough_ = enough;
  {
    const std::lock_guard lock(mutex_);  // for which they wait
    try {
      for (int i = 0; threads_ > 1 && i < threads_; ++i) workers_.emplace_back([this] { work(); });
    } catch (const std::exception&) {
      // Those that could be had do; without any, pages take turns.
    }
    overlapped_ = !workers_.empty();
  }
  const std::stop_callback ending(enough_, [this] { end(); });
  try {
    runner_.runAll(*this, stop_);
  } catch (const std::exception&) {
    breakOff();
  }
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
  times_ = clock_.times(Clock::now());
  // Behind pages that a stop, or a run that broke off, took along.
  for (Page& page : stored_) end_.tell(page);
  stored_.clear();
  if (broken_) std::rethrow_exception(broken_);
}

/// No page is begun any more.
void PageFlow::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

/// With what is being thrown.
void PageFlow::breakOff() {
  const std::lock_guard lock(mutex_);
  if (!broken_) broken_ = std::current_exception();
  changed_.notify_all();
}

void PageFlow::work() {
  // Pages take three quarters of the memory allowed.
  KeptMemory kept(static_cast<std::size_t>(command_.memory / 4 / threads_));
  Pages page;
  while (true) {
    switch (nextTask(page, kept)) {
      case Task::None: return;
      case Task::Read: read(std::move(page)); break;
      case Task::Filter:
        filter(page.front());
        finish(std::move(page));
        break;
      case Task::Store: finish(std::move(page)); break;
    }
    page.clear();
  }
}

PageFlow::Task PageFlow::nextTask(Pages& page, KeptMemory& kept) {
  std::unique_lock lock(mutex_);
  while (!over()) {
    if (!filtered_.empty()) {
      page.splice(page.end(), filtered_, filtered_.begin());
      return Task::Store;
    }
    if (drop(page)) return Task::Store;
    if (!toFilterBeside_.empty()) {
      page.splice(page.end(), toFilterBeside_, toFilterBeside_.begin());
      return Task::Filter;
    }
    if (!beginning_ && room_ && !ended_) {
      beginning_ = true;
      room_ = false;
      lock.unlock();
      page = begin();
      lock.lock();
      beginning_ = false;
      if (!page.empty()) room_ = true;
      changed_.notify_all();
      if (!page.empty()) return Task::Read;
    } else {
      if (!beginning_) kept.drop();  // it waits for others to end something
      changed_.wait(lock, stop_,
                    [&] { return over() || waiting() || mayDrop() || (!beginning_ && room_ && !ended_); });
    }
  }
  return Task::None;
}

/// The next page; none where there is none any more, which then is known, or no memory.
Pages PageFlow::begin() {
  Pages page;
  if (end_.stopped() || enough_.stop_requested()) {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    return page;
  }
  try {
    const StageTask decode(clock_, StageTimes::Decode);
    page = reader_.next(overlapped_);
  } catch (const std::exception&) {
    breakOff();
  }
  const std::lock_guard lock(mutex_);
  if (!page.empty()) ++underWay_;
  ended_ = ended_ || reader_.ended();
  return page;
}

/// Where no page is wanted any more: one that was read and waits, as if it had not been begun. With the lock.
bool PageFlow::drop(Pages& page) {
  if (!mayDrop()) return false;
  Pages& waiting = toFilter_.empty() ? toFilterBeside_ : toFilter_;
  waiting.front().dropped = true;
  page.splice(page.end(), waiting, waiting.begin());
  return true;
}

/// The same of one that this thread has in hand.
bool PageFlow::drop(Page& page) const {
  page.dropped = page.error == nullptr && enough_.stop_requested();
  return page.dropped;
}

/// As far as it gets on this thread.
void PageFlow::read(Pages&& pages) {
  Page& page = pages.front();
  try {
    if (page.error == nullptr && !drop(page)) {
      const StageTask decode(clock_, StageTimes::Decode);
      readPage(page, command_, runner_, files_, overlapped_);
    }
    if (page.error == nullptr && !page.dropped) end_.announce(page);
  } catch (const std::exception&) {
    page.error = std::current_exception();
  }
  if (drop(page)) return finish(std::move(pages));
  if (engineIsUp()) decide(page);
  if (page.error == nullptr && !page.beside) {
    if (!page.decided) leaveToOthers(page);
    const std::lock_guard lock(mutex_);
    insert(toFilter_, pages);
    room_ = true;
    changed_.notify_all();
    return;
  }
  filter(page);
  finish(std::move(pages));
}

bool PageFlow::engineIsUp() {
  const std::lock_guard lock(mutex_);
  return engineIsUp_;
}

void PageFlow::getReady() {
  if (!ready_) requireReady(command_);
  ready_ = true;
}

/// Asks for the engine, which sets up its device where that has not been done.
void PageFlow::decide(Page& page) {
  if (page.decided || page.error != nullptr) return;
  try {
    page.beside = runner_.takesSeveral(*page.item.source);
  } catch (const std::exception&) {
    page.error = std::current_exception();
  }
  page.decided = true;
}

/// On this thread alone where there are as many pages as threads; else all threads help.
void PageFlow::filter(Page& page) {
  if (page.error != nullptr) return;
  const bool alone = memory_.pages() >= threads_;
  const SingleThreaded single(alone);
  StageTask task(clock_, StageTimes::Filter, !alone);
  try {
    if (!page.alone) page.item.planes = memory_.spare();
    runner_.runOne(page.item, stop_);
    page.report.run = std::move(page.item.run);
    page.error = page.item.error;
    const BankRun& run = page.report.run;
    if (run.hasDevice()) task.waitedBut(hostSeconds(run));
  } catch (const std::exception&) {
    page.error = std::current_exception();
  }
}

void PageFlow::finish(Pages&& pages) {
  Page& page = pages.front();
  if (!page.dropped) {
    if (page.error == nullptr) {
      for (std::string& remark : page.report.run.remarks()) page.report.notes.push_back(std::move(remark));
    }
    const StageTask encode(clock_, StageTimes::Encode);
    end_.store(page);
  }
  // A page that waits for its turn needs its report alone.
  page.files.reset();
  if (!page.alone) giveBack(page);
  page.selection = {};
  page.source.reset();
  page.image = {};
  page.item = {};
  page.share = {};
  tell(std::move(pages));
  const std::lock_guard lock(mutex_);
  room_ = true;
  --underWay_;
  changed_.notify_all();
}

/// The memory of its planes, for a page that comes.
void PageFlow::giveBack(Page& page) {
  try {
    std::vector<Image> planes = std::move(page.item.hidden);
    std::move(page.item.planes.begin(), page.item.planes.end(), std::back_inserter(planes));
    memory_.give(std::move(planes));
  } catch (const std::bad_alloc&) {
    // It is freed instead.
  }
}

void PageFlow::tell(Pages&& pages) {
  const std::lock_guard lock(telling_);
  insert(stored_, pages);
  for (; !stored_.empty() && stored_.front().number == told_; ++told_) {
    try {
      end_.tell(stored_.front());
    } catch (const std::exception&) {
      breakOff();
    }
    stored_.pop_front();
  }
}

RunnerImage* PageFlow::next(bool wait) {
  const auto asked = Clock::now();
  Pages page = overlapped_ ? nextRead(wait) : readNext();
  if (page.empty()) return nullptr;
  if (inRunner_.empty())
    runnerBegan_ = Clock::now();
  else if (!overlapped_)
    runnerBegan_ += Clock::now() - asked;
  inRunner_.splice(inRunner_.end(), page);
  if (!inRunner_.back().alone) inRunner_.back().item.planes = memory_.spare();
  return &inRunner_.back().item;
}

/// Whether the first page that waits has the memory for its results, with the lock. It has where nobody is at
/// work, or soon will be, who would give some back.
bool PageFlow::mayFilter() {
  return !toFilter_.empty() &&
         toFilter_.front().share.restore(underWay_ == static_cast<int>(toFilter_.size()));
}

/// What another thread has read, and this one is to filter. Throws where the flow is broken off
Pages PageFlow::nextRead(bool wait) {
  std::unique_lock lock(mutex_);
  while (true) {
    if (wait) changed_.wait(lock, stop_, [&] { return over() || mayFilter(); });
    if (stop_.stop_requested()) throw Cancelled();
    if (broken_) std::rethrow_exception(broken_);
    Pages page;
    if (!mayFilter()) return page;
    page.splice(page.end(), toFilter_, toFilter_.begin());
    const bool decided = page.front().decided;
    lock.unlock();
    if (!drop(page.front())) {
      getReady();
      decide(page.front());
    }
    if (drop(page.front())) {  // setting a device up takes long
      finish(std::move(page));
      lock.lock();
      continue;
    }
    if (decided) return page;
    lock.lock();
    engineIsUp_ = true;
    if (page.front().error == nullptr && !page.front().beside) return page;
    insert(toFilterBeside_, page);
    changed_.notify_all();
  }
}

/// What this thread reads itself.
Pages PageFlow::readNext() {
  while (true) {
    if (stop_.stop_requested()) throw Cancelled();
    if (broken_) std::rethrow_exception(broken_);
    Pages page = begin();
    if (page.empty()) return page;
    read(std::move(page));
    if (toFilter_.empty()) continue;
    getReady();
    Pages read = std::exchange(toFilter_, {});
    if (!drop(read.front())) return read;
    finish(std::move(read));
  }
}

void PageFlow::done(Item& item) {
  Pages pages;
  pages.splice(pages.end(), inRunner_, inRunner_.begin());
  Page& page = pages.front();
  page.report.run = std::move(item.run);
  page.error = item.error;
  countRunner(page);
  if (!overlapped_) return finish(std::move(pages));
  const std::lock_guard lock(mutex_);
  insert(filtered_, pages);
  changed_.notify_all();
}

/// What is filtered here has all threads, or a device; each page the time since the one before was done. An
/// image in bands is read and written meanwhile: a device may wait for that.
void PageFlow::countRunner(const Page& page) {
  const BankRun& run = page.report.run;
  const Clock::time_point now = Clock::now();
  const double all = std::chrono::duration<double>(now - runnerBegan_).count();
  double host = hostSeconds(run);
  double device = run.hasDevice() ? all - host : 0;
  if (page.alone) {
    const PhaseTimes there = run.deviceTimes();
    host -= run.hostTimes().upload + run.hostTimes().download;
    device = std::min(device, there.total() - (page.ahead != nullptr ? there.upload : 0));
    clock_.add(StageTimes::Decode, page.ahead != nullptr ? page.ahead->seconds() : run.hostTimes().upload);
    clock_.add(StageTimes::Encode, page.report.encodeSeconds);
  } else if (!run.hasDevice()) {
    host = all;
  }
  clock_.add(StageTimes::Filter, host * threads_);
  clock_.addDevice(now, device);
  runnerBegan_ = now;  // of those that are still in it
}

}  // namespace bankside::headless

#include "gui/window/compute/run_controller.h"

#include "core/engine.h"
#include "gui/window/compute/core_sentence.h"

namespace bankside::window {

void RunController::Context::deliver(std::function<void()> delivery) const {
  controller->mailbox_.post([c = controller, k = kind, n = number, d = std::move(delivery)] {
    if (c->current(k, n)) d();
  });
}

void RunController::Context::say(const QString& what) const {
  deliver([c = controller, what] { Q_EMIT c->said(what); });
}

RunController::RunController(QObject* parent)
    : QObject(parent), thread_([this](const std::stop_token& stop) { loop(stop); }) {}

RunController::~RunController() {
  cancelAll();
  thread_.request_stop();
  wake_.notify_all();
  thread_.join();
}

void RunController::start(Work kind, const QString& title, Function function) {
  {
    const std::lock_guard lock(mutex_);
    drop(kind);
    if (kind == Work::Open || kind == Work::Bank) {
      for (const Work pointless : {Work::Compute, Work::Region, Work::Measure}) drop(pointless);
    }
    if (kind == Work::Compute) drop(Work::Measure);
    newest_[kind] = ++lastNumber_;
    ++unfinished_[kind];
    waiting_[kind] = {lastNumber_, title, std::move(function)};
  }
  wake_.notify_all();
}

void RunController::cancel(Work kind) {
  const std::lock_guard lock(mutex_);
  drop(kind);
}

void RunController::cancelAll() {
  const std::lock_guard lock(mutex_);
  for (const Work kind : allWork) drop(kind);
}

void RunController::stopAll() {
  std::unique_lock lock(mutex_);
  for (const Work kind : allWork) drop(kind);
  wake_.wait(lock, [this] { return !running_; });
}

bool RunController::working() const {
  const std::lock_guard lock(mutex_);
  return running_ || !waiting_.empty();
}

bool RunController::working(Work kind) const {
  const std::lock_guard lock(mutex_);
  const auto at = unfinished_.find(kind);
  return at != unfinished_.end() && at->second > 0;
}

bool RunController::busy() const { return working() || !mailbox_.empty(); }

void RunController::drop(Work kind) {
  const bool wasWaiting = waiting_.erase(kind) > 0;
  newest_[kind] = ++lastNumber_;
  if (running_ && runningKind_ == kind) {
    runningStop_.request_stop();
  } else if (wasWaiting) {
    mailbox_.post([this, kind] { ended(kind, true); });
  }
}

void RunController::ended(Work kind, bool cancelled) {
  {
    const std::lock_guard lock(mutex_);
    --unfinished_[kind];
  }
  Q_EMIT finished(kind, cancelled);
  if (!working()) Q_EMIT busyChanged(false, {});
}

bool RunController::current(Work kind, quint64 number) const {
  const std::lock_guard lock(mutex_);
  const auto newest = newest_.find(kind);
  return newest != newest_.end() && newest->second == number;
}

void RunController::loop(const std::stop_token& stop) {
  while (true) {
    Job job;
    Work kind{};
    std::stop_token jobStop;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, stop, [this] { return !waiting_.empty(); });
      if (stop.stop_requested()) return;
      const auto first = waiting_.begin();
      kind = first->first;
      job = std::move(first->second);
      waiting_.erase(first);
      running_ = true;
      runningKind_ = kind;
      runningStop_ = std::stop_source();
      jobStop = runningStop_.get_token();
    }
    mailbox_.post([this, title = job.title] { Q_EMIT busyChanged(true, title); });
    runJob(kind, job, jobStop);
    {
      const std::lock_guard lock(mutex_);
      running_ = false;
    }
    wake_.notify_all();
    mailbox_.post([this, kind, cancelled = jobStop.stop_requested()] { ended(kind, cancelled); });
  }
}

void RunController::runJob(Work kind, Job& job, const std::stop_token& stop) {
  Context context;
  context.stop = stop;
  context.controller = this;
  context.kind = kind;
  context.number = job.number;
  const auto fail = [&](const QString& sentence) {
    context.deliver([this, kind, sentence] { Q_EMIT failed(kind, sentence); });
  };
  try {
    job.function(context);
  } catch (const Cancelled&) {
  } catch (const std::bad_alloc&) {
    fail(tr("There is not enough memory for this."));
  } catch (const std::exception& error) {
    fail(sentenceOf(error));
  }
}

}  // namespace bankside::window

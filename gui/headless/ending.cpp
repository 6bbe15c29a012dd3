#include "gui/headless/ending.h"

#include <chrono>

#include "core/stopping.h"

namespace bankside::headless {
namespace {

/// Within two seconds all is over: a person waits, and whoever else asks kills after five or later.
constexpr std::chrono::milliseconds grace{1500};

}  // namespace

Ending::Ending(const std::stop_token& asked, bool program)
    : thread_([this] { wait(); }), begun_(asked, [this] { begin(); }) {
  if (program) setProgramStop(now_.get_token());
}

Ending::~Ending() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Ending::begin() {
  enough_.request_stop();
  {
    const std::lock_guard lock(mutex_);
    asked_ = true;
  }
  changed_.notify_all();
}

void Ending::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return asked_ || over_; });
  if (!changed_.wait_for(lock, grace, [&] { return over_; })) now_.request_stop();
}

}  // namespace bankside::headless

/// Functions that other threads hand to the thread of this object, where they run in their order as its
/// events come. What has not arrived when it goes is dropped. Qt carries the news alone: what is handed over
/// goes under a mutex of our own, which the thread sanitizer sees.
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QObject>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

namespace bankside::window {

class Mailbox : public QObject {
 public:
  void post(std::function<void()> function) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(function));
    }
    QCoreApplication::postEvent(this, new QEvent(QEvent::User));
  }
  /// Until what was handed over begins to run.
  bool empty() const {
    const std::lock_guard lock(mutex_);
    return waiting_.empty();
  }

 protected:
  void customEvent(QEvent*) override {
    std::function<void()> function;
    {
      const std::lock_guard lock(mutex_);
      function = std::move(waiting_.front());
      waiting_.pop_front();
    }
    function();
  }

 private:
  mutable std::mutex mutex_;
  std::deque<std::function<void()>> waiting_;
};

}  // namespace bankside::window

/// What is dear to make and used again and again: a plan's workspaces.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace bankside {

/// Things that nobody uses at the moment. Thread-safe; where one thread takes and gives back, nothing is
/// locked and nothing allocated.
template <class T>
class Spares {
 public:
  Spares() = default;
  Spares(const Spares&) = delete;
  Spares& operator=(const Spares&) = delete;
  ~Spares() { delete handy_.load(); }

  /// One of them, or null where none is left.
  std::unique_ptr<T> take() {
    if (T* one = handy_.exchange(nullptr)) return std::unique_ptr<T>(one);
    const std::lock_guard lock(mutex_);
    if (others_.empty()) return nullptr;
    std::unique_ptr<T> one = std::move(others_.back());
    others_.pop_back();
    return one;
  }

  void giveBack(std::unique_ptr<T> one) {
    T* nobody = nullptr;
    if (handy_.compare_exchange_strong(nobody, one.get())) {
      static_cast<void>(one.release());
      return;
    }
    const std::lock_guard lock(mutex_);
    others_.push_back(std::move(one));
  }

 private:
  std::atomic<T*> handy_ = nullptr;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> others_;
};

}  // namespace bankside

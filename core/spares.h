/// What is dear to make and used again and again: a plan's workspaces.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace bankside {

/// Things that nobody uses at the moment. Thread-safe; where one thread takes and gives back, nothing is
/// locked, nothing allocated, and one atomic exchange is all there is.
template <class T>
class Spares {
 public:
  /// One of them in somebody's hands. What is not given back is gone: who threw may have left it half done.
  class Taken {
   public:
    Taken(Taken&& other) noexcept
        : spares_(other.spares_), one_(std::exchange(other.one_, nullptr)), own_(std::move(other.own_)) {}
    Taken& operator=(Taken&&) = delete;
    ~Taken() {
      if (one_ == nullptr || own_ != nullptr) return;
      spares_.handy_.reset();
      spares_.free_.store(true, std::memory_order_release);
    }
    T& operator*() const { return *one_; }
    T* operator->() const { return one_; }

   private:
    friend class Spares;
    Taken(Spares& spares, T* handy) : spares_(spares), one_(handy) {}
    Taken(Spares& spares, std::unique_ptr<T> own) : spares_(spares), one_(own.get()), own_(std::move(own)) {}

    Spares& spares_;
    T* one_;
    std::unique_ptr<T> own_;  ///< unless it is the handy one
  };

  Spares() = default;
  Spares(const Spares&) = delete;
  Spares& operator=(const Spares&) = delete;

  /// One of them, or what `make` gives, a std::unique_ptr<T>, where none is left.
  template <class Make>
  Taken take(const Make& make) {
    if (free_.load(std::memory_order_relaxed) && free_.exchange(false, std::memory_order_acquire)) {
      if (handy_ == nullptr) makeHandy(make);
      return {*this, handy_.get()};
    }
    if (std::unique_ptr<T> other = takeOther()) return {*this, std::move(other)};
    return {*this, make()};
  }

  void giveBack(Taken&& taken) {
    taken.one_ = nullptr;
    if (taken.own_ == nullptr) {
      free_.store(true, std::memory_order_release);
      return;
    }
    const std::lock_guard lock(mutex_);
    others_.push_back(std::move(taken.own_));
  }

 private:
  template <class Make>
  void makeHandy(const Make& make) {
    try {
      handy_ = make();
    } catch (...) {
      free_.store(true, std::memory_order_release);
      throw;
    }
  }

  std::unique_ptr<T> takeOther() {
    const std::lock_guard lock(mutex_);
    if (others_.empty()) return nullptr;
    std::unique_ptr<T> one = std::move(others_.back());
    others_.pop_back();
    return one;
  }

  std::atomic<bool> free_ = true;  ///< nobody has the handy one
  std::unique_ptr<T> handy_;       ///< of who has taken it
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> others_;
};

}  // namespace bankside

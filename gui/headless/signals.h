/// Ctrl-C and kill become a stop request; the second one ends the program at once.
#pragma once

#include <stop_token>
#include <thread>

namespace bankside::headless {

/// Make it before any other thread starts: they inherit the blocked signals.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  /// 130 or 143 after a signal, else 0.
  int exitCode() const;

 private:
  std::stop_source source_;
  std::thread thread_;
};

}  // namespace bankside::headless

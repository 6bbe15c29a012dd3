/// Ctrl-C, Ctrl-\, kill and a terminal that is closed become a stop request; the second one ends the program
/// at once, and so does the first after two seconds, without anything half-written.
#pragma once

#include <stop_token>
#include <thread>

namespace bankside::headless {

/// Make it before any other thread of the program starts: they inherit the blocked signals; those of
/// libraries that began before pass them on. A signal that the program was started to ignore (nohup) stays
/// ignored.
class SignalWatch {
 public:
  /// Errors  std::system_error if no thread can be started
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// Lets signals wait until a watch is made.
  static void hold();

  std::stop_token token() const { return source_.get_token(); }
  /// What the program ends with after a signal, else 0.
  static int exitCode();

 private:
  std::stop_source source_;
  std::thread thread_;
};

}  // namespace bankside::headless

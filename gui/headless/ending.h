/// A request to end in two steps: at once nothing is begun any more, and what is under way is given up after
/// a grace.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace bankside::headless {

class Ending {
 public:
  /// Where the `program` ends with it, `now` becomes the request that ends the whole program. Errors
  ///         std::system_error if no thread can be started
  explicit Ending(const std::stop_token& asked, bool program = true);
  ~Ending();
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

  std::stop_token enough() const { return enough_.get_token(); }
  std::stop_token now() const { return now_.get_token(); }
  /// As if the end had been asked for.
  void begin();

 private:
  void wait();

  std::stop_source enough_;
  std::stop_source now_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool asked_ = false;
  bool over_ = false;
  std::thread thread_;
  std::stop_callback<std::function<void()>> begun_;
};

}  // namespace bankside::headless

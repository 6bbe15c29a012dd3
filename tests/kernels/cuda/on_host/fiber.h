/// A stack that code can be left on and come back to.
#pragma once

#include <cstddef>

namespace bankside::on_host {

/// Owned by a scheduler, which resumes one at a time; the code on it leaves when it has to wait. What stands
/// on a stack that is started anew or freed is dropped without destructors.
class Fiber {
 public:
  /// Those of other numbers have their frames in other lines of a cache.
  explicit Fiber(int number);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// The next `resume` calls `entry` on the stack; it must never return, but leave for good.
  void start(void (*entry)());
  /// Goes on until the fiber leaves.
  void resume();
  /// Back to who resumed one.
  void leave();
  /// Goes on with that one, whose leaving leads to the same place.
  void leaveFor(Fiber& next);

 private:
  struct State;
  State* state_;
};

}  // namespace bankside::on_host

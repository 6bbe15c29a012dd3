/// Rows spread over threads. One pool for the process (oneTBB's, which OpenCV's Debian build uses too).
#pragma once

#include <functional>
#include <memory>

namespace bankside {

/// How many threads this process may use at once (its CPU affinity, at least 1).
int availableThreads();

/// Of an image: as many as a thread takes at a time where nothing asks for more or fewer.
inline constexpr int grainRows = 64;

/// A team of `count` threads (0: all available), never more than are available. Results never depend on the
/// count.
class ThreadTeam {
 public:
  explicit ThreadTeam(int count);
  ~ThreadTeam();
  ThreadTeam(ThreadTeam&&) noexcept;
  ThreadTeam& operator=(ThreadTeam&&) noexcept;

  /// How many take part in what this thread gives it, if the system has so many (own_threads.h).
  int count() const;

  /// Calls `body(first, last)` on disjoint ranges that cover [begin, end), each at most `grain` long; with
  /// one thread in increasing order on the caller's own. What `body` throws comes out here.
  void forRanges(int begin, int end, int grain, const std::function<void(int, int)>& body) const;

 private:
  struct Arena;
  int count_;
  std::unique_ptr<Arena> arena_;
};

/// While it lives, what this thread gives to any team stays on this thread: for those who run several images
/// at once, one a thread. `on` false: the other way round, until it goes.
class SingleThreaded {
 public:
  explicit SingleThreaded(bool on = true);
  ~SingleThreaded();
  SingleThreaded(const SingleThreaded&) = delete;
  SingleThreaded& operator=(const SingleThreaded&) = delete;

 private:
  bool before_;
};

}  // namespace bankside

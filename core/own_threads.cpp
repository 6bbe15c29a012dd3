#include "core/own_threads.h"

#include <sys/stat.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace bankside {
namespace {

/// As the system counts them; 0 where it does not say.
long threadsOfProcess() {
  struct stat tasks {};
  return stat("/proc/self/task", &tasks) == 0 ? static_cast<long>(tasks.st_nlink) - 2 : 0;
}

/// How many of `wanted` threads the system gives at once, beside those that there are.
int threadsToBeHad(int wanted) {
  const long before = threadsOfProcess();
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(wanted));
  std::latch end(1);
  try {
    while (static_cast<int>(threads.size()) < wanted) threads.emplace_back([&] { end.wait(); });
  } catch (const std::exception&) {
    // So many and no more.
  }
  const int had = static_cast<int>(threads.size());
  end.count_down();
  for (std::thread& thread : threads) thread.join();
  // One that was joined counts for a moment more.
  for (int i = 0; i < 100 && threadsOfProcess() > before; ++i)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  return had;
}

class Workers {
 public:
  int of(int wanted) {
    if (wanted > asked_) grow(wanted);
    return std::min<int>(wanted, started_);
  }

 private:
  void grow(int wanted) {
    const std::lock_guard lock(mutex_);
    if (wanted <= asked_) return;
    const int more = threadsToBeHad(wanted - started_);
    if (more > 0) start(started_ + more);
    asked_ = wanted;
  }

  /// So many tasks that wait at the same time: oneTBB starts a worker for each as it takes the task, on this
  /// thread.
  void start(int count) {
    const auto end = ends_.emplace_back(std::make_shared<std::latch>(1));
    auto bound = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                       static_cast<std::size_t>(count) + 1);
    bound_ = std::move(bound);  // the new one first: without any, oneTBB has all
    try {
      while (static_cast<int>(arenas_.size()) < count)
        arenas_.push_back(std::make_unique<tbb::task_arena>(2));
      for (const auto& arena : arenas_) arena->enqueue([end] { end->wait(); });
      started_ = count;
    } catch (const std::runtime_error&) {
      started_ = 0;  // somebody else took what was there; what is left of oneTBB cannot be relied on
    }
    end->count_down();
  }

  std::mutex mutex_;
  std::atomic<int> asked_ = 0;
  std::atomic<int> started_ = 0;
  std::unique_ptr<tbb::global_control> bound_;
  std::vector<std::unique_ptr<tbb::task_arena>> arenas_;  // they keep oneTBB's workers
  std::vector<std::shared_ptr<std::latch>> ends_;  // of tasks that nobody took before the process ends, too
};

std::atomic<Workers*> workersThatCount = nullptr;

}  // namespace

void countThreads() {
  static Workers* const workers = new Workers;  // threads may use it to the end of the process
  workersThatCount = workers;
}

int workersOf(int wanted) {
  Workers* const workers = workersThatCount;
  return workers == nullptr ? wanted : workers->of(wanted);
}

}  // namespace bankside

#include "core/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/own_threads.h"
#include "core/work_memory.h"

#ifdef __SANITIZE_THREAD__
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace bankside {

namespace {

thread_local bool singleThreaded = false;

}  // namespace

SingleThreaded::SingleThreaded(bool on) : before_(std::exchange(singleThreaded, on)) {}
SingleThreaded::~SingleThreaded() { singleThreaded = before_; }

int ThreadTeam::count() const { return count_ > 1 && singleThreaded ? 1 : count_; }

int availableThreads() { return std::max(1, tbb::this_task_arena::max_concurrency()); }

struct ThreadTeam::Arena {
  tbb::task_arena arena;
};

ThreadTeam::ThreadTeam(int count)
    : count_(count > 0 ? std::min(count, availableThreads()) : availableThreads()) {
  if (count_ == 1) return;
  arena_ = std::make_unique<Arena>();
#ifndef __SANITIZE_THREAD__
  // Not at its first use: an arena that fails there, for want of memory, lets the next use wait for ever.
  arena_->arena.initialize(count_);
#endif
}

ThreadTeam::~ThreadTeam() = default;
ThreadTeam::ThreadTeam(ThreadTeam&&) noexcept = default;
ThreadTeam& ThreadTeam::operator=(ThreadTeam&&) noexcept = default;

#ifdef __SANITIZE_THREAD__
namespace {

/// oneTBB's library is not built with the thread sanitizer, which then takes every hand-over of work for a
/// race. Under it plain threads take the ranges, so that races in what runs inside are found and no others.
void forRangesOnPlainThreads(int threads, int begin, int end, int grain,
                             const std::function<void(int, int)>& body) {
  std::atomic<int> next = begin;
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto work = [&] {
    try {
      for (int first = next.fetch_add(grain); first < end; first = next.fetch_add(grain)) {
        body(first, std::min(end, first + grain));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> team;
    for (int i = 0; i < threads; ++i) team.emplace_back(work);
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace
#endif

void ThreadTeam::forRanges(int begin, int end, int grain, const std::function<void(int, int)>& body) const {
  grain = std::max(grain, 1);
  if (arena_ == nullptr || singleThreaded || end - begin <= grain || workersOf(count_ - 1) == 0) {
    for (int first = begin; first < end; first += grain) body(first, std::min(end, first + grain));
    return;
  }
  ImageMemory* const memory = memoryOfWork();
  const auto run = [&](int first, int last) {
    if (memory == nullptr) return body(first, last);
    const WorkIn in(*memory);
    body(first, last);
  };
#ifdef __SANITIZE_THREAD__
  forRangesOnPlainThreads(count_, begin, end, grain, run);
#else
  try {
    // simple_partitioner splits ranges in half down to `grain`: ranges differ in length, never exceed it.
    arena_->arena.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<int>(begin, end, static_cast<std::size_t>(grain)),
          [&](const tbb::blocked_range<int>& range) { run(range.begin(), range.end()); },
          tbb::simple_partitioner());
    });
  } catch (const std::runtime_error& error) {
    // oneTBB says it in words alone.
    if (std::string_view(error.what()).starts_with("pthread_create"))
      throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    throw;
  }
#endif
}

}  // namespace bankside

#include "core/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace bankside {

int availableThreads() { return std::max(1, tbb::this_task_arena::max_concurrency()); }

struct ThreadTeam::Arena {
  tbb::task_arena arena;
};

ThreadTeam::ThreadTeam(int count)
    : count_(count > 0 ? std::min(count, availableThreads()) : availableThreads()) {
  if (count_ > 1) arena_ = std::make_unique<Arena>(Arena{tbb::task_arena(count_)});
}

ThreadTeam::~ThreadTeam() = default;
ThreadTeam::ThreadTeam(ThreadTeam&&) noexcept = default;
ThreadTeam& ThreadTeam::operator=(ThreadTeam&&) noexcept = default;

void ThreadTeam::forRanges(int begin, int end, int grain, const std::function<void(int, int)>& body) const {
  grain = std::max(grain, 1);
  if (arena_ == nullptr || end - begin <= grain) {
    for (int first = begin; first < end; first += grain) body(first, std::min(end, first + grain));
    return;
  }
  // simple_partitioner splits ranges in half down to `grain`: ranges differ in length, never exceed it.
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<int>(begin, end, static_cast<std::size_t>(grain)),
        [&](const tbb::blocked_range<int>& range) { body(range.begin(), range.end()); },
        tbb::simple_partitioner());
  });
}

}  // namespace bankside

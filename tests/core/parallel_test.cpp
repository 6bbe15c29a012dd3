/// Who does a team's work.
#include "core/parallel.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>

namespace bankside {
namespace {

std::set<std::thread::id> threadsOf(const ThreadTeam& team) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  int sum = 0;
  team.forRanges(0, 1000, 1, [&](int first, int last) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
    for (int i = first; i < last; ++i) sum += i;
  });
  EXPECT_EQ(sum, 999 * 1000 / 2);
  return threads;
}

TEST(ThreadTeam, HasAsManyAsWereAskedForAndAreThere) {
  EXPECT_EQ(ThreadTeam(1).count(), 1);
  EXPECT_EQ(threadsOf(ThreadTeam(1)), std::set{std::this_thread::get_id()});
  for (const int all : {0, availableThreads(), 1'000'000})
    EXPECT_EQ(ThreadTeam(all).count(), availableThreads());
}

TEST(SingleThreaded, KeepsATeamsWorkOnItsThread) {
  const ThreadTeam team(2);
  const int all = team.count();
  const std::set<std::thread::id> here = {std::this_thread::get_id()};
  {
    const SingleThreaded single;
    EXPECT_EQ(team.count(), 1);
    EXPECT_EQ(threadsOf(team), here);
    {
      const SingleThreaded off(false);
      EXPECT_EQ(team.count(), all);
    }
    EXPECT_EQ(team.count(), 1);
    std::jthread([&] { EXPECT_EQ(team.count(), all) << "another thread is none of its business"; });
  }
  EXPECT_EQ(team.count(), all);
}

}  // namespace
}  // namespace bankside

#include "core/spares.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace bankside {
namespace {

TEST(Spares, GiveBackWhatTheyWereGiven) {
  Spares<int> spares;
  EXPECT_EQ(spares.take(), nullptr);
  auto one = std::make_unique<int>(1);
  auto two = std::make_unique<int>(2);
  const int* first = one.get();
  spares.giveBack(std::move(one));
  spares.giveBack(std::move(two));
  auto taken = spares.take();
  auto other = spares.take();
  ASSERT_NE(taken, nullptr);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(taken.get(), first);
  EXPECT_EQ(*taken + *other, 3);
  EXPECT_EQ(spares.take(), nullptr);
}

/// Nobody gets what somebody else holds.
TEST(Spares, BelongToOneThreadAtATime) {
  struct Held {
    std::atomic<int> holders = 0;
  };
  Spares<Held> spares;
  std::atomic<int> shared = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 2000; ++n) {
          auto held = spares.take();
          if (held == nullptr) held = std::make_unique<Held>();
          shared += ++held->holders != 1;
          --held->holders;
          spares.giveBack(std::move(held));
        }
      });
    }
  }
  EXPECT_EQ(shared, 0);
}

}  // namespace
}  // namespace bankside

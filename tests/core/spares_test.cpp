#include "core/spares.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace bankside {
namespace {

TEST(Spares, GiveBackWhatTheyWereGiven) {
  Spares<int> spares;
  int made = 0;
  const auto make = [&] { return std::make_unique<int>(++made); };
  for (int i = 0; i < 3; ++i) {
    auto one = spares.take(make);
    auto two = spares.take(make);
    auto three = spares.take(make);
    EXPECT_EQ(*one + *two + *three, 1 + 2 + 3);
    spares.giveBack(std::move(two));
    spares.giveBack(std::move(three));
    spares.giveBack(std::move(one));
  }
  EXPECT_EQ(made, 3);
}

/// One that throws may leave what it holds half done.
TEST(Spares, ForgetWhatIsNotGivenBack) {
  Spares<int> spares;
  int made = 0;
  const auto make = [&] { return std::make_unique<int>(++made); };
  {
    auto handy = spares.take(make);
    auto other = spares.take(make);
  }
  EXPECT_EQ(*spares.take(make), 3);
  EXPECT_THROW(spares.take([]() -> std::unique_ptr<int> { throw std::runtime_error("none"); }),
               std::runtime_error);
  spares.giveBack(spares.take(make));
  EXPECT_EQ(*spares.take(make), 4);
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
          auto held = spares.take([] { return std::make_unique<Held>(); });
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

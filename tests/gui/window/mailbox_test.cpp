/// What other threads hand over to the window's: in their order, on its thread, and nothing after it is gone.
#include "gui/window/compute/mailbox.h"

#include <gtest/gtest.h>

#include <QTest>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace bankside::window {
namespace {

TEST(Mailbox, RunsEachOnceInItsSendersOrderOnItsOwnThread) {
  constexpr int senders = 4;
  constexpr int each = 500;
  Mailbox mailbox;
  std::vector<std::vector<int>> seen(senders);
  int elsewhere = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t sender = 0; sender < senders; ++sender) {
      threads.emplace_back([&, sender] {
        for (int i = 0; i < each; ++i) {
          mailbox.post([&, sender, i, self = std::this_thread::get_id()] {
            seen[sender].push_back(i);
            if (std::this_thread::get_id() == self) ++elsewhere;
          });
        }
      });
    }
  }
  EXPECT_FALSE(mailbox.empty());
  for (const auto& numbers : seen) EXPECT_TRUE(numbers.empty()) << "before its events come";
  QCoreApplication::processEvents();
  EXPECT_TRUE(mailbox.empty());
  EXPECT_EQ(elsewhere, 0);
  for (const auto& numbers : seen) {
    ASSERT_EQ(numbers.size(), std::size_t{each});
    for (int i = 0; i < each; ++i) EXPECT_EQ(numbers[static_cast<std::size_t>(i)], i);
  }
}

TEST(Mailbox, IsEmptyOnceTheLastBegins) {
  Mailbox mailbox;
  EXPECT_TRUE(mailbox.empty());
  std::vector<bool> empty;
  for (int i = 0; i < 2; ++i) mailbox.post([&] { empty.push_back(mailbox.empty()); });
  QCoreApplication::processEvents();
  EXPECT_EQ(empty, (std::vector<bool>{false, true}));
}

TEST(Mailbox, WhatIsPostedFromWithinComesAfterWhatWaits) {
  Mailbox mailbox;
  std::vector<int> order;
  mailbox.post([&] {
    order.push_back(1);
    mailbox.post([&] { order.push_back(3); });
  });
  mailbox.post([&] { order.push_back(2); });
  ASSERT_TRUE(QTest::qWaitFor([&] { return mailbox.empty() && order.size() == 3; }, 60000));
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(Mailbox, WhatHasNotArrivedGoesWithIt) {
  const auto held = std::make_shared<int>(0);
  bool ran = false;
  {
    auto mailbox = std::make_unique<Mailbox>();
    std::jthread([&] { mailbox->post([&ran, held] { ran = true; }); }).join();
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1) << "nothing that it held is kept";
  QCoreApplication::processEvents();
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace bankside::window

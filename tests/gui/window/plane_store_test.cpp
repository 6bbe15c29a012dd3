#include "gui/window/session/plane_store.h"

#include <gtest/gtest.h>

#include "tests/support/made_images.h"

namespace bankside::window {
namespace {

TEST(PlaneStore, KeepsWhatWasLookedAtLast) {
  const auto plane = [](int side) {
    return makePlane(
        std::make_shared<const Image>(bankside::testing::integerImage(1, side, side, ElementType::F32)), 0);
  };
  const std::int64_t each = plane(100)->bytes();
  PlaneStore store(8 * each);
  const auto add = [&](int index) {
    PlaneResult result;
    result.key = {Layer::Output, index};
    result.plane = plane(100);
    store.add(std::move(result));
  };
  for (int i = 0; i < 8; ++i) add(i);
  EXPECT_NE(store.find({Layer::Output, 0}), nullptr);
  add(8);
  EXPECT_EQ(store.find({Layer::Output, 1}), nullptr) << "the one not looked at for longest";
  EXPECT_NE(store.find({Layer::Output, 0}), nullptr);
  EXPECT_LE(store.bytes(), 8 * each);
  store.outdate([](const PlaneKey&) { return true; });
  EXPECT_FALSE(store.fresh({Layer::Output, 0}));
  EXPECT_NE(store.find({Layer::Output, 0}), nullptr);
}

}  // namespace
}  // namespace bankside::window

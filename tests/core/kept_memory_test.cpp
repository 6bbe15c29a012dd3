#include "core/kept_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <thread>

#include "core/image.h"

namespace bankside::testing {
namespace {

constexpr int keptSide = 1024;
constexpr std::size_t mostKept = std::size_t{64} << 20;

const void* pixelsOf(const Image& image) { return image.plane(0).data; }

TEST(KeptMemory, GivesAnImageThatOfOneThatIsGone) {
  const KeptMemory kept(mostKept);
  std::optional<Image> first(std::in_place, 1, keptSide, keptSide, ElementType::U8);
  const void* pixels = pixelsOf(*first);
  first.reset();
  const Image second(1, keptSide, keptSide, ElementType::U8);
  EXPECT_EQ(pixelsOf(second), pixels);
  const Image third(1, keptSide, keptSide, ElementType::U8);
  EXPECT_NE(pixelsOf(third), pixels) << "it is taken";
}

TEST(KeptMemory, KeepsSeveralSizes) {
  const KeptMemory kept(mostKept);
  std::optional<Image> plane(std::in_place, 1, keptSide, keptSide, ElementType::F32);
  std::optional<Image> photograph(std::in_place, 3, keptSide, keptSide, ElementType::U8);
  const void* ofPlane = pixelsOf(*plane);
  const void* ofPhotograph = pixelsOf(*photograph);
  plane.reset();
  photograph.reset();
  EXPECT_EQ(pixelsOf(Image(1, keptSide, keptSide, ElementType::F32)), ofPlane);
  EXPECT_EQ(pixelsOf(Image(3, keptSide, keptSide, ElementType::U8)), ofPhotograph);
}

TEST(KeptMemory, GivesWhatFitsAlone) {
  const KeptMemory kept(mostKept);
  KeptMemory::give(std::aligned_alloc(64, std::size_t{1} << 20));
  EXPECT_EQ(KeptMemory::take((std::size_t{1} << 20) + (64 << 10)), nullptr);
  EXPECT_EQ(KeptMemory::take(std::size_t{1} << 19), nullptr) << "half of it would lie idle";
  void* memory = KeptMemory::take(std::size_t{1} << 20);
  EXPECT_NE(memory, nullptr);
  std::free(memory);
  KeptMemory::give(std::aligned_alloc(64, 4096));
  EXPECT_EQ(KeptMemory::take(4096), nullptr) << "too little to be kept";
  KeptMemory::give(std::aligned_alloc(64, std::size_t{65} << 20));
  EXPECT_EQ(KeptMemory::take(std::size_t{65} << 20), nullptr) << "too much to be kept";
}

TEST(KeptMemory, NewSizesTakeThePlaceOfOldOnes) {
  const KeptMemory kept(mostKept);
  for (std::size_t megabytes = 20; megabytes < 24; ++megabytes)
    KeptMemory::give(std::aligned_alloc(64, megabytes << 20));
  EXPECT_EQ(KeptMemory::take(std::size_t{20} << 20), nullptr);
  void* memory = KeptMemory::take(std::size_t{23} << 20);
  EXPECT_NE(memory, nullptr);
  std::free(memory);
}

TEST(KeptMemory, IsItsThreadsAndEndsWithIt) {
  KeptMemory::give(std::aligned_alloc(64, std::size_t{1} << 20));
  EXPECT_EQ(KeptMemory::take(std::size_t{1} << 20), nullptr) << "nobody keeps";
  KeptMemory kept(mostKept);
  KeptMemory::give(std::aligned_alloc(64, std::size_t{1} << 20));
  std::jthread([] { EXPECT_EQ(KeptMemory::take(std::size_t{1} << 20), nullptr); });
  kept.drop();
  EXPECT_EQ(KeptMemory::take(std::size_t{1} << 20), nullptr);
}

}  // namespace
}  // namespace bankside::testing

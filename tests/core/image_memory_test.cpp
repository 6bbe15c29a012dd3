#include "core/image_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>

#include "core/image.h"
#include "core/kept_memory.h"
#include "core/made_input.h"
#include "core/parallel.h"
#include "core/work_memory.h"

namespace bankside::testing {
namespace {

/// Knows what is in it.
class Counted final : public ImageMemory {
 public:
  void* take(std::size_t bytes) noexcept override {
    if (full) return nullptr;
    return *there.insert(std::aligned_alloc(64, bytes)).first;
  }
  void give(void* memory) noexcept override {
    EXPECT_EQ(there.erase(memory), 1u);
    std::free(memory);
  }
  bool has(const Image& image) const { return there.contains(const_cast<std::byte*>(image.plane(0).data)); }

  std::set<void*> there;
  bool full = false;
};

Image made() { return Image(1, 1024, 1024, ElementType::U8); }

TEST(ImageMemory, HasTheImagesThatAreMadeWhileItIsAskedFor) {
  Counted memory;
  {
    const Image before = made();
    std::optional<ImagesIn> in(std::in_place, &memory);
    const Image inside = randomImage(1, 33, 45, ElementType::F32, 1);
    const Image copy = inside.clone();
    in.reset();
    const Image after = made();
    EXPECT_FALSE(memory.has(before));
    EXPECT_TRUE(memory.has(inside));
    EXPECT_TRUE(memory.has(copy));
    EXPECT_FALSE(memory.has(after));
    EXPECT_TRUE(samePixels(inside, copy));
  }
  EXPECT_TRUE(memory.there.empty());
}

TEST(ImageMemory, TheInnermostCounts) {
  Counted outer;
  Counted inner;
  const ImagesIn inOuter(&outer);
  {
    const ImagesIn inInner(&inner);
    EXPECT_TRUE(inner.has(made()));
    const ImagesIn ordinary(nullptr);
    const Image image = made();
    EXPECT_TRUE(inner.there.empty() && outer.there.empty());
  }
  EXPECT_TRUE(outer.has(made()));
}

TEST(ImageMemory, WhereItIsFullImagesLieInOrdinaryMemory) {
  Counted memory;
  memory.full = true;
  const ImagesIn in(&memory);
  EXPECT_EQ(made().width(), 1024);
  EXPECT_TRUE(memory.there.empty());
}

/// Neither the thread that keeps memory nor another one frees it.
TEST(ImageMemory, TakesBackFromEveryThread) {
  Counted memory;
  const KeptMemory kept(std::size_t{64} << 20);
  std::optional<Image> image;
  {
    const ImagesIn in(&memory);
    image = made();
  }
  std::thread([&] { image.reset(); }).join();
  EXPECT_TRUE(memory.there.empty());
  {
    const ImagesIn in(&memory);
    made();
  }
  EXPECT_TRUE(memory.there.empty());
  const Image ordinary = made();
  EXPECT_FALSE(memory.has(ordinary));
}

TEST(WorkMemory, HasTheImagesOfItsThreadAlone) {
  Counted memory;
  {
    const WorkIn in(memory);
    EXPECT_EQ(memoryOfWork(), &memory);
    EXPECT_TRUE(memory.has(made()));
    std::thread([&] {
      EXPECT_EQ(memoryOfWork(), nullptr);
      EXPECT_FALSE(memory.has(made()));
    }).join();
    Counted pinned;
    const ImagesIn inner(&pinned);
    EXPECT_TRUE(pinned.has(made()));
  }
  EXPECT_EQ(memoryOfWork(), nullptr);
  EXPECT_FALSE(memory.has(made()));
  EXPECT_TRUE(memory.there.empty());
}

TEST(WorkMemory, GoesWithTheWorkToATeam) {
  Counted memory;
  const ThreadTeam team(2);
  const auto everyoneHas = [&](ImageMemory* expected) {
    std::set<std::thread::id> threads;
    std::mutex mutex;
    for (int round = 0; round < 1000 && threads.size() < static_cast<std::size_t>(team.count()); ++round) {
      team.forRanges(0, 64, 1, [&](int, int) {
        EXPECT_EQ(memoryOfWork(), expected);
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      });
    }
  };
  {
    const WorkIn in(memory);
    everyoneHas(&memory);
  }
  everyoneHas(nullptr);
}

TEST(WorkMemory, ThatIsFullIsNoMemory) {
  Counted memory;
  memory.full = true;
  const WorkIn in(memory);
  EXPECT_THROW(made(), std::bad_alloc);
}

}  // namespace
}  // namespace bankside::testing

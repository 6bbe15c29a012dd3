#include "core/work_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>
#include <new>
#include <set>
#include <thread>

#include "core/image.h"
#include "core/parallel.h"

namespace bankside::testing {
namespace {

class Counted final : public ImageMemory {
 public:
  void* take(std::size_t bytes) noexcept override {
    const std::lock_guard lock(mutex);
    return full ? nullptr : *there.insert(std::aligned_alloc(imageAlignment, bytes)).first;
  }
  void give(void* memory) noexcept override {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(there.erase(memory), 1u);
    std::free(memory);
  }
  bool has(const Image& image) const { return there.contains(const_cast<std::byte*>(image.plane(0).data)); }

  std::mutex mutex;
  std::set<void*> there;
  bool full = false;
};

Image made() { return Image(1, 30, 40, ElementType::U8); }

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

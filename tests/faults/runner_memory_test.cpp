/// Images on their way through one plan, and memory that ends.
#include <gtest/gtest.h>

#include <new>

#include "core/judge/compare.h"
#include "core/run/runner.h"
#include "tests/core/run/stacking_engine.h"
#include "tests/faults/failing_memory.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

/// Asks for no memory itself.
class Row final : public ImageQueue {
 public:
  explicit Row(const std::vector<Image>& images) : items(images.size()) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      sources_.push_back(std::make_unique<ImageSource>(images[i]));
      items[i].source = sources_.back().get();
    }
  }
  Item* next(bool) override { return next_ == items.size() ? nullptr : &items[next_++]; }
  void done(Item& item) override {
    inOrder = inOrder && &item == &items[finished];
    ++finished;
  }
  std::vector<Item> items;
  std::size_t finished = 0;
  bool inOrder = true;

 private:
  std::vector<std::unique_ptr<ImageSource>> sources_;
  std::size_t next_ = 0;
};

TEST(RunnerMemory, EveryImageIsDoneOrSaysWhyNot) {
  const FilterBank bank = integerBank(3, 1, 3, 3);
  const Pipeline pipeline(bank, Combine::Max);
  std::vector<Image> images;
  std::uint64_t seed = 0;
  for (const int width : {9, 9, 9, 9, 11, 9})
    images.push_back(randomImage(1, 7, width, ElementType::U8, ++seed));
  const StackingEngine engine;
  Row good(images);
  failRequest(0);
  Runner(pipeline, {}, always(engine)).runAll(good);
  const long requests = endFailing();
  ASSERT_GT(requests, 100);
  ASSERT_EQ(good.finished, images.size());
  for (long number = 1; number <= requests; ++number) {
    Runner runner(pipeline, {}, always(engine));
    Row row(images);
    failRequest(number);
    EXPECT_NO_THROW(runner.runAll(row)) << number;
    endFailing();
    EXPECT_TRUE(row.inOrder) << number;
    ASSERT_EQ(row.finished, images.size()) << number;
    int failed = 0;
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (row.items[i].error != nullptr) {
        ++failed;
        EXPECT_THROW(std::rethrow_exception(row.items[i].error), std::bad_alloc);
        EXPECT_TRUE(row.items[i].planes.empty());
        continue;
      }
      ASSERT_EQ(row.items[i].planes.size(), good.items[i].planes.size()) << number;
      for (std::size_t k = 0; k < row.items[i].planes.size(); ++k)
        EXPECT_TRUE(samePixels(row.items[i].planes[k], good.items[i].planes[k])) << number;
    }
    EXPECT_LE(failed, 1) << number;
  }
}

}  // namespace
}  // namespace bankside::testing

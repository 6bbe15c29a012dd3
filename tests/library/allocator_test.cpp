/// A caller's allocator: it has whatever grows with the image, and gets all of it back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>

#include "filters/bank_json.h"
#include "tests/library/counted_requests.h"
#include "tests/library/made_calls.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

/// Memory of a program's own; `refuse` after so many requests.
class Heap {
 public:
  ContextHandle context(int threads) {
    bk_context_options options = {};
    options.size = sizeof options;
    options.threads = threads;
    options.allocate = &allocate;
    options.release = &release;
    options.allocator_data = this;
    bk_context* context = nullptr;
    EXPECT_EQ(bk_context_create(&options, &context), BK_OK) << bk_last_error();
    return ContextHandle(context);
  }

  static void* allocate(void* data, std::size_t bytes, std::size_t alignment) {
    auto& heap = *static_cast<Heap*>(data);
    const std::lock_guard lock(heap.mutex);
    EXPECT_EQ(alignment, 64u);
    if (heap.requests++ >= heap.refusedAfter) return nullptr;
    auto* const memory = static_cast<std::byte*>(uncountedMemory(alignment, bytes + alignment)) + heap.offset;
    heap.there[memory] = bytes;
    heap.bytes += bytes;
    return memory;
  }
  static void release(void* data, void* memory) {
    auto& heap = *static_cast<Heap*>(data);
    const std::lock_guard lock(heap.mutex);
    EXPECT_EQ(heap.there.erase(memory), 1u);
    std::free(static_cast<std::byte*>(memory) - heap.offset);
  }

  std::mutex mutex;
  std::map<void*, std::size_t> there;
  std::size_t bytes = 0;  ///< of all requests
  long requests = 0;
  long refusedAfter = 1L << 30;
  std::size_t offset = 0;
};

/// Filters of several sizes, whose responses are combined afterwards.
std::string mixedBank(const TemporaryFolder& folder) {
  std::vector<Filter> filters = randomBank(2, 1, 3, 3).filters();
  filters.push_back(makeFilter("large", 7, 7, randomBank(1, 1, 7, 7)[0].taps));
  std::ofstream(folder / "mixed.json") << writeBankJson(FilterBank({}, filters));
  return (folder / "mixed.json").string();
}

struct Case {
  std::string bank;
  const char* engine;
  int combine;
  int threads;
  bool inPlace;
};

/// Every engine on one and two threads, rows in place and on the way, combines within an engine and
/// afterwards.
std::vector<Case> cases(const TemporaryFolder& folder) {
  std::vector<Case> all;
  for (const char* engine : {"auto", "cpu:direct", "cpu:karatsuba", "cpu:separable", "cpu:fft"}) {
    for (const int threads : {1, 2}) {
      all.push_back({"vessel-matched:orientations=4", engine, BK_COMBINE_NONE, threads, true});
      all.push_back({mixedBank(folder), engine, BK_COMBINE_ARGMAX, threads, false});
    }
  }
  return all;
}

constexpr int height = 100;
constexpr int width = 3000;

/// Every second pixel where it is not in place.
bk_view viewOfPixels(Image& image, bool inPlace) {
  bk_view view = viewOf(image);
  view.width = width;
  if (!inPlace) view.pixel_stride *= 2;
  return view;
}

struct Ran {
  bk_status status;
  std::size_t largest;  ///< request of ordinary memory, in bytes
};

Ran executed(const bk_plan* plan, bool inPlace) {
  bk_plan_info info = {};
  info.size = sizeof info;
  EXPECT_EQ(bk_plan_describe(plan, &info), BK_OK);
  Image image = integerImage(1, height, 2 * width, ElementType::F32);
  Image results(static_cast<int>(info.planes), height, 2 * width, ElementType::F32);
  Image indices(1, height, 2 * width, ElementType::U16);
  const bk_view from = viewOfPixels(image, inPlace);
  const bk_view to = viewOfPixels(results, inPlace);
  const bk_view places = viewOfPixels(indices, inPlace);
  countRequests();
  const bk_status status = bk_execute(plan, &from, &to, info.index_planes > 0 ? &places : nullptr, nullptr);
  return {status, endCounting().largest};
}

bk_plan_options optionsOf(const Case& c) {
  bk_plan_options options = planFor(1, height, width, BK_F32);
  options.combine = c.combine;
  options.engine = c.engine;
  return options;
}

std::string textOf(const Case& c) {
  return c.bank + " " + c.engine + " combine " + std::to_string(c.combine) + " threads " +
         std::to_string(c.threads) + (c.inPlace ? " in place" : " on the way");
}

TEST(Allocator, HasAllThatGrowsWithTheImageAndGetsItBack) {
  constexpr std::size_t most = sizeof(float) * width;  // tables, names, oneTBB's tasks: less than one row
  const TemporaryFolder folder;
  for (const Case& c : cases(folder)) {
    Heap heap;
    ContextHandle context = heap.context(c.threads);
    BankHandle bank = makeBankHandle(c.bank);
    makePlan(context.get(), bank.get(), optionsOf(c));  // the first one measures the machine
    EXPECT_TRUE(heap.there.empty()) << textOf(c);
    countRequests();
    PlanHandle plan = makePlan(context.get(), bank.get(), optionsOf(c));
    EXPECT_LT(endCounting().largest, most) << "prepared: " << textOf(c);
    context.reset();
    bank.reset();
    for (int i = 0; i < 2; ++i) {
      const Ran ran = executed(plan.get(), c.inPlace);
      ASSERT_EQ(ran.status, BK_OK) << bk_last_error();
      EXPECT_LT(ran.largest, most) << textOf(c);
    }
    EXPECT_GT(heap.bytes, std::size_t{4} * width) << textOf(c);
    plan.reset();
    EXPECT_TRUE(heap.there.empty()) << textOf(c);
  }
}

/// At whichever request it is that there is no memory.
TEST(Allocator, ThatHasNoMemoryIsAStatusAndNothingIsLost) {
  const TemporaryFolder folder;
  for (const Case& c : cases(folder)) {
    Heap heap;
    const ContextHandle context = heap.context(c.threads);
    const BankHandle bank = makeBankHandle(c.bank);
    const bk_plan_options options = optionsOf(c);
    int refused = 0;
    for (bool done = false; !done && refused < 12; ++refused) {
      heap.requests = 0;
      heap.refusedAfter = refused;
      bk_plan* made = nullptr;
      const bk_status status = bk_plan_create(context.get(), bank.get(), &options, &made);
      PlanHandle plan(made);
      Ran ran = {status, 0};
      if (plan != nullptr) ran = executed(plan.get(), c.inPlace);
      done = ran.status == BK_OK;
      if (!done) {
        ASSERT_EQ(ran.status, BK_NO_MEMORY) << textOf(c) << ": " << bk_last_error();
        heap.refusedAfter = 1L << 30;
        if (plan != nullptr) {
          EXPECT_EQ(executed(plan.get(), c.inPlace).status, BK_OK) << textOf(c);
        }
      }
      plan.reset();
      ASSERT_TRUE(heap.there.empty()) << textOf(c);
    }
    EXPECT_GT(refused, 1) << textOf(c);
  }
}

TEST(Allocator, ThatGivesUnalignedMemoryGivesNone) {
  Heap heap;
  heap.offset = 32;
  const ContextHandle context = heap.context(1);
  bk_plan_options options = planFor(1, height, width, BK_F32);
  options.engine = "cpu:direct";
  bk_plan* plan = nullptr;
  EXPECT_EQ(bk_plan_create(context.get(), makeBankHandle("sobel").get(), &options, &plan), BK_NO_MEMORY);
  EXPECT_EQ(plan, nullptr);
  EXPECT_GT(heap.requests, 0);
  EXPECT_TRUE(heap.there.empty());
}

TEST(Allocator, IsBothOfItsFunctionsOrNeither) {
  bk_context_options options = {};
  options.size = sizeof options;
  options.allocate = &Heap::allocate;
  bk_context* context = nullptr;
  EXPECT_EQ(bk_context_create(&options, &context), BK_BAD_INPUT);
  EXPECT_THAT(bk_last_error(), HasSubstr("are one allocator; one of them is NULL"));
  options.size = offsetof(bk_context_options, allocate);  // of who was built before there was one
  EXPECT_EQ(bk_context_create(&options, &context), BK_OK);
  bk_context_free(context);
}

/// An execution with memory of one's own is as still as another.
TEST(Allocator, IsAskedForNothingOnceAPlanIsMade) {
  Heap heap;
  const ContextHandle context = heap.context(1);
  const PlanHandle plan = makePlan(context.get(), makeBankHandle("sobel").get(), planFor(1, 8, 8, BK_F32));
  Image image = integerImage(1, 8, 8, ElementType::F32);
  Image results(2, 8, 8, ElementType::F32);
  const bk_view from = viewOf(image);
  const bk_view to = viewOf(results);
  heap.requests = 0;
  countRequests();
  const bk_status status = bk_execute(plan.get(), &from, &to, nullptr, nullptr);
  const Requests asked = endCounting();
  EXPECT_EQ(status, BK_OK);
  EXPECT_EQ(asked.memory + asked.locks + heap.requests, 0);
}

}  // namespace
}  // namespace bankside::testing

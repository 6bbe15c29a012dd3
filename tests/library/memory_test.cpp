/// What an execution asks of the system: nothing. And that it touches no byte beside its views.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>

#include "filters/bank_json.h"
#include "tests/library/counted_requests.h"
#include "tests/library/made_calls.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

/// Executions of a new plan: requests of the first, which with several threads may make what it needs, and
/// of the second.
void expectNoRequests(const std::string& bankName, bk_plan_options options, int threads = 1) {
  const ContextHandle context = makeContext(threads);
  const BankHandle bank = makeBankHandle(bankName);
  const PlanHandle plan = makePlan(context.get(), bank.get(), options);
  bk_plan_info info = {};
  info.size = sizeof info;
  ASSERT_EQ(bk_plan_describe(plan.get(), &info), BK_OK);
  Image image = integerImage(static_cast<int>(options.channels), static_cast<int>(options.height),
                             static_cast<int>(options.width),
                             options.type == BK_U8 ? ElementType::U8 : ElementType::F32);
  Image results(static_cast<int>(info.planes), image.height(), image.width(), ElementType::F32);
  Image indices(static_cast<int>(info.planes), image.height(), image.width(), ElementType::U16);
  const bk_view from = viewOf(image);
  const bk_view to = viewOf(results);
  const bk_view places = viewOf(indices);
  for (int i = 0; i < 2; ++i) {
    countRequests();
    const bk_status status =
        bk_execute(plan.get(), &from, &to, info.index_planes > 0 ? &places : nullptr, nullptr);
    const Requests asked = endCounting();
    ASSERT_EQ(status, BK_OK) << bk_last_error();
    if (threads > 1 && i == 0) continue;
    EXPECT_EQ(asked.memory, 0) << bankName << ", execution " << i << ", " << info.choice;
    EXPECT_EQ(asked.locks, 0) << bankName << ", execution " << i << ", " << info.choice;
  }
}

TEST(ExecutionMemory, IsNoneForAnyEngineAndCombine) {
  const char* engines[] = {"auto", "cpu:direct", "cpu:karatsuba", "cpu:separable", "cpu:fft"};
  for (const char* engine : engines) {
    for (const int combine : {BK_COMBINE_NONE, BK_COMBINE_MAX, BK_COMBINE_ARGMAX, BK_COMBINE_MAGNITUDE}) {
      for (const bk_type type : {BK_F32, BK_U8}) {
        bk_plan_options options = planFor(1, 8, 8, type);
        options.engine = engine;
        options.combine = combine;
        expectNoRequests("sobel", options);
        options.height = 70;
        options.width = 500;
        expectNoRequests("vessel-matched:orientations=4", options);
      }
    }
  }
}

TEST(ExecutionMemory, IsNoneForFiltersOfSeveralSizes) {
  const TemporaryFolder folder;
  std::vector<Filter> filters = randomBank(2, 1, 3, 3).filters();
  filters.push_back(makeFilter("large", 7, 7, randomBank(1, 1, 7, 7)[0].taps));
  std::ofstream(folder / "mixed.json") << writeBankJson(FilterBank({}, filters));
  for (const int combine : {BK_COMBINE_NONE, BK_COMBINE_MAX, BK_COMBINE_ARGMAX}) {
    bk_plan_options options = planFor(2, 8, 8, BK_F32);
    options.combine = combine;
    expectNoRequests((folder / "mixed.json").string(), options);
  }
}

/// What is too little for a second thread is computed by the caller's own, however many pieces it comes in: a
/// pool that is asked for help allocates.
TEST(ExecutionMemory, IsNoneForASmallImageInColours) {
  for (const char* engine : {"cpu:direct", "cpu:karatsuba", "cpu:separable"}) {
    bk_plan_options options = planFor(3, 40, 40, BK_F32);
    options.engine = engine;
    expectNoRequests("gaussian:sigma=1", options, 2);
  }
}

/// The counting itself.
TEST(ExecutionMemory, IsCounted) {
  countRequests();
  delete new std::string(100, 'x');
  std::mutex mutex;
  mutex.lock();
  mutex.unlock();
  const Requests asked = endCounting();
  EXPECT_EQ(asked.memory, 2);
  EXPECT_EQ(asked.locks, 1);
}

/// Memory that ends, or begins, where a page that nobody may touch does.
class Fenced {
 public:
  Fenced(std::size_t bytes, bool atEnd) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (bytes + page - 1) / page * page;
    size_ = inner + 2 * page;
    base_ = static_cast<unsigned char*>(
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_, page, PROT_NONE);
    mprotect(base_ + page + inner, page, PROT_NONE);
    data = base_ + page + (atEnd ? inner - bytes : 0);
  }
  ~Fenced() { munmap(base_, size_); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  unsigned char* data;

 private:
  unsigned char* base_;
  std::size_t size_;
};

TEST(ExecutionMemory, StaysWithinTheViews) {
  for (const char* bankName : {"sobel", "vessel-matched:orientations=4", "gaussian:sigma=4"}) {
    const BankHandle bank = makeBankHandle(bankName);
    for (const bk_type type : {BK_U8, BK_U16, BK_F16, BK_F32}) {
      for (const int width : {1, 8, 61, 700}) {
        for (const bool atEnd : {true, false}) {
          const int height = 9;
          const PlanHandle plan = makePlan(nullptr, bank.get(), planFor(1, height, width, type));
          bk_plan_info info = {};
          info.size = sizeof info;
          ASSERT_EQ(bk_plan_describe(plan.get(), &info), BK_OK);
          const auto pixels = static_cast<std::size_t>(height * width);
          const Fenced from(pixels * static_cast<std::size_t>(bk_type_size(type)), atEnd);
          const Fenced to(pixels * static_cast<std::size_t>(info.planes) * 4, atEnd);
          const bk_view image = bk_dense_view(from.data, type, 1, height, width);
          const bk_view results = bk_dense_view(to.data, BK_F32, info.planes, height, width);
          EXPECT_EQ(bk_execute(plan.get(), &image, &results, nullptr, nullptr), BK_OK) << bk_last_error();
        }
      }
    }
  }
}

}  // namespace
}  // namespace bankside::testing

/// What a plan for a device says where there is none: every machine that runs these tests can be asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "tests/library/made_calls.h"

namespace bankside::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

bk_status prepare(bk_plan_options options, PlanHandle* kept = nullptr) {
  const BankHandle bank = makeBankHandle("sobel");
  bk_plan* plan = nullptr;
  const bk_status status = bk_plan_create(nullptr, bank.get(), &options, &plan);
  PlanHandle handle(plan);
  EXPECT_EQ(status == BK_OK, handle != nullptr);
  if (kept != nullptr) *kept = std::move(handle);
  return status;
}

TEST(Device, HasToBeOneThatThereIs) {
  bk_plan_options options = planFor(1, 8, 8, BK_F32);
  for (const char* name : {"gpu", "cuda", "cuda:", "cuda:x", "cuda:-1", "", "CPU"}) {
    options.device = name;
    EXPECT_EQ(prepare(options), BK_BAD_INPUT) << name;
    EXPECT_EQ(std::string(bk_last_error()),
              "there is no device \"" + std::string(name) + "\"; there are cpu, cuda:0, cuda:1 and so on");
  }
  options.device = "cpu";
  options.any_strides = 2;
  EXPECT_EQ(prepare(options), BK_BAD_INPUT);
  EXPECT_STREQ(bk_last_error(), "bk_plan_options.any_strides is 2, expected 0 or 1");
}

TEST(Device, IsRefusedWithASentenceWhereItCannotBeHad) {
  bk_plan_options options = planFor(1, 8, 8, BK_F32);
  options.device = "cuda:0";
  if (prepare(options) == BK_OK) GTEST_SKIP() << "there is a device";
  EXPECT_EQ(prepare(options), BK_UNSUPPORTED);
  EXPECT_THAT(bk_last_error(), HasSubstr("no plan can be made for cuda:0: "));
  EXPECT_THAT(bk_last_error(),
              AnyOf(HasSubstr("no CUDA kernels"), HasSubstr("driver"), HasSubstr("NVIDIA GPU")));
  int one = 0, other = 0;
  EXPECT_EQ(bk_stream_wait(&one, &other), BK_UNSUPPORTED);
}

TEST(Device, OfOneThatIsNotTheFirstSaysHowToGetThere) {
  bk_plan_options options = planFor(1, 8, 8, BK_F32);
  options.device = "cuda:7";
  EXPECT_EQ(prepare(options), BK_UNSUPPORTED);
  EXPECT_THAT(bk_last_error(), HasSubstr("no plan can be made for cuda:7: "));
}

TEST(Device, IsTheHostUnlessAnotherIsAskedFor) {
  for (const char* name : {static_cast<const char*>(nullptr), "cpu"}) {
    bk_plan_options options = planFor(1, 8, 8, BK_F32);
    options.device = name;
    PlanHandle plan;
    ASSERT_EQ(prepare(options, &plan), BK_OK) << bk_last_error();
    bk_plan_info info = {};
    info.size = sizeof info;
    ASSERT_EQ(bk_plan_describe(plan.get(), &info), BK_OK);
    EXPECT_STREQ(info.device, "cpu");

    std::vector<float> memory(64 + 2 * 64);
    const bk_view image = bk_dense_view(memory.data(), BK_F32, 1, 8, 8);
    const bk_view results = bk_dense_view(memory.data() + 64, BK_F32, 2, 8, 8);
    bk_run_options run = {};
    run.size = sizeof run;
    run.stream = memory.data();
    EXPECT_EQ(bk_execute(plan.get(), &image, &results, nullptr, &run), BK_BAD_INPUT);
    EXPECT_STREQ(bk_last_error(), "a stream is given, which plans for a device alone have");
  }
}

/// Programs that were built with a header of before devices.
TEST(Device, StructuresOfBeforeAreTaken) {
  bk_plan_options options = planFor(1, 8, 8, BK_F32);
  options.size = offsetof(bk_plan_options, device);
  options.device = "not looked at";
  PlanHandle plan;
  ASSERT_EQ(prepare(options, &plan), BK_OK) << bk_last_error();
  bk_plan_info info;
  std::memset(&info, 0x55, sizeof info);
  const bk_plan_info before = info;
  info.size = offsetof(bk_plan_info, device);
  ASSERT_EQ(bk_plan_describe(plan.get(), &info), BK_OK);
  EXPECT_EQ(info.planes, 2);
  EXPECT_EQ(info.device, before.device) << "not the caller's";
}

}  // namespace
}  // namespace bankside::testing

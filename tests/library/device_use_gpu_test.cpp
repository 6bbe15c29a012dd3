/// How plans for a device are used wrongly, and by several threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/kernels/cuda/gpu.h"
#include "tests/library/device_cases.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

TEST(DeviceGpu, SaysWhatIsWrong) {
  BANKSIDE_NEEDS_GPU();
  const DeviceCase c = integers(1, 64, 64, BK_F32, 2, 1, 3);
  const PlanHandle plan = c.prepare("cuda:0");
  ASSERT_NE(plan, nullptr);
  const OnDevice there(c, plan.get());
  const TestStream stream;
  const auto refused = [&](bk_view image, bk_view results, bk_status status, const char* sentence) {
    EXPECT_EQ(start(plan.get(), image, results, nullptr, stream), status);
    EXPECT_THAT(bk_last_error(), HasSubstr(sentence));
  };
  const bk_view image = there.from.in(there.pixels.data());
  const bk_view results = there.to.in(there.values.data());
  std::vector<float> host(64 * 64 * 2);
  bk_view changed = image;
  changed.data = host.data();
  refused(changed, results, BK_BAD_INPUT, "the pixels of the image lie in");
  changed = results;
  changed.data = host.data();
  refused(image, changed, BK_BAD_INPUT, "the results lie in");
  void* freed = nullptr;
  check(cudaMalloc(&freed, 64 * 64 * 4));
  cudaFree(freed);
  changed = image;
  changed.data = freed;
  refused(changed, results, BK_BAD_INPUT, "perhaps it was freed");
  changed = image;
  changed.pixel_stride = -4;
  changed.data = there.pixels.data() + 63 * 4;
  refused(changed, results, BK_UNSUPPORTED, "any strides");
  refused(image, image, BK_BAD_INPUT, "where the plan expects");

  bk_stop* stop = nullptr;
  ASSERT_EQ(bk_stop_create(&stop), BK_OK);
  const StopHandle freedStop(stop);
  bk_run_options run = {};
  run.size = sizeof run;
  run.stop = stop;
  EXPECT_EQ(bk_execute(plan.get(), &image, &results, nullptr, &run), BK_BAD_INPUT);
  EXPECT_THAT(bk_last_error(), HasSubstr("goes on to its end"));

  // The legacy stream waits for others, which a capture forbids.
  TestStream captured;
  check(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
  EXPECT_EQ(start(plan.get(), image, results, nullptr, captured), BK_OK) << bk_last_error();
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(captured, &graph), cudaSuccess);
  cudaGraphDestroy(graph);
  EXPECT_EQ(start(plan.get(), image, results, nullptr, stream), BK_OK) << "the device is not lost";

  bk_plan_options asked = c.options;
  asked.device = "cuda:99";
  const BankHandle bank = handleOf(c.bank);
  bk_plan* none = nullptr;
  EXPECT_EQ(bk_plan_create(nullptr, bank.get(), &asked, &none), BK_UNSUPPORTED);
  EXPECT_THAT(bk_last_error(), HasSubstr("CUDA_VISIBLE_DEVICES"));
  asked.device = "cuda:0";
  asked.engine = "cpu:direct";
  EXPECT_EQ(bk_plan_create(nullptr, bank.get(), &asked, &none), BK_BAD_INPUT);
  EXPECT_THAT(bk_last_error(), HasSubstr("there are auto, cuda"));
}

/// A capture forbids its thread to wait and to allocate, on whatever stream; calls need neither, whether
/// their memory comes again or is new.
TEST(DeviceGpu, StartsWhileAnotherStreamIsCaptured) {
  BANKSIDE_NEEDS_GPU();
  for (const DeviceCase& c : {integers(1, 128, 128, BK_F32, 5, 1, 15), integers(1, 64, 64, BK_U8, 3, 1, 5)}) {
    const PlanHandle plan = c.prepare("cuda:0");
    ASSERT_NE(plan, nullptr) << c.text();
    const OnDevice one(c, plan.get()), other(c, plan.get());
    const auto pixels = pixelsFor(c);
    one.pixels.put(pixels);
    other.pixels.put(pixels);
    const TestStream captured, stream;
    check(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(one.start(c, plan.get(), stream), BK_OK) << bk_last_error();
      EXPECT_EQ(other.start(c, plan.get(), stream), BK_OK) << bk_last_error();
    }
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(captured, &graph), cudaSuccess) << c.text();
    cudaGraphDestroy(graph);
    stream.wait();
    one.expect(c, pixels, c.text());
    other.expect(c, pixels, c.text());
  }
}

/// Threads that start work of plans of their own, and of one plan.
TEST(DeviceGpu, ThreadsMayCall) {
  BANKSIDE_NEEDS_GPU();
  const DeviceCase shared = integers(1, 128, 128, BK_U8, 3, 1, 7);
  const PlanHandle one = shared.prepare("cuda:0");
  ASSERT_NE(one, nullptr);
  const TestStream stream;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const DeviceCase c =
          integers(1, 120 + t, 128, BK_F32, 3, 1, 5, BK_COMBINE_MAX, nullptr, static_cast<std::uint64_t>(t));
      const PlanHandle plan = c.prepare("cuda:0");
      const OnDevice own(c, plan.get()), ofShared(shared, one.get());
      const auto pixels = pixelsFor(c);
      own.pixels.put(pixels);
      ofShared.pixels.put(pixelsFor(shared));
      const TestStream mine;
      for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(own.start(c, plan.get(), mine), BK_OK) << bk_last_error();
        EXPECT_EQ(ofShared.start(shared, one.get(), stream), BK_OK) << bk_last_error();
      }
      mine.wait();
      stream.wait();
      own.expect(c, pixels, c.text());
      ofShared.expect(shared, pixelsFor(shared), "the shared plan");
    });
  }
}

}  // namespace
}  // namespace bankside::testing

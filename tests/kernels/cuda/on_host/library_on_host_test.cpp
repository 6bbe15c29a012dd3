/// The library's plans for a device, on the made-up one: from the public header down to the kernels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/made_input.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/stream.h"
#include "library/handles.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/library/made_calls.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

bk_plan* prepare(const bk_bank* bank, bk_plan_options options, bk_status expected = BK_OK) {
  options.device = "cuda:0";
  bk_plan* plan = nullptr;
  EXPECT_EQ(bk_plan_create(nullptr, bank, &options, &plan), expected) << bk_last_error();
  return plan;
}

/// Integers 0 to 15 in memory of the made-up device, and room for results.
struct Pixels {
  explicit Pixels(const bk_plan_options& o)
      : options(o),
        image(integerImage(static_cast<int>(o.channels), static_cast<int>(o.height),
                           static_cast<int>(o.width), ElementType::U8)),
        memory(static_cast<std::size_t>(o.channels * o.height * o.width)) {
    const auto width = static_cast<std::size_t>(o.width);
    for (int c = 0; c < image.channels(); ++c)
      for (int y = 0; y < image.height(); ++y)
        std::memcpy(memory.data() + (static_cast<std::size_t>(c * image.height() + y)) * width,
                    image.plane(c).row(y), width);
  }
  bk_view view() {
    return bk_dense_view(memory.data(), BK_U8, options.channels, options.height, options.width);
  }

  bk_plan_options options;
  Image image;
  cuda::DeviceBuffer memory;
};

/// Values, then indices of an argmax, by whatever plan.
std::vector<std::byte> run(const bk_plan* plan, bk_view image, cudaStream_t stream) {
  bk_plan_info info = {};
  info.size = sizeof info;
  EXPECT_EQ(bk_plan_describe(plan, &info), BK_OK);
  const auto values = static_cast<std::size_t>(info.planes * image.height * image.width) * sizeof(float);
  const cuda::DeviceBuffer memory(values * 3 / 2);
  std::memset(memory.data(), 0, memory.bytes());
  const bk_view results = bk_dense_view(memory.data(), BK_F32, info.planes, image.height, image.width);
  const bk_view indices =
      bk_dense_view(memory.data() + values, BK_U16, info.planes, image.height, image.width);
  bk_run_options options = {};
  options.size = sizeof options;
  options.stream = stream;
  EXPECT_EQ(bk_execute(plan, &image, &results, info.index_planes > 0 ? &indices : nullptr, &options), BK_OK)
      << bk_last_error();
  if (stream != nullptr) cudaStreamSynchronize(stream);
  return {memory.data(), memory.data() + memory.bytes()};
}

class LibraryOnHost : public ::testing::Test {
 protected:
  void TearDown() override { on_host::setDevice({}); }
};

TEST_F(LibraryOnHost, GivesTheBytesOfTheHost) {
  const cuda::Stream stream;
  const std::pair<const char*, bk_combine> cases[] = {{"sobel", BK_COMBINE_NONE},
                                                      {"sobel", BK_COMBINE_MAGNITUDE},
                                                      {"kirsch", BK_COMBINE_ARGMAX},
                                                      {"roberts", BK_COMBINE_MAX}};
  for (const auto& [name, combine] : cases) {
    for (const std::int64_t channels : {1, 3}) {
      bk_plan_options options = planFor(channels, 23, 41, BK_U8);
      options.combine = combine;
      options.border = BK_BORDER_WRAP;
      options.precision = BK_PRECISION_EXACT;
      Pixels pixels(options);
      const BankHandle bank = makeBankHandle(name);
      const PlanHandle there(prepare(bank.get(), options));
      ASSERT_NE(there, nullptr);
      bk_plan_info info = {};
      info.size = sizeof info;
      ASSERT_EQ(bk_plan_describe(there.get(), &info), BK_OK);
      EXPECT_STREQ(info.device, "cuda:0");
      EXPECT_THAT(info.engine, HasSubstr("cuda:"));
      options.engine = "cpu:direct";
      const PlanHandle here = makePlan(nullptr, bank.get(), options);
      EXPECT_TRUE(run(there.get(), pixels.view(), stream) == run(here.get(), pixels.view(), nullptr))
          << name << " " << combine << " " << channels;
    }
  }
}

/// Filters of other sizes between those of one.
TEST_F(LibraryOnHost, TakesABankOfSeveralSizes) {
  bk_plan_options options = planFor(2, 23, 40, BK_U8);
  std::vector<Filter> filters = randomBank(2, 1, 3, 5).filters();
  Filter large = randomBank(1, 1, 9, 9)[0];
  large.label = "large";
  filters.insert(filters.begin() + 1, large);
  const BankHandle mixed(new bk_bank{FilterBank({}, filters)});
  Pixels pixels(options);
  options.engine = "cuda:single-channel";
  const PlanHandle there(prepare(mixed.get(), options));
  options.engine = "cpu:direct";
  const PlanHandle here = makePlan(nullptr, mixed.get(), options);
  const cuda::Stream stream;
  EXPECT_TRUE(run(there.get(), pixels.view(), stream) == run(here.get(), pixels.view(), nullptr));
  options.engine = nullptr;
  options.combine = BK_COMBINE_MAX;
  prepare(mixed.get(), options, BK_UNSUPPORTED);
  EXPECT_THAT(bk_last_error(), HasSubstr("a device combines filters of one size; max of these"));
}

TEST_F(LibraryOnHost, SaysWhyNoPlanCanBeMade) {
  const BankHandle bank = makeBankHandle("sobel");
  const bk_plan_options options = planFor(1, 64, 64, BK_U8);
  on_host::setDevice({.driver = false});
  prepare(bank.get(), options, BK_UNSUPPORTED);
  EXPECT_STREQ(bk_last_error(),
               "no plan can be made for cuda:0: no NVIDIA driver on this machine (CUDA error "
               "35, cudaErrorInsufficientDriver: refused by the runtime of the tests)");
  on_host::setDevice({.count = 0});
  prepare(bank.get(), options, BK_UNSUPPORTED);
  on_host::setDevice({.freeBytes = 1000});
  prepare(bank.get(), options, BK_LIMIT);
  on_host::setDevice({});
  bk_plan_options other = options;
  other.device = "cuda:1";
  bk_plan* plan = nullptr;
  EXPECT_EQ(bk_plan_create(nullptr, bank.get(), &other, &plan), BK_UNSUPPORTED);
  EXPECT_THAT(bk_last_error(), HasSubstr("CUDA_VISIBLE_DEVICES chooses"));
  other = options;
  other.engine = "cpu:direct";
  prepare(bank.get(), other, BK_BAD_INPUT);
  EXPECT_THAT(bk_last_error(), HasSubstr("there is no engine \"cpu:direct\"; there are auto, cuda"));
}

/// A plan stays on its device, whichever is the caller's, and knows memory and streams of others.
TEST_F(LibraryOnHost, APlanMayBeOnAnyDevice) {
  on_host::setDevice({.count = 2});
  const bk_plan_options options = planFor(1, 40, 64, BK_U8);
  const BankHandle bank = makeBankHandle("sobel");
  const PlanHandle first(prepare(bank.get(), options));
  Pixels onFirst(options);
  const auto expected = run(first.get(), onFirst.view(), nullptr);

  bk_plan_options there = options;
  there.device = "cuda:1";
  bk_plan* made = nullptr;
  ASSERT_EQ(bk_plan_create(nullptr, bank.get(), &there, &made), BK_OK) << bk_last_error();
  const PlanHandle second(made);
  bk_plan_info info = {};
  info.size = sizeof info;
  EXPECT_EQ(bk_plan_describe(second.get(), &info), BK_OK);
  EXPECT_STREQ(info.device, "cuda:1");
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  {
    Pixels onSecond(options);
    const cuda::Stream stream, other;
    const std::uint64_t before = on_host::launchesOn(0);
    EXPECT_EQ(run(second.get(), onSecond.view(), stream), expected);
    EXPECT_EQ(on_host::launchesOn(0), before);
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    for (const bool tell : {true, false}) {  // as drivers do from CUDA 12.8 on
      on_host::setStreamsTellTheirDevice(tell);
      EXPECT_EQ(bk_stream_wait(stream, other), BK_OK) << bk_last_error();
      EXPECT_EQ(bk_stream_wait(stream, nullptr), BK_OK) << bk_last_error();
    }
    on_host::setStreamsTellTheirDevice(true);
    const bk_view results = onSecond.view();
    const bk_view image = onFirst.view();
    EXPECT_EQ(bk_execute(second.get(), &image, &results, nullptr, nullptr), BK_BAD_INPUT);
  }
}

TEST_F(LibraryOnHost, SaysWhatIsWrongWithAStart) {
  const bk_plan_options options = planFor(1, 8, 16, BK_U8);
  const BankHandle bank = makeBankHandle("sobel");
  const PlanHandle plan(prepare(bank.get(), options));
  Pixels pixels(options);
  const cuda::DeviceBuffer memory(2 * 8 * 16 * sizeof(float));
  const bk_view image = pixels.view();
  const bk_view results = bk_dense_view(memory.data(), BK_F32, 2, 8, 16);
  std::vector<float> host(2 * 8 * 16);
  bk_view elsewhere = results;
  elsewhere.data = host.data();
  EXPECT_EQ(bk_execute(plan.get(), &image, &elsewhere, nullptr, nullptr), BK_BAD_INPUT);
  EXPECT_STREQ(bk_last_error(), "the results lie in no memory of the device; perhaps it was freed");
  bk_view strange = image;
  strange.pixel_stride = 0;
  EXPECT_EQ(bk_execute(plan.get(), &strange, &results, nullptr, nullptr), BK_UNSUPPORTED);
  EXPECT_THAT(bk_last_error(), HasSubstr("any strides"));
  EXPECT_EQ(bk_execute(plan.get(), &results, &image, nullptr, nullptr), BK_BAD_INPUT);
  bk_stop* stop = nullptr;
  ASSERT_EQ(bk_stop_create(&stop), BK_OK);
  const StopHandle freed(stop);
  bk_run_options run = {};
  run.size = sizeof run;
  run.stop = stop;
  EXPECT_EQ(bk_execute(plan.get(), &image, &results, nullptr, &run), BK_BAD_INPUT);
  EXPECT_THAT(bk_last_error(), HasSubstr("goes on to its end"));
}

/// What comes behind a stream of somebody else's sees its work.
TEST_F(LibraryOnHost, PutsAStreamBehindAnother) {
  on_host::setLateStreams(true, 3);
  const cuda::Stream earlier, later;
  const cuda::DeviceBuffer memory(64);
  ASSERT_EQ(cudaMemsetAsync(memory.data(), 1, 64, earlier), cudaSuccess);
  ASSERT_EQ(bk_stream_wait(later, earlier), BK_OK) << bk_last_error();
  ASSERT_EQ(bk_stream_wait(later, later), BK_OK);
  ASSERT_EQ(cudaMemsetAsync(memory.data(), 2, 64, later), cudaSuccess);
  later.synchronize();
  EXPECT_EQ(memory.data()[63], std::byte{2});
  earlier.synchronize();
  EXPECT_EQ(memory.data()[63], std::byte{2});
  on_host::setLateStreams(false);
}

}  // namespace
}  // namespace bankside::testing

/// Which GPUs are used, and whose turn it is on one.
#include <thread>

#include "core/error.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/devices_in_use.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"
#include "tests/kernels/cuda/on_host/several_devices.h"

namespace bankside {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using DevicesInUse = SeveralDevices;

TEST_F(DevicesInUse, OnlyNamedOnesAreUsed) {
  useDevices({1});
  const auto second = plan();
  Stack stack(problem_, manyImages);
  stack.plan = second.get();
  EXPECT_EQ(launchesOf(0, [&] { second->runAll(stack, {}); }), 0u);
  EXPECT_EQ(stack.places.front(), "kernels on the host (cuda:1)");
  EXPECT_FALSE(cuda::deviceIsUp(0));
  const std::vector<DeviceLine> lines = describeDevices();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].use.reason, "others were named");
  EXPECT_TRUE(lines[1].use);
  EXPECT_EQ(lines[1].what, "kernels on the host, compute capability 9.0");
  useDevices({1, 0});
  const auto both = plan();
  Stack turned(problem_, manyImages);
  turned.plan = both.get();
  both->runAll(turned, {});
  EXPECT_EQ(turned.places.front(), "kernels on the host (cuda:1)");
  EXPECT_EQ(counts(turned).size(), 2u);
  useDevices({});
  expectBytesOfOne(stack);
  expectBytesOfOne(turned);
}

TEST_F(DevicesInUse, NamesThatAreNoneAreRefused) {
  const auto refused = [](const std::vector<int>& devices) {
    try {
      useDevices(devices);
    } catch (const Error& error) {
      return std::string(toString(error.code())) + ": " + error.what();
    }
    return std::string("taken");
  };
  EXPECT_EQ(refused({0, 2}), std::string(toString(ErrorCode::BadInput)) +
                                 ": there is no device cuda:2; this process sees cuda:0 and cuda:1");
  EXPECT_EQ(refused({1, 1}),
            std::string(toString(ErrorCode::BadInput)) + ": the device cuda:1 is named twice");
  on_host::setDevices({{}, {.capability = 70, .hasCode = false}});
  EXPECT_EQ(refused({0, 1}), "taken") << "that is not in its name";
  EXPECT_FALSE(cuda::deviceIsUp(0));
  EXPECT_FALSE(cuda::deviceIsUp(1));
  try {
    requireNamedDevices();
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cuda:1 cannot be used: this build has no code for"));
  }
  useDevices({});
  requireNamedDevices();
  on_host::setDevice({.count = 0});
  EXPECT_THAT(refused({0}), HasSubstr("cuda:0: no usable NVIDIA GPU on this machine"));
  EXPECT_FALSE(cuda::devicesNamed());
}

/// One that cannot be used is no lead.
TEST_F(DevicesInUse, TheFirstThatWorksLeads) {
  on_host::setDevices({{.capability = 70, .hasCode = false}, {}});
  EXPECT_EQ(cuda::leadDevice(), 1);
  const auto second = plan();
  Stack stack(problem_, 3);
  expectBytesOfOne(*second, stack);
}

/// Bytes may depend on the kind of a device: a run has one.
TEST_F(DevicesInUse, OfAnotherKindAreLeftOutAndSaySo) {
  on_host::setDevices({{}, {.multiprocessors = 100}, {}});
  EXPECT_THAT(cuda::devicesInUse(), ElementsAre(0, 2));
  useDevices({1, 0, 2});
  EXPECT_THAT(cuda::devicesInUse(), ElementsAre(1));
  requireNamedDevices();
  EXPECT_THAT(said_, ElementsAre(HasSubstr("cuda:0 (kernels on the host) is left out: only GPUs of one kind"),
                                 HasSubstr("cuda:2 (kernels on the host) is left out")));
  said_.clear();
  useDevices({1, 0, 2});
  requireNamedDevices();
  EXPECT_THAT(said_, IsEmpty()) << "said once";
  EXPECT_FALSE(describeDevices()[0].use);
}

/// While a plan waits for rows of a file, another one has the device.
TEST_F(DevicesInUse, NobodyWaitsForSomebodyElsesFile) {
  on_host::setDevice({});
  const ConvolutionProblem p = parseProblem("c1h200w45-f3k5-reflect101-u8:f32-none");
  const Image image = randomImage(1, 200, 45, ElementType::U8, 1);
  const FilterBank other = randomBank(3, 1, 5, 5, 4);
  std::vector<Image> beside;
  /// Rows that are not there before somebody else has used the device.
  class File final : public Source {
   public:
    File(const Image& image, std::function<void()> before) : rows_(image), before_(std::move(before)) {}
    ElementType type() const override { return rows_.type(); }
    int channels() const override { return 1; }
    int height() const override { return rows_.height(); }
    int width() const override { return rows_.width(); }
    void readRows(int channel, int firstRow, MutablePlane dst) override {
      std::thread(before_).join();
      rows_.readRows(channel, firstRow, dst);
    }

   private:
    ImageSource rows_;
    std::function<void()> before_;
  };
  const auto plan = cuda::makeSingleChannelPlan(p, bank_, {}, {.bandBytes = 2e4});
  const auto otherPlan = cuda::makeSingleChannelPlan(p, other, {});
  File file(image, [&] { beside = runWhole(*otherPlan, p, image); });
  ImageSink sink(p, wholeImage(p));
  plan->run(file, sink, wholeImage(p), {});
  const std::vector<Image> expected = runWhole(*engineOnHost("cuda:single-channel"), p, bank_, image);
  const std::vector<Image> otherExpected = runWhole(*engineOnHost("cuda:single-channel"), p, other, image);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(samePixels(sink.images()[i], expected[i]));
    EXPECT_TRUE(samePixels(beside[i], otherExpected[i]));
  }
}

/// What another launched is done first, also where that one is gone and its place taken.
TEST_F(DevicesInUse, ATurnWaitsForWhoWasThereBefore) {
  std::optional<cuda::Launcher> who(std::in_place);
  const cuda::Stream stream;
  const cuda::DeviceBuffer memory(1);
  const auto set = [&](int value) {
    const cuda::DeviceTurn turn(*who);
    BANKSIDE_CUDA_CHECK(cudaMemsetAsync(memory.data(), value, 1, stream));
  };
  on_host::setLateStreams(true, 3);
  set(1);
  set(2);
  EXPECT_EQ(*memory.data(), std::byte{0xff}) << "it need not wait for itself";
  who.emplace();
  const cuda::DeviceTurn turn(*who);
  EXPECT_EQ(*memory.data(), std::byte{2});
  on_host::setLateStreams(false);
}

}  // namespace
}  // namespace bankside

/// What a plan over somebody's device memory keeps of its calls.
#include "kernels/cuda/runtime/launch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string_view>

#include "kernels/cuda/runtime/stream.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/kernels/cuda/on_host/planes_on_device.h"

namespace bankside {
namespace {

using on_host::Buffers;
using on_host::Case;
using on_host::cases;

class ReadyLaunchesOnHost : public ::testing::Test {
 protected:
  void TearDown() override {
    on_host::setLateStreams(false);
    on_host::setDevice({});
  }
};

TEST_F(ReadyLaunchesOnHost, CallsThatComeAgainStartAsGraphs) {
  for (const auto& [engine, text] : cases) {
    const Case c(engine, text);
    const auto plan = c.prepare(false);
    const cuda::Stream one, two;
    on_host::setLateStreams(true, 2);
    const auto startedAsGraphs = [&](cudaStream_t stream) {
      const Buffers buffers(c, 1, 0);
      const std::uint64_t before = on_host::graphLaunchesSoFar();
      buffers.start(c, *plan, stream);
      const std::uint64_t after = on_host::graphLaunchesSoFar();
      cudaStreamSynchronize(stream);
      buffers.expect(c, std::string(engine) + " " + text);
      return after - before;
    };
    EXPECT_EQ(startedAsGraphs(one), 0u);
    const std::uint64_t again = startedAsGraphs(one);
    if (plan->info().shape.find("pixels kept") == std::string::npos) {
      EXPECT_GT(again, 0u) << engine << " " << text;
    }
    EXPECT_EQ(startedAsGraphs(one), again);
    EXPECT_EQ(startedAsGraphs(two), 0u);
    EXPECT_EQ(startedAsGraphs(one), 0u);
    EXPECT_EQ(startedAsGraphs(one), again);
    on_host::setLateStreams(false);
  }
}

TEST_F(ReadyLaunchesOnHost, PlanesThatComeAgainNeedNoArguments) {
  for (const auto& [engine, text] : cases) {
    const Case c(engine, text);
    const auto plan = c.prepare(false);
    if (plan->info().shape.find("pixels kept") != std::string::npos) continue;
    const cuda::Stream stream;
    const Buffers first(c, 1, 0), second(c, 1, 0);
    const auto argumentsOf = [&](const Buffers& buffers) {
      buffers.start(c, *plan, stream);  // results that were there are what it must not read
      std::memset(buffers.results.pixel(0, 0, 0), 0x55, 1);
      const std::uint64_t before = on_host::graphArgumentsSoFar();
      buffers.start(c, *plan, stream);
      stream.synchronize();
      buffers.expect(c, std::string(engine) + " " + text);
      return on_host::graphArgumentsSoFar() - before;
    };
    first.start(c, *plan, stream);  // the stream's first call
    // Who starts other work is given arguments: transforms, and kernels whose taps are copied.
    const std::string_view name = engine;
    const bool needed = name == "cuda:fft" || name == "cuda:single-channel-paper";
    EXPECT_EQ(argumentsOf(first) > 0, needed) << text;
    EXPECT_EQ(argumentsOf(second) > 0, needed) << text;
    EXPECT_EQ(argumentsOf(first) > 0, needed) << text;
    const std::uint64_t before = on_host::graphArgumentsSoFar();
    for (int i = 0; i < cuda::ReadyLaunches::ways; ++i) Buffers(c, 1, 0).start(c, *plan, stream);
    EXPECT_GT(on_host::graphArgumentsSoFar(), before) << text;
    EXPECT_EQ(argumentsOf(first) > 0, needed) << text;
  }
}

/// What direct sums were asked for is theirs in that call alone.
TEST_F(ReadyLaunchesOnHost, NotANumberIsNoneOfTheNextCall) {
  constexpr std::pair<const char*, const char*> marking[] = {
      {"cuda:tensor", "c1h30w64-f12k15-reflect101-f32:f32-none"},
      {"cuda:tensor", "c1h70w96-f12k15-reflect101-f32:f32-max"},
      {"cuda:tensor-fp16", "c1h18w52-f4k9-wrap-f32:f32-none"},
      {"cuda:fft", "c1h40w52-f3k21-reflect-f32:f32-none"},
  };
  for (const auto& [engine, text] : marking) {
    const Case clean(engine, text);
    Case holed(engine, text);
    const float hole = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(holed.image.plane(0).row(9) + 11 * sizeof hole, &hole, sizeof hole);
    const auto plan = clean.prepare(false);
    const cuda::Stream stream;
    const Buffers buffers(clean, 1, 0);
    for (int call = 0; call < 4; ++call) {
      const Case& now = call % 2 == 0 ? holed : clean;
      buffers.image.fill(now.image);
      buffers.start(now, *plan, stream);
      const Buffers expected(now, 1, 0);
      const auto another = now.prepare(false);
      expected.start(now, *another, stream);
      stream.synchronize();
      int other = 0;
      for (int filter = 0; filter < now.values(); ++filter)
        for (int y = 0; y < now.problem.height; ++y)
          for (int x = 0; x < now.problem.width; ++x)
            other += std::memcmp(buffers.results.pixel(filter, x, y), expected.results.pixel(filter, x, y),
                                 sizeof hole) != 0;
      EXPECT_EQ(other, 0) << text << ", call " << call;
    }
  }
}

}  // namespace
}  // namespace bankside

/// Plans over somebody's device memory, on the made-up device: the bytes of the engines' own plans, on
/// whatever steps, several plans at once; nothing written beside the results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

#include "core/error.h"
#include "core/made_input.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/cuda/runtime/stream.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/kernels/cuda/on_host/planes_on_device.h"

namespace bankside {
namespace {

using on_host::Buffers;
using on_host::Case;
using on_host::cases;
using on_host::untouched;
using ::testing::HasSubstr;

class DevicePlanOnHost : public ::testing::Test {
 protected:
  void TearDown() override {
    on_host::setLateStreams(false);
    on_host::setDevice({});
  }
};

TEST_F(DevicePlanOnHost, GivesTheBytesOfThePlanInBandsOverDenseMemory) {
  for (const auto& [engine, text] : cases) {
    const Case c(engine, text);
    const auto plan = c.prepare(false);
    const Buffers dense(c, 1, 0);
    const cuda::Stream stream;
    on_host::setLateStreams(true, 1);
    dense.start(c, *plan, stream);
    stream.synchronize();
    on_host::setLateStreams(false);
    dense.expect(c, std::string(engine) + " " + text);
  }
}

TEST_F(DevicePlanOnHost, TakesAnyStepsAndWritesNothingBeside) {
  for (const auto& [engine, text] : cases) {
    const Case c(engine, text);
    const auto plan = c.prepare(true);
    for (const int spread : {1, 3}) {
      for (const int margin : {1, 32}) {
        Buffers buffers(c, spread, margin);
        if (margin == 32) {
          buffers.image.turnUpsideDown();
          buffers.image.fill(c.image);
          buffers.results.turnUpsideDown();
        }
        const cuda::Stream stream;
        buffers.start(c, *plan, stream);
        stream.synchronize();
        buffers.expect(c, std::string(engine) + " " + text + ", " + std::to_string(spread) +
                              " apart, margin " + std::to_string(margin));
      }
    }
  }
}

/// Rows between other rows, where kernels write in place.
TEST_F(DevicePlanOnHost, WritesInPlaceWithinItsRows) {
  for (const auto& [engine, text] : cases) {
    const Case c(engine, text);
    const auto plan = c.prepare(false);
    const Buffers buffers(c, 1, 32);
    const cuda::Stream stream;
    try {
      buffers.start(c, *plan, stream);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Unsupported);
      EXPECT_THAT(error.what(), HasSubstr("any strides"));
      continue;
    }
    stream.synchronize();
    buffers.expect(c, std::string(engine) + " " + text);
  }
}

/// Taps are nobody else's: plans that run in turns on streams that are late, of the same constant memory.
TEST_F(DevicePlanOnHost, PlansRunBesideEachOther) {
  for (const char* text : {"c1h33w48-f3k5-reflect101-u8:f32-none", "c1h40w64-f5k9-wrap-f32:f32-argmax"}) {
    const Case first("cuda:single-channel", text, 3);
    const Case second("cuda:single-channel", text, 4);
    const auto plan = first.prepare(false);
    const auto other = second.prepare(false);
    const auto sameTaps = first.prepare(false);
    EXPECT_THAT(plan->info().shape, ::testing::Not(HasSubstr("any-size")));
    EXPECT_THAT(other->info().shape, HasSubstr("any-size, constant memory"));
    EXPECT_EQ(sameTaps->info().shape, plan->info().shape) << "the same taps share their place";
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Buffers a(first, 1, 0), b(second, 1, 0), d(first, 1, 0);
      const cuda::Stream one, two, three;
      on_host::setLateStreams(true, seed);
      b.start(second, *other, two);
      a.start(first, *plan, one);
      d.start(first, *sameTaps, three);
      EXPECT_EQ(on_host::streamTraffic().mostBusyStreams, 3u);
      one.synchronize();
      two.synchronize();
      three.synchronize();
      on_host::setLateStreams(false);
      a.expect(first, text);
      b.expect(second, text);
      d.expect(first, text);
    }
  }
}

/// A plan in bands does without what another plan holds; with that plan constant memory is free again.
TEST_F(DevicePlanOnHost, ConstantMemoryIsHeldAsLongAsThePlan) {
  const Case c("cuda:single-channel", "c1h33w48-f3k5-reflect101-u8:f32-none");
  auto plan = c.prepare(false);
  const auto other = randomBank(3, 1, 5, 5, 8);
  const auto inBands = c.engine.prepare(c.problem, other, {});
  const std::vector<Image> beside = runWhole(*inBands, c.problem, c.image);
  const Buffers held(c, 1, 0);
  const cuda::Stream stream;
  held.start(c, *plan, stream);
  stream.synchronize();
  held.expect(c, "the taps are there as before");
  plan.reset();
  const std::vector<Image> alone = runWhole(*inBands, c.problem, c.image);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(samePixels(beside[i], alone[i])) << i;
  EXPECT_FALSE(samePixels(alone[0], c.expected[0])) << "the taps are others";
  EXPECT_THAT(c.prepare(false)->info().shape, ::testing::Not(HasSubstr("any-size")));
}

/// What a start allocates would break a capture.
TEST_F(DevicePlanOnHost, AllocatesNothingAfterItWasPrepared) {
  for (const auto& [engine, text] : cases) {
    const Case c(engine, text);
    const auto plan = c.prepare(true);
    const Buffers strange(c, 3, 32), dense(c, 1, 0);
    const cuda::Stream stream;
    const std::uint64_t before = on_host::allocationsSoFar();
    for (int i = 0; i < 3; ++i) {
      strange.start(c, *plan, stream);
      dense.start(c, *plan, stream);
    }
    EXPECT_EQ(on_host::allocationsSoFar(), before) << engine << " " << text;
    stream.synchronize();
    strange.expect(c, text);
    dense.expect(c, text);
  }
}

TEST_F(DevicePlanOnHost, SaysWhatIsWrong) {
  const Case c("cuda:single-channel", "c1h33w48-f3k5-reflect101-f32:f32-none");
  const auto plan = c.prepare(false);
  const Buffers buffers(c, 1, 0);
  const cuda::Stream stream;
  const auto refused = [&](const auto& change, ErrorCode code, const char* sentence) {
    DevicePlanes image = buffers.image.at, results = buffers.results.at;
    cudaStream_t given = stream;
    change(image, results, given);
    try {
      plan->start(image, results, nullptr, given);
      FAIL() << sentence;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(sentence));
    }
  };
  std::vector<float> host(33 * 48);
  void* freed = nullptr;
  ASSERT_EQ(cudaMalloc(&freed, 64), cudaSuccess);
  cudaFree(freed);
  int none = 0;
  using Planes = DevicePlanes;
  refused([&](Planes& image, Planes&, cudaStream_t&) { image.pixels = host.data(); }, ErrorCode::BadInput,
          "the pixels of the image lie in no memory of the device");
  refused([&](Planes&, Planes& results, cudaStream_t&) { results.pixels = freed; }, ErrorCode::BadInput,
          "the results lie in no memory of the device; perhaps it was freed");
  refused([&](Planes&, Planes&, cudaStream_t& s) { s = reinterpret_cast<cudaStream_t>(&none); },
          ErrorCode::BadInput, "the stream cannot be used");
  refused([&](Planes& image, Planes&, cudaStream_t&) { image.pixel = 8; }, ErrorCode::Unsupported,
          "multiples of 16 bytes; a plan prepared for any strides copies others");
  refused([&](Planes&, Planes& results, cudaStream_t&) { results.row += 4; }, ErrorCode::Unsupported,
          "these results are taken in place");
  const auto any = c.prepare(true);
  DevicePlanes odd = buffers.image.at;
  odd.row += 2;
  EXPECT_THROW(any->start(odd, buffers.results.at, nullptr, stream), Error);
}

}  // namespace
}  // namespace bankside

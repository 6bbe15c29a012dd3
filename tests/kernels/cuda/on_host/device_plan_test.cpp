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

namespace bankside {
namespace {

using ::testing::HasSubstr;

constexpr auto untouched = std::byte{0x5a};

/// Planes with room of its own around every row, on the device. `spread`: how many pixels apart.
class Places {
 public:
  Places(int planes, int height, int width, ElementType type, int spread, int margin)
      : planes_(planes), height_(height), width_(width), size_(static_cast<std::ptrdiff_t>(sizeOf(type))) {
    at.pixel = size_ * spread;
    at.row = margin == 0 && spread == 1 ? width * size_ : (width * at.pixel + margin * size_ + 15) / 16 * 16;
    at.plane = at.row * (height + (margin > 0 ? 1 : 0));
    memory_ = cuda::DeviceBuffer(static_cast<std::size_t>(at.plane * planes + 64));
    std::memset(memory_.data(), static_cast<int>(untouched), memory_.bytes());
    at.pixels = memory_.data() + (margin > 0 ? 16 : 0);
  }
  void turnUpsideDown() {
    at.pixels = static_cast<std::byte*>(at.pixels) + at.row * (height_ - 1);
    at.row = -at.row;
  }
  std::byte* pixel(int plane, int x, int y) const {
    return static_cast<std::byte*>(at.pixels) + plane * at.plane + y * at.row + x * at.pixel;
  }
  void fill(const Image& image) const {
    forEach([&](std::byte* place, int plane, int x, int y) {
      std::memcpy(place, image.plane(plane).row(y) + x * size_, static_cast<std::size_t>(size_));
    });
  }
  /// Whether plane `plane` holds the image's only plane.
  bool holds(const Image& image, int plane) const {
    bool same = true;
    forEach([&](const std::byte* place, int p, int x, int y) {
      if (p == plane)
        same = same &&
               std::memcmp(place, image.plane(0).row(y) + x * size_, static_cast<std::size_t>(size_)) == 0;
    });
    return same;
  }
  /// Every byte that is no pixel's.
  bool restIsUntouched() const {
    std::vector<std::byte> copy(memory_.data(), memory_.data() + memory_.bytes());
    forEach([&](const std::byte* place, int, int, int) {
      std::memset(copy.data() + (place - memory_.data()), static_cast<int>(untouched),
                  static_cast<std::size_t>(size_));
    });
    return std::all_of(copy.begin(), copy.end(), [](std::byte b) { return b == untouched; });
  }

  DevicePlanes at;

 private:
  void forEach(const std::function<void(std::byte*, int, int, int)>& use) const {
    for (int p = 0; p < planes_; ++p)
      for (int y = 0; y < height_; ++y)
        for (int x = 0; x < width_; ++x) use(pixel(p, x, y), p, x, y);
  }
  int planes_, height_, width_;
  std::ptrdiff_t size_;
  cuda::DeviceBuffer memory_;
};

struct Case {
  Case(const char* engineName, const char* text, std::uint64_t seed = 3)
      : problem(parseProblem(text)),
        bank(randomBank(problem.filterCount, problem.tapChannels(), problem.filterHeight, problem.filterWidth,
                        seed)),
        image(randomImage(problem.channels, problem.height, problem.width, problem.srcType, 5)),
        engine(dynamic_cast<const DeviceEngine&>(*engineOnHost(engineName))),
        expected(runWhole(engine, problem, bank, image)) {}

  std::unique_ptr<DevicePlan> prepare(bool anySteps) const {
    return engine.prepareDevice(problem, bank, {.anySteps = anySteps});
  }
  int values() const {
    return problem.responseGroups() * (problem.combine == Combine::None ? problem.filterCount : 1);
  }
  bool index() const { return problem.combine == Combine::ArgMax; }

  ConvolutionProblem problem;
  FilterBank bank;
  Image image;
  const DeviceEngine& engine;
  std::vector<Image> expected;  ///< of the plan in bands, before a plan has constant memory for itself
};

/// An image and its results on the device.
struct Buffers {
  Buffers(const Case& c, int spread, int margin)
      : image(c.problem.channels, c.problem.height, c.problem.width, c.problem.srcType, spread, margin),
        results(c.values(), c.problem.height, c.problem.width, outputPlaneType(c.problem, 0), spread, margin),
        indices(c.index() ? c.values() : 1, c.problem.height, c.problem.width, ElementType::U16, spread,
                margin) {
    image.fill(c.image);
    const auto groups = static_cast<std::ptrdiff_t>(c.problem.responseGroups());
    results.at.group = results.at.plane * (c.values() / groups);
    indices.at.group = indices.at.plane;
  }
  void start(const Case& c, DevicePlan& plan, cudaStream_t stream) const {
    plan.start(image.at, results.at, c.index() ? &indices.at : nullptr, stream);
  }
  void expect(const Case& c, const std::string& what) const {
    for (int i = 0; i < static_cast<int>(c.expected.size()); ++i) {
      const bool isIndex = c.index() && i % 2 == 1;
      EXPECT_TRUE(
          (isIndex ? indices : results).holds(c.expected[static_cast<std::size_t>(i)], c.index() ? i / 2 : i))
          << what << ", plane " << i;
    }
    EXPECT_TRUE(results.restIsUntouched()) << what;
    if (c.index()) {
      EXPECT_TRUE(indices.restIsUntouched()) << what;
    }
  }

  Places image, results, indices;
};

constexpr std::pair<const char*, const char*> cases[] = {
    {"cuda:single-channel", "c1h21w64-f3k5-reflect101-u8:f32-none"},
    {"cuda:single-channel", "c2h19w48-f4k3-wrap-f32:f32-argmax-perplane"},
    {"cuda:single-channel", "c1h20w37-f3k9-constant=4-u16:u8-none"},
    {"cuda:single-channel", "c3h9w33-f2k17-replicate-f16:f16-max-perplane"},
    {"cuda:single-channel", "c1h1w50-f3k1x7-reflect-u8:f32-magnitude"},
    {"cuda:single-channel", "c1h40w1-f1k3-replicate-u8:u16-none"},
    {"cuda:tensor", "c1h30w64-f12k15-reflect101-f32:f32-none"},
    {"cuda:tensor", "c1h30w61-f3k7-reflect101-u8:u8-argmax"},  // whose values are f32
    {"cuda:tensor-fp16", "c2h18w50-f4k9-wrap-u16:f32-none-perplane"},
    {"cuda:fft", "c1h40w52-f3k21-reflect-f32:f32-none"},
    {"cuda:fft", "c1h33w45-f2k15-constant=2-u8:u8-max"},
    {"cuda:multichannel", "c3h17w33-f5k3-reflect101-u8:f32-none"},
    {"cuda:multichannel", "c9h12w36-f8k3-constant-f32:u16-max"},
    {"cuda:multichannel-fp16x3", "c16h9w35-f6k3-wrap-f32:f32-argmax"},
    {"cuda", "c1h21w64-f3k5-reflect101-u8:f32-none"},
    {"cuda", "c4h21w40-f3k5-reflect101-u8:f32-sum"},
};

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

/// A graph's starts follow each other, so that streams that take turns do without.
TEST_F(DevicePlanOnHost, CallsThatComeAgainStartAsGraphs) {
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

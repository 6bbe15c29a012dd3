/// Where pixels come from and go to: threads, regions, streams, foreign memory, stopping.
#include <cstring>

#include "core/error.h"
#include "core/judge/row_streams.h"
#include "tests/kernels/cpu_direct_checks.h"
#include "tests/support/stopping.h"

namespace bankside::testing {
namespace {

TEST(CpuDirectMemory, ThreadCountAndRegionChangeNoByte) {
  for (const int filters : {1, 3, 8}) {
    for (const Combine combine : {Combine::None, Combine::AbsMax}) {
      const FilterBank bank = randomBank(filters, 1, 9, 9);
      const Image image = randomImage(1, 301, 803, ElementType::F32);
      const auto p = makeProblem(bank, 1, 301, 803, ElementType::F32, ElementType::F32, {}, combine);
      const auto whole = runWhole(cpuDirect(), p, bank, image, {1});
      for (const int threads : {2, 3, 8}) {
        EXPECT_TRUE(sameImages(runWhole(cpuDirect(), p, bank, image, {threads}), whole)) << threads;
      }
      const auto plan = cpuDirect().prepare(p, bank, {2});
      ImageSource source(image);
      for (const Region region :
           {Region{0, 0, 5, 5}, {17, 3, 200, 61}, {700, 290, 103, 11}, {0, 150, 803, 1}}) {
        ImageSink sink(p, region);
        plan->run(source, sink, region, {});
        for (std::size_t i = 0; i < whole.size(); ++i) {
          for (int y = 0; y < region.height; ++y) {
            EXPECT_EQ(0, std::memcmp(sink.images()[i].view<float>(0).row(y),
                                     whole[i].view<float>(0).row(region.y + y) + region.x,
                                     static_cast<std::size_t>(region.width) * sizeof(float)));
          }
        }
      }
    }
  }
}

/// Rows that end in whole cache lines, a vector short of one, and in parts of a vector.
TEST(CpuDirectMemory, LargeResultsAreTheSameAsSmallOnes) {
  for (const int width : {1200, 1208, 1213}) {
    for (const auto& [filters, combine] :
         {std::pair(1, Combine::None), {2, Combine::None}, {5, Combine::None}, {3, Combine::Max}}) {
      const FilterBank bank = randomBank(filters, 1, 3, 3);
      const int height = 2'200'000 / width / (combine == Combine::None ? filters : 1);
      const auto p = makeProblem(bank, 1, height, width, ElementType::F32, ElementType::F32, {}, combine);
      expectLargeAsSmall(cpuDirect(), p, bank, randomImage(1, height, width, ElementType::F32));
    }
  }
}

TEST(CpuDirectMemory, StreamsGiveTheSameBytesAsMemory) {
  for (const int filters : {1, 7}) {
    const FilterBank bank = randomBank(filters, 2, 4, 5);
    const Image image = randomImage(2, 131, 1009, ElementType::U16);
    for (const BorderKind kind : allBorderKinds) {
      const auto p =
          makeProblem(bank, 2, 131, 1009, ElementType::U16, ElementType::F32, {kind, 0}, Combine::None);
      RowSource source(image);
      RowSink sink(p, wholeImage(p));
      cpuDirect().prepare(p, bank, {2})->run(source, sink, wholeImage(p), {});
      EXPECT_TRUE(sameImages(sink.images(), runWhole(cpuDirect(), p, bank, image))) << format(p);
    }
  }
}

/// Memory of somebody else: rows packed without padding, planes at odd places, guards around every row.
class PackedSink final : public Sink {
 public:
  PackedSink(const ConvolutionProblem& p, const Region& region)
      : region_(region), types_(outputPlanes(p)), planes_(types_.size(), std::vector<float>(size(), guard)) {}
  int planes() const override { return static_cast<int>(types_.size()); }
  ElementType type(int plane) const override { return types_[static_cast<std::size_t>(plane)]; }
  std::optional<MutablePlane> resident(int plane) override {
    auto* data =
        reinterpret_cast<std::byte*>(planes_[static_cast<std::size_t>(plane)].data() + 1 + plane % 3);
    return MutablePlane{data, type(plane), region_.width, region_.height, stride() * 4};
  }
  void writeRows(int, int, ConstPlane) override {}

  float at(int plane, int x, int y) const {
    return planes_[static_cast<std::size_t>(plane)]
                  [static_cast<std::size_t>(1 + plane % 3 + y * stride() + x)];
  }
  static constexpr float guard = -12345.0f;
  std::ptrdiff_t stride() const { return region_.width + 1; }

 private:
  std::size_t size() const { return static_cast<std::size_t>((region_.height + 1) * stride() + 4); }
  Region region_;
  std::vector<ElementType> types_;
  std::vector<std::vector<float>> planes_;
};

TEST(CpuDirectMemory, WritesNothingBesideTheRegionAndTakesAnyAlignment) {
  for (const int filters : {1, 2, 7}) {
    for (const auto& [width, height] : {std::pair{1, 1}, {77, 13}, {129, 9}, {1600, 1400}}) {
      const FilterBank bank = randomBank(filters, 1, 3, 3);
      const Image image = randomImage(1, height, width, ElementType::F32);
      const auto p =
          makeProblem(bank, 1, height, width, ElementType::F32, ElementType::F32, {}, Combine::None);
      const auto expected = runWhole(cpuDirect(), p, bank, image);
      PackedSink sink(p, wholeImage(p));
      ImageSource source(image);
      cpuDirect().prepare(p, bank, {2})->run(source, sink, wholeImage(p), {});
      for (int f = 0; f < filters; ++f) {
        for (int y = 0; y < height; ++y) {
          const float* row = expected[static_cast<std::size_t>(f)].view<float>(0).row(y);
          for (int x = 0; x < width; ++x) ASSERT_EQ(row[x], sink.at(f, x, y));
          ASSERT_EQ(PackedSink::guard, sink.at(f, width, y));
        }
        ASSERT_EQ(PackedSink::guard, sink.at(f, -1, 0));
      }
    }
  }
}

/// Reading f32 rows in place gives what copied rows give: u8 pixels take the other way.
TEST(CpuDirectMemory, RowsReadInPlaceGiveTheSameBytes) {
  for (const BorderKind kind : allBorderKinds) {
    for (const int width : {511, 513, 600, 1023}) {
      const FilterBank bank = withAnchor(randomBank(2, 1, 5, 4), 3, 0);
      const Image bytes = randomImage(1, 23, width, ElementType::U8);
      const Image floats = convert(bytes, ElementType::F32);
      auto p = makeProblem(bank, 1, 23, width, ElementType::F32, ElementType::F32, {kind, 0}, Combine::None);
      const auto inPlace = runWhole(cpuDirect(), p, bank, floats, {2});
      p.srcType = ElementType::U8;
      EXPECT_TRUE(sameImages(inPlace, runWhole(cpuDirect(), p, bank, bytes, {1}))) << format(p);
    }
  }
}

/// Large enough for streaming stores.
TEST(CpuDirectMemory, LargeResultsAreExactToo) {
  const FilterBank bank = integerBank(2, 1, 3, 3);
  const Image image = integerImage(1, 2049, 2051, ElementType::U8);
  for (const Combine combine : {Combine::None, Combine::Sum}) {
    const auto p = makeProblem(bank, 1, 2049, 2051, ElementType::U8, ElementType::F32, {}, combine);
    EXPECT_TRUE(exactlyAsReference(p, bank, image, 2));
  }
}

TEST(CpuDirectMemory, StopsSoonAfterItIsAsked) {
  const FilterBank bank = randomBank(64, 1, 63, 63);
  const Image image = randomImage(1, 1024, 4096, ElementType::F32);
  const auto p = makeProblem(bank, 1, 1024, 4096, ElementType::F32, ElementType::F32, {}, Combine::Max);
  const auto plan = cpuDirect().prepare(p, bank, {2});
  ImageSource source(image);
  expectStopsSoon(*plan, p, source, 1.0 / 256);
  // The plan is whole again afterwards.
  const Region corner{0, 0, 8, 2};
  ImageSink small(p, corner);
  EXPECT_NO_THROW(plan->run(source, small, corner, {}));
}

}  // namespace
}  // namespace bankside::testing

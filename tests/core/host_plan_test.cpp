#include "core/host_plan.h"

#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "core/judge/exact.h"
#include "core/judge/row_streams.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

/// One filter, plainly, out of what a band gives.
class PlainPlan final : public HostPlan {
 public:
  PlainPlan(const ConvolutionProblem& problem, const FilterBank& bank) : HostPlan(problem, bank, {1}) {}
  PlanInfo info() const override { return {.shape = "plain"}; }
  int bands = 0;
  int block = 1;
  std::vector<Region> seen = {};  ///< of each band

 private:
  int blockRows() const override { return block; }
  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token&) override {
    ++bands;
    seen.push_back(out.region);
    // Every row that the blocks of the band see is there.
    const int top = out.region.y / block * block;
    const int bottom =
        std::min((out.region.y + out.region.height + block - 1) / block * block, problem().height);
    for (int y = top - taps().anchorY; y < bottom - taps().anchorY + problem().filterHeight - 1; ++y)
      (void)in.row(0, y);
    ExactRow row;
    for (int f = 0; f < problem().filterCount; ++f) {
      for (int y = 0; y < out.region.height; ++y) {
        exactResponse(problem(), taps(), in, 0, f, out.region.y + y, out.region.x, out.region.width, row);
        float* dst = out.planes[static_cast<std::size_t>(f)].as<float>().row(y);
        for (int x = 0; x < out.region.width; ++x)
          dst[x] = static_cast<float>(row.value[static_cast<std::size_t>(x)]);
      }
    }
  }
};

/// Rows of each plane come in order.
class OrderedSink final : public RowSink {
 public:
  OrderedSink(const ConvolutionProblem& problem, const Region& region)
      : RowSink(problem, region), next_(static_cast<std::size_t>(planes()), 0) {}
  void writeRows(int plane, int firstRow, ConstPlane src) override {
    EXPECT_EQ(next_[static_cast<std::size_t>(plane)], firstRow);
    next_[static_cast<std::size_t>(plane)] += src.height;
    RowSink::writeRows(plane, firstRow, src);
  }

 private:
  std::vector<int> next_;
};

ConvolutionProblem problemFor(const FilterBank& bank, const Image& image, BorderKind border) {
  return makeProblem(bank, image.channels(), image.height(), image.width(), image.type(), ElementType::F32,
                     {border, 0}, Combine::None);
}

TEST(PlanInfo, IsTextAtTheVeryEnd) {
  const PlanInfo plain{.shape = "AVX3, 4 rows"};
  const PlanInfo picked{"a:b", "AVX3, 4 rows", "predicted 2 ms"};
  EXPECT_EQ(toString(plain), "AVX3, 4 rows");
  EXPECT_EQ(toString(picked), "a:b, AVX3, 4 rows; predicted 2 ms");
  EXPECT_EQ(toString(std::vector<PlanInfo>{plain, picked, plain}),
            "AVX3, 4 rows, a:b, AVX3, 4 rows; predicted 2 ms");
}

TEST(HostPlan, BandsGiveTheBytesOfTheWhole) {
  // 6,000 rows of 3,000 pixels and two results pass the 64 MiB of a band several times over.
  const Image image = testing::integerImage(1, 6000, 3000, ElementType::U8);
  const FilterBank bank = testing::integerBank(2, 1, 4, 2);
  for (const BorderKind border : {BorderKind::Reflect101, BorderKind::Wrap, BorderKind::Constant}) {
    const ConvolutionProblem p = problemFor(bank, image, border);
    PlainPlan plan(p, bank);
    ImageSource whole(image);
    ImageSink inPlace(p, wholeImage(p));
    plan.run(whole, inPlace, wholeImage(p), {});
    EXPECT_EQ(plan.bands, 1);
    RowSource source(image);
    OrderedSink sink(p, wholeImage(p));
    plan.run(source, sink, wholeImage(p), {});
    EXPECT_GT(plan.bands, 3);
    EXPECT_LE(source.rowsRead(), 6000 + 2 * 4) << "rows that bands share are read once";
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_TRUE(samePixels(inPlace.images()[i], sink.images()[i])) << toString(border);
  }
}

TEST(HostPlan, ARegionIsACropOfTheWhole) {
  const Image image = testing::integerImage(1, 40, 50, ElementType::U8);
  const FilterBank bank = testing::integerBank(1, 1, 7, 5);
  const ConvolutionProblem p = problemFor(bank, image, BorderKind::Reflect);
  PlainPlan plan(p, bank);
  ImageSource source(image);
  ImageSink whole(p, wholeImage(p));
  plan.run(source, whole, wholeImage(p), {});
  const Region region{47, 3, 3, 37};
  ImageSink part(p, region);
  RowSource streamed(image);
  plan.run(streamed, part, region, {});
  for (int y = 0; y < region.height; ++y) {
    for (int x = 0; x < region.width; ++x) {
      EXPECT_EQ(part.images()[0].view<float>(0).at(x, y),
                whole.images()[0].view<float>(0).at(region.x + x, region.y + y));
    }
  }
}

TEST(HostPlan, RefusesWhatIsNotItsProblem) {
  const Image image = testing::integerImage(1, 8, 8, ElementType::U8);
  const FilterBank bank = testing::integerBank(1, 1, 3, 3);
  const ConvolutionProblem p = problemFor(bank, image, BorderKind::Wrap);
  PlainPlan plan(p, bank);
  ImageSource source(image);
  ImageSink sink(p, wholeImage(p));
  EXPECT_THROW(plan.run(source, sink, {0, 0, 9, 8}, {}), Error);
  EXPECT_THROW(plan.run(source, sink, {0, 0, 0, 8}, {}), Error);
  const Image other = testing::integerImage(1, 8, 9, ElementType::U8);
  ImageSource wrong(other);
  EXPECT_THROW(plan.run(wrong, sink, wholeImage(p), {}), Error);
  EXPECT_THROW(PlainPlan(p, testing::integerBank(2, 1, 3, 3)), Error);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(plan.run(source, sink, wholeImage(p), stop.get_token()), Cancelled);
}

/// Wherever a region begins: of blocks of rows that are made together none is cut but at the region's ends.
TEST(HostPlan, BandsEndWhereBlocksDo) {
  const Image image = testing::integerImage(1, 3000, 6000, ElementType::U8);
  const FilterBank bank = testing::integerBank(2, 1, 4, 2);
  const ConvolutionProblem p = problemFor(bank, image, BorderKind::Reflect101);
  PlainPlan plan(p, bank);
  RowSource source(image);
  for (const auto& [block, top] : {std::pair{7, 0}, {7, 10}, {64, 0}, {64, 90}, {1000, 5}, {2999, 0}}) {
    plan.block = block;
    plan.seen.clear();
    const Region region{0, top, p.width, p.height - top};
    OrderedSink sink(p, region);
    plan.run(source, sink, region, {});
    int next = top;
    for (const Region& band : plan.seen) {
      EXPECT_EQ(band.y, next);
      EXPECT_EQ(band.x, 0);
      EXPECT_EQ(band.width, p.width);
      next += band.height;
      EXPECT_TRUE(next % block == 0 || next == p.height) << block << " from " << top << " to " << next;
      EXPECT_LE(band.height, std::max(block, 1242)) << "64 MiB of sources and results, or a block";
    }
    EXPECT_EQ(next, p.height);
    EXPECT_GE(plan.seen.size(), block == 2999 ? 2u : 3u);
    EXPECT_LE(plan.seen.size(), 5u) << "as few as that allows";
  }
}

/// A block that would take more than half a gigabyte is made several times over instead.
TEST(HostPlan, BlocksThatAreTooLargeAreCut) {
  const Image image = testing::integerImage(1, 1300, 50000, ElementType::U8);
  const FilterBank bank = testing::integerBank(2, 1, 1, 1);
  const ConvolutionProblem p = problemFor(bank, image, BorderKind::Reflect101);
  PlainPlan plan(p, bank);
  plan.block = 1250;
  RowSource source(image);
  const Region region{0, 0, p.width, 400};
  RowSink sink(p, region);
  plan.run(source, sink, region, {});
  ASSERT_GE(plan.seen.size(), 2u);
  EXPECT_EQ(plan.seen[0].height, 149) << "64 MiB";
}

TEST(HostPlan, BoundsAreThoseOfOneRoundingATap) {
  const Image image = testing::integerImage(3, 8, 8, ElementType::U8);
  const FilterBank bank = testing::integerBank(2, 3, 4, 5);
  const PlainPlan plan(problemFor(bank, image, BorderKind::Wrap), bank);
  EXPECT_EQ(plan.traits().errorBound.factor, gammaBound(60));
}

}  // namespace
}  // namespace bankside

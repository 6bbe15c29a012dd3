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

 private:
  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token&) override {
    ++bands;
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

}  // namespace
}  // namespace bankside

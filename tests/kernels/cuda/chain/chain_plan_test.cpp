/// Two banks in one plan, with a device made up of host memory and the reference engine.
#include "kernels/cuda/chain/chain_plan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "core/error.h"
#include "core/made_input.h"
#include "core/run/recipe_runner.h"
#include "kernels/engines.h"
#include "tests/core/run/two_stages.h"

namespace bankside::cuda {
namespace {

using testing::collect;
using testing::named;
using testing::twoStages;

/// Planes hold NaN until rows are put there, so that a row that was forgotten is seen in the result.
Image unknown(int channels, int height, int width, ElementType type) {
  Image image(channels, height, width, type);
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < height; ++y)
      std::memset(image.plane(c).row(y), 0xff, static_cast<std::size_t>(width) * sizeOf(type));
  return image;
}

struct Work {
  int uploadedRows = 0;
  int mapRows = 0;
  int bands = 0;
  int waits = 0;
};

class MadeUpDevice final : public ChainDevice {
 public:
  MadeUpDevice(const ChainedProblem& chain, const FilterBank& first, const FilterBank& second, Work& work)
      : chain_(chain),
        first_(reference().prepare(chain.first, first, {})),
        second_(reference().prepare(chain.second, second, {})),
        image_(unknown(chain.first.channels, chain.first.height, chain.first.width, chain.first.srcType)),
        maps_(unknown(chain.second.channels, chain.second.height, chain.second.width, ElementType::F32)),
        work_(work) {}

  std::string describe() const override { return "made up"; }
  ErrorBound firstErrorBound() const override { return first_->errorBound(); }
  ErrorBound errorBound() const override { return second_->errorBound(); }

  void upload(int channel, int firstRow, ConstPlane rows) override {
    copyRows(rows, image_.plane(channel), firstRow);
    if (channel == 0) work_.uploadedRows += rows.height;
  }

  void makeMaps(int firstRow, int rows) override {
    const Region region{0, firstRow, chain_.first.width, rows};
    ImageSource source(image_);
    ImageSink sink(chain_.first, region);
    first_->run(source, sink, region, {});
    for (int m = 0; m < maps_.channels(); ++m) {
      Image& map = sink.images()[static_cast<std::size_t>(m)];
      for (int y = 0; y < rows; ++y) activate(chain_.activation, map.view<float>(0).row(y), map.width());
      copyRows(map.plane(0), maps_.plane(m), firstRow);
    }
    work_.mapRows += rows;
  }

  void makeResults(const Region& band) override {
    ImageSource source(maps_);
    result_.emplace(chain_.second, band);
    second_->run(source, *result_, band, {});
    ++work_.bands;
  }

  void wait() override { ++work_.waits; }

  void fetch(int plane, MutablePlane to) override {
    const ConstPlane from = result_->images()[static_cast<std::size_t>(plane)].plane(0);
    ASSERT_EQ(from.width, to.width);
    ASSERT_EQ(from.height, to.height);
    copyRows(from, to, 0);
  }

 private:
  static const Engine& reference() { return *findEngine("reference"); }
  static void copyRows(ConstPlane from, MutablePlane to, int firstRow) {
    for (int y = 0; y < from.height; ++y)
      std::memcpy(to.row(firstRow + y), from.row(y),
                  static_cast<std::size_t>(from.width) * sizeOf(from.type));
  }

  ChainedProblem chain_;
  std::unique_ptr<Plan> first_;
  std::unique_ptr<Plan> second_;
  Image image_;
  Image maps_;
  std::optional<ImageSink> result_;
  Work& work_;
};

class MadeUpEngine final : public Engine {
 public:
  explicit MadeUpEngine(const ChainBands& bands) : bands_(bands) {}
  std::string name() const override { return "made-up"; }
  std::string device() const override { return "none"; }
  std::string description() const override { return "host memory as a device"; }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem&, const FilterBank&,
                                const PlanOptions&) const override {
    throw Error(ErrorCode::Device, "not to be asked");
  }
  std::unique_ptr<ChainedPlan> prepareChain(const ChainedProblem& chain, const FilterBank& first,
                                            const FilterBank& second, const PlanOptions&) const override {
    return makeChainPlan(chain, correlationTaps(chain.first, first).anchorY,
                         correlationTaps(chain.second, second).anchorY,
                         std::make_unique<MadeUpDevice>(chain, first, second, work), bands_);
  }
  mutable Work work;

 private:
  ChainBands bands_;
};

/// Rows that must be asked for.
class RowsOnly final : public Source {
 public:
  explicit RowsOnly(const Image& image) : source_(image) {}
  ElementType type() const override { return source_.type(); }
  int channels() const override { return source_.channels(); }
  int height() const override { return source_.height(); }
  int width() const override { return source_.width(); }
  void readRows(int channel, int firstRow, MutablePlane dst) override {
    source_.readRows(channel, firstRow, dst);
  }

 private:
  ImageSource source_;
};

TEST(ChainPlan, GivesTheBytesOfTwoPlansInARow) {
  const Border borders[] = {{BorderKind::Constant, -3.5f},
                            {BorderKind::Replicate, 0},
                            {BorderKind::Reflect, 0},
                            {BorderKind::Reflect101, 0},
                            {BorderKind::Wrap, 0}};
  // Small ones too: a row a launch and a band.
  const ChainBands sizes[] = {{}, {1, 1}, {2e4, 3000}};
  int cases = 0;
  for (const Border& border : borders) {
    for (const Activation activation : allActivations) {
      for (const Combine combine : {Combine::None, Combine::Max, Combine::ArgMax}) {
        const int channels = cases % 2 == 0 ? 1 : 3;
        const Image image =
            randomImage(channels, 23, 31, cases % 3 == 0 ? ElementType::U8 : ElementType::F32);
        const FilterBank first =
            withMode(withAnchor(randomBank(4, channels, 5, 3, 7), cases % 3, cases % 5),
                     cases % 2 == 0 ? FilterMode::Convolution : FilterMode::CrossCorrelation);
        RunnerOptions options = twoStages(first, activation);
        options.border = border;
        options.combine = combine;
        options.responses = combine == Combine::None;
        // One bank sums over the maps, the other is applied to each.
        const FilterBank second = randomBank(3, cases % 2 == 0 ? 4 : 1, 4, 4, 9);
        Runner apart(second, options, named("reference"));
        const MadeUpEngine engine(sizes[cases % 3]);
        options.verifyReference = true;
        Runner chained(second, options, [&](const ConvolutionProblem&) -> const Engine& { return engine; });
        BankRun run;
        RowsOnly rows(image);
        const auto got = cases % 4 == 0 ? collect(chained, image, &run) : collect(chained, rows, &run);
        const auto expected = collect(apart, image);
        EXPECT_TRUE(run.passed);
        EXPECT_EQ(run.steps.back().plan.shape, "made up");
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i)
          EXPECT_TRUE(samePixels(got[i], expected[i]))
              << format(border) << " " << toString(activation) << " " << toString(combine) << " plane " << i;
        EXPECT_EQ(engine.work.mapRows, 23);
        EXPECT_EQ(engine.work.uploadedRows, 23);
        if (cases % 3 == 1) {
          EXPECT_EQ(engine.work.bands, 23);
        }
        ++cases;
      }
    }
  }
  EXPECT_EQ(cases, 60);
}

TEST(ChainPlan, BringsWhatAPartNeedsAndNoMore) {
  const Image image = randomImage(1, 40, 20, ElementType::F32);
  for (const BorderKind kind : {BorderKind::Reflect101, BorderKind::Wrap, BorderKind::Constant}) {
    RunnerOptions options = twoStages(randomBank(2, 1, 3, 3, 7), Activation::Relu);
    options.border = {kind, 0};
    const FilterBank second = randomBank(2, 2, 5, 5, 9);
    Runner apart(second, options, named("reference"));
    const MadeUpEngine engine({});
    Runner chained(second, options, [&](const ConvolutionProblem&) -> const Engine& { return engine; });
    for (const Region part : {Region{3, 0, 9, 4}, Region{0, 17, 20, 1}, Region{11, 36, 9, 4}}) {
      engine.work = {};
      std::vector<Image> got, expected;
      ImageSource source(image);
      const auto keep = [](std::vector<Image>& to) {
        return [&to](int, const std::vector<Image>& planes) {
          for (const Image& plane : planes) to.push_back(plane.clone());
        };
      };
      chained.run(source, keep(got), {}, part);
      apart.run(source, keep(expected), {}, part);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(samePixels(got[i], expected[i])) << i;
      EXPECT_LE(engine.work.mapRows, part.height + 4);
      EXPECT_LE(engine.work.uploadedRows, part.height + 4 + 2 * 2);
    }
  }
}

TEST(ChainPlan, StopsAndRefusesWhatIsNotItsProblem) {
  const ChainedProblem chain{parseProblem("c1h16w16-f2k3-reflect101-f32:f32-none"), Activation::None,
                             parseProblem("c2h16w16-f1k3-reflect101-f32:f32-none")};
  Work work;
  const FilterBank first = randomBank(2, 1, 3, 3);
  const FilterBank second = randomBank(1, 2, 3, 3);
  const auto plan =
      makeChainPlan(chain, 1, 1, std::make_unique<MadeUpDevice>(chain, first, second, work), {1, 1});
  const Image image = randomImage(1, 16, 16, ElementType::F32);
  ImageSource source(image);
  ImageSink sink(chain.second, wholeImage(chain.second));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(plan->run(source, sink, wholeImage(chain.second), stop.get_token()), Cancelled);
  EXPECT_GT(work.waits, 0) << "nothing is left running";
  EXPECT_EQ(work.mapRows, 0);
  EXPECT_THROW(plan->run(source, sink, {0, 0, 17, 16}, {}), Error);
  const Image other = randomImage(1, 16, 17, ElementType::F32);
  ImageSource wrong(other);
  EXPECT_THROW(plan->run(wrong, sink, wholeImage(chain.second), {}), Error);
  ImageSink two(chain.first, wholeImage(chain.first));
  EXPECT_THROW(plan->run(source, two, wholeImage(chain.second), {}), Error);
  plan->run(source, sink, wholeImage(chain.second), {});
  EXPECT_EQ(work.bands, 16);
}

TEST(NeededRows, ResolveTheBorder) {
  ConvolutionProblem p = parseProblem("c1h10w4-f1k5-wrap-f32:f32-none");
  using Ranges = std::vector<RowRange>;
  EXPECT_EQ(neededRows(p, 2, RowRange{4, 6}), (Ranges{{2, 8}}));
  EXPECT_EQ(neededRows(p, 2, RowRange{0, 1}), (Ranges{{0, 3}, {8, 10}}));
  EXPECT_EQ(neededRows(p, 2, RowRange{0, 10}), (Ranges{{0, 10}}));
  p.border = {BorderKind::Reflect101, 0};
  EXPECT_EQ(neededRows(p, 4, RowRange{0, 1}), (Ranges{{0, 5}}));
  p.border = {BorderKind::Constant, 0};
  EXPECT_EQ(neededRows(p, 2, RowRange{9, 10}), (Ranges{{7, 10}}));
  EXPECT_EQ(neededRows(p, 4, Ranges{{0, 1}, {9, 10}}), (Ranges{{0, 1}, {5, 10}}));
}

TEST(ChainedEngine, IsThereToBeAskedForByName) {
  const Engine& engine = *findEngine("cuda:chained");
  EXPECT_TRUE(engine.supports(parseProblem("c1h9w9-f1k21-reflect101-f32:f32-none")));
  EXPECT_TRUE(engine.supports(parseProblem("c3h9w9-f1k3-reflect101-f32:f32-none")));
  EXPECT_EQ(
      engine.supports(parseProblem("c3h9w9-f1k21-reflect101-f32:f32-none")).reason,
      findEngine("cuda:multichannel")->supports(parseProblem("c3h9w9-f1k21-reflect101-f32:f32-none")).reason);
  EXPECT_NE(findEngine("cuda"), &engine);
}

}  // namespace
}  // namespace bankside::cuda

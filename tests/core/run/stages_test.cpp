/// Two banks in a row: the runner with two stages.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/judge/row_streams.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"
#include "tests/support/off_engine.h"
#include "tests/support/stopping.h"

namespace bankside {
namespace {

using testing::collect;
using testing::integerBank;
using testing::integerImage;
using testing::named;
using testing::randomBank;
using testing::twoStages;

/// What is to come out, in whole numbers and without any of the house's code but the border.
class WholeNumbers {
 public:
  using Plane = std::vector<std::int64_t>;
  WholeNumbers(int height, int width, Border border) : height_(height), width_(width), border_(border) {}

  std::vector<Plane> filter(const std::vector<Plane>& in, const FilterBank& bank) const {
    std::vector<Plane> out;
    const int groups = bank.channels() == static_cast<int>(in.size()) ? 1 : static_cast<int>(in.size());
    for (int g = 0; g < groups; ++g) {
      for (const Filter& f : bank.filters()) {
        Plane plane(static_cast<std::size_t>(height_) * width_);
        for (int y = 0; y < height_; ++y) {
          for (int x = 0; x < width_; ++x) {
            std::int64_t sum = 0;
            for (int c = 0; c < f.channels; ++c)
              for (int ky = 0; ky < f.height; ++ky)
                for (int kx = 0; kx < f.width; ++kx)
                  sum += static_cast<std::int64_t>(f.tap(c, ky, kx)) *
                         at(in[static_cast<std::size_t>(groups == 1 ? c : g)], x + kx - f.anchorX,
                            y + ky - f.anchorY);
            plane[static_cast<std::size_t>(y) * width_ + x] = sum;
          }
        }
        out.push_back(plane);
      }
    }
    return out;
  }
  static void activate(Activation activation, std::vector<Plane>& planes) {
    for (Plane& plane : planes) {
      for (std::int64_t& v : plane) {
        if (activation == Activation::Abs) v = std::abs(v);
        if (activation == Activation::Relu) v = std::max<std::int64_t>(v, 0);
        if (activation == Activation::Square) v *= v;
      }
    }
  }

 private:
  std::int64_t at(const Plane& plane, int x, int y) const {
    const int ix = borderIndex(x, width_, border_.kind);
    const int iy = borderIndex(y, height_, border_.kind);
    return ix < 0 || iy < 0 ? static_cast<std::int64_t>(border_.value)
                            : plane[static_cast<std::size_t>(iy) * width_ + ix];
  }
  int height_;
  int width_;
  Border border_;
};

std::vector<WholeNumbers::Plane> planesOf(const Image& image) {
  std::vector<WholeNumbers::Plane> planes;
  const Image floats = convert(image, ElementType::F32);
  for (int c = 0; c < image.channels(); ++c) {
    auto& plane = planes.emplace_back();
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        plane.push_back(static_cast<std::int64_t>(floats.view<float>(c).at(x, y)));
  }
  return planes;
}

TEST(Stages, WholeNumbersComeOutBitForBit) {
  const int height = 21;
  const int width = 34;
  for (const char* engine : {"reference", "cpu:direct"}) {
    for (const Activation activation : allActivations) {
      for (const Border border : {Border{BorderKind::Reflect101}, Border{BorderKind::Wrap},
                                  Border{BorderKind::Constant, 3}, Border{BorderKind::Replicate}}) {
        for (const int channels : {4, 1}) {
          const Image image = integerImage(1, height, width, ElementType::U8);
          const FilterBank first = integerBank(4, 1, 2, 3);
          const FilterBank second = integerBank(3, channels, 3, 2, 7);
          Pipeline pipeline = twoStages(first, activation, second);
          pipeline.border = border;
          Runner runner(pipeline, {.plan = {}, .verifyReference = true}, named(engine));
          BankRun run;
          const auto planes = collect(runner, image, &run);
          EXPECT_TRUE(run.passed && run.verified);
          EXPECT_EQ(run.steps.back().reference->maxAbsError, 0);

          const WholeNumbers numbers(height, width, border);
          auto maps = numbers.filter(planesOf(image), first);
          WholeNumbers::activate(activation, maps);
          const auto expected = numbers.filter(maps, second);
          ASSERT_EQ(planes.size(), expected.size());
          ASSERT_EQ(planes.size(), channels == 4 ? 3u : 12u);
          for (std::size_t i = 0; i < planes.size(); ++i)
            EXPECT_EQ(planesOf(planes[i])[0], expected[i])
                << engine << " " << toString(activation) << " " << format(border) << " plane " << i;
        }
      }
    }
  }
}

TEST(Stages, SmallImagesAndOneRunnerForManySizes) {
  const FilterBank first = testing::withAnchor(integerBank(3, 1, 5, 4), 0, 4);
  const FilterBank second = integerBank(2, 3, 4, 5, 7);
  for (const char* engine : {"reference", "cpu:direct"}) {
    for (const BorderKind border : {BorderKind::Reflect101, BorderKind::Reflect, BorderKind::Replicate,
                                    BorderKind::Wrap, BorderKind::Constant}) {
      Pipeline pipeline = twoStages(first, Activation::Relu, second);
      pipeline.border = {border, 2};
      Runner runner(pipeline, {.plan = {}, .verifyReference = true}, named(engine));
      for (const auto& [height, width] : {std::pair{1, 1}, {1, 7}, {6, 2}, {1, 1}, {13, 11}, {2, 3}}) {
        const Image image = integerImage(1, height, width, ElementType::U8);
        const WholeNumbers numbers(height, width, pipeline.border);
        auto maps = numbers.filter(planesOf(image), first);
        WholeNumbers::activate(Activation::Relu, maps);
        const auto expected = numbers.filter(maps, second);
        const auto planes = collect(runner, image);
        ASSERT_EQ(planes.size(), 2u) << engine << " " << toString(border) << " " << height << " x " << width;
        for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(planesOf(planes[i])[0], expected[i]) << i;
      }
    }
  }
}

/// Filters of several sizes, anchored anywhere, so that a pass is several steps.
FilterBank mixedBank(int channels, std::uint64_t seed) {
  std::vector<Filter> filters = randomBank(2, channels, 3, 5, seed).filters();
  Filter tall = randomBank(1, channels, 9, 2, seed + 1)[0];
  tall.label = "tall";
  tall.anchorY = 8;
  filters.push_back(tall);
  return FilterBank({.name = "mixed"}, std::move(filters));
}

TEST(Stages, BandsThreadsAndStreamsChangeNoByte) {
  const Image image = testing::randomImage(1, 97, 61, ElementType::U16);
  for (const char* engine : {"reference", "cpu:direct", "cpu:karatsuba", "cpu:separable", "cpu:fft"}) {
    for (const BorderKind border : {BorderKind::Reflect101, BorderKind::Wrap, BorderKind::Constant}) {
      for (const Combine between : {Combine::None, Combine::AbsMax}) {
        Pipeline pipeline =
            twoStages(mixedBank(1, 3), Activation::Abs, mixedBank(between == Combine::None ? 3 : 1, 11));
        pipeline.border = {border, 2};
        pipeline.stages[0].combine = between;
        pipeline.stages[1].combine = Combine::Max;
        RunOptions options;
        Runner whole(pipeline, options, named(engine));
        BankRun run;
        const auto expected = collect(whole, image, &run);
        ASSERT_EQ(run.bands, 1);
        for (const std::int64_t budget : {61 * 4 * 60, 61 * 4 * 400}) {
          options.memoryBudget = budget;
          options.plan.threads = budget % 3 == 0 ? 1 : 2;
          Runner banded(pipeline, options, named(engine));
          RowSource source(image);
          const auto parts = collect(banded, source, &run);
          EXPECT_GT(run.bands, 1);
          ASSERT_EQ(parts.size(), expected.size());
          for (std::size_t i = 0; i < parts.size(); ++i)
            EXPECT_TRUE(samePixels(parts[i], expected[i]))
                << engine << " " << toString(border) << " " << toString(between) << " budget " << budget
                << " plane " << i;
        }
      }
    }
  }
}

TEST(Stages, EveryEngineKeepsTheBoundThatIsCarriedThrough) {
  for (const char* engine :
       {"cpu:direct", "cpu:karatsuba", "cpu:separable", "cpu:fft", "opencv:filter2D", "cpu"}) {
    if (!findEngine(engine)->available()) continue;
    for (const ElementType type : {ElementType::U8, ElementType::F32}) {
      const Image image = testing::randomImage(2, 33, 45, type);
      for (const Activation activation : allActivations) {
        for (const Combine between : {Combine::None, Combine::Max, Combine::AbsMax, Combine::Mean,
                                      Combine::Sum, Combine::Magnitude}) {
          const int maps = between == Combine::None ? 6 : 2;
          Pipeline pipeline = twoStages(randomBank(3, 1, 5, 5), activation, randomBank(2, maps, 3, 3, 5));
          pipeline.stages[0].combine = between;
          pipeline.stages[1].combine = Combine::Magnitude;
          Runner runner(pipeline, {.plan = {}, .verifyReference = true}, named(engine));
          BankRun run;
          collect(runner, image, &run);
          const Verification& v = *run.steps.back().reference;
          EXPECT_TRUE(run.passed) << engine << " " << toString(activation) << " " << toString(between) << " "
                                  << v.place();
          EXPECT_EQ(v.checked, 33 * 45 * 2);
        }
      }
    }
  }
}

TEST(Stages, TheBoundIsTightEnoughToSeeAWrongMap) {
  // One pixel of one map is off by a grey level, where sums of |tap x pixel| are about 1,600.
  const testing::OffEngine off(*findEngine("cpu:direct"), "off", 20, 11);
  const Image image = testing::randomImage(1, 24, 40, ElementType::U8);
  const Pipeline pipeline = twoStages(randomBank(3, 1, 5, 5), Activation::Abs, randomBank(1, 3, 3, 3, 5));
  Runner runner(pipeline, {.plan = {}, .verifyReference = true},
                [&](const ConvolutionProblem& p) -> const Engine& {
                  return p.channels == 1 ? static_cast<const Engine&>(off) : *findEngine("cpu:direct");
                });
  ImageSource source(image);
  int given = 0;
  const BankRun run = runner.run(source, [&](int, const std::vector<Image>&) { ++given; });
  EXPECT_FALSE(run.passed);
  EXPECT_EQ(given, 0);
  EXPECT_EQ(run.steps.back().reference->failed, 9) << "the second bank's 3 x 3 pixels around it, no other";
  EXPECT_FALSE(run.steps.front().reference) << "the chain is judged as a whole";
}

TEST(Stages, NonFinitePixelsReachWhatTheirTapsCover) {
  Image image = testing::randomImage(1, 30, 40, ElementType::F32);
  image.view<float>(0).at(9, 8) = std::numeric_limits<float>::quiet_NaN();
  image.view<float>(0).at(29, 20) = -std::numeric_limits<float>::infinity();
  for (const char* engine : {"reference", "cpu:direct", "cpu:karatsuba", "cpu:separable", "cpu:fft"}) {
    for (const Activation activation : allActivations) {
      for (const Combine between : {Combine::None, Combine::Max, Combine::Sum}) {
        Pipeline pipeline = twoStages(randomBank(2, 1, 3, 3), activation,
                                      randomBank(2, between == Combine::None ? 2 : 1, 3, 3, 9));
        pipeline.stages[0].combine = between;
        Runner runner(pipeline, {.plan = {}, .verifyReference = true}, named(engine));
        BankRun run;
        const auto planes = collect(runner, image, &run);
        ASSERT_TRUE(run.passed) << engine << " " << toString(activation) << " " << toString(between) << " "
                                << run.steps.back().reference->place();
        for (int y = 0; y < 30; ++y) {
          for (int x = 0; x < 40; ++x) {
            const bool nearNan = std::abs(x - 9) <= 2 && std::abs(y - 8) <= 2;
            const bool nearInfinity = std::abs(x - 29) <= 2 && std::abs(y - 20) <= 2;
            const float got = planes[0].view<float>(0).at(x, y);
            if (nearInfinity) continue;  // judged above: relu may turn it into 0
            EXPECT_EQ(std::isnan(got), nearNan) << x << " " << y;
            EXPECT_EQ(std::isfinite(got), !nearNan) << x << " " << y;
          }
        }
      }
    }
  }
}

TEST(Stages, StopsWhileMapsAreMade) {
  const Image image = testing::randomImage(1, 2000, 2000, ElementType::U8);
  Runner runner(twoStages(randomBank(16, 1, 15, 15), Activation::Abs, randomBank(4, 16, 9, 9)), {},
                named("cpu:direct"));
  std::stop_source stop;
  testing::StoppingSource source(image, 1000, stop);
  EXPECT_THROW(runner.run(
                   source, [](int, const std::vector<Image>&) {}, stop.get_token()),
               Cancelled);
  // The same runner starts afresh, with none of the rows that were left unfinished.
  const Image small = testing::randomImage(1, 40, 30, ElementType::U8);
  BankRun run;
  collect(runner, small, &run);
  EXPECT_EQ(run.bands, 1);
}

}  // namespace
}  // namespace bankside

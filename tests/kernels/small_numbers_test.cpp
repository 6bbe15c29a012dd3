/// Numbers below f32's smallest normal one count as 0 on the CPU, whatever lies beside them and however the
/// work is cut.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "core/judge/exact.h"
#include "core/judge/looking.h"
#include "core/judge/row_streams.h"
#include "kernels/engines.h"
#include "tests/kernels/cpu_path_checks.h"
#include "tests/support/made_images.h"
#include "tests/support/test_names.h"

namespace bankside::testing {
namespace {

constexpr float smallestNormal = std::numeric_limits<float>::min();
constexpr int height = 61;
constexpr int width = 700;

/// Uniform pixels, every third of them denormal, and rows of nothing else.
Image mixedImage() {
  Image image = randomImage(1, height, width, ElementType::F32, 7);
  std::mt19937 random(3);
  for (int y = 0; y < height; ++y) {
    float* row = image.view<float>(0).row(y);
    for (int x = 0; x < width; ++x)
      if (random() % 3 == 0 || y / 8 % 3 == 1)
        row[x] = std::bit_cast<float>(static_cast<std::uint32_t>(random()) & 0x807fffffu);
  }
  return image;
}

Image withoutSmallPixels(const Image& image) {
  Image plain = image.clone();
  for (int y = 0; y < height; ++y) {
    float* row = plain.view<float>(0).row(y);
    for (int x = 0; x < width; ++x)
      if (std::fabs(row[x]) < smallestNormal) row[x] = 0;
  }
  return plain;
}

ConvolutionProblem problemOf(const FilterBank& bank, Combine combine = Combine::None, Border border = {}) {
  return makeProblem(bank, 1, height, width, ElementType::F32, ElementType::F32, border, combine);
}

class SmallNumbers : public ::testing::TestWithParam<std::string> {
 protected:
  static const Engine& engine() { return *findEngine(GetParam()); }
};

TEST_P(SmallNumbers, ArePixelsThatCountAsZero) {
  const Image image = mixedImage();
  const Image plain = withoutSmallPixels(image);
  for (const FilterBank& bank : {randomBank(3, 1, 7, 7), separableBank(2, 1, 9, 9), randomBank(1, 1, 3, 3)}) {
    for (const Combine combine : {Combine::None, Combine::Max}) {
      const auto p = problemOf(bank, combine);
      EXPECT_TRUE(sameImages(runWhole(engine(), p, bank, image), runWhole(engine(), p, bank, plain)))
          << format(p);
      EXPECT_TRUE(meetsBound(engine(), p, bank, image)) << format(p);
    }
  }
}

TEST_P(SmallNumbers, KeepBytesInPartsAndOnThreads) {
  const Image image = mixedImage();
  for (const FilterBank& bank : {randomBank(3, 1, 7, 7), randomBank(1, 1, 3, 3)}) {
    const auto p = problemOf(bank);
    const auto whole = runWhole(engine(), p, bank, image, {1});
    EXPECT_TRUE(sameImages(whole, runWhole(engine(), p, bank, image, {2})));
    const auto plan = engine().prepare(p, bank, {1});
    for (const Region& region : {Region{0, 17, width, 1}, Region{333, 5, 97, 41}, Region{1, 0, 64, height}}) {
      ImageSource source(image);
      ImageSink sink(p, region);
      plan->run(source, sink, region, {});
      expectPartOf(whole, sink.images(), region);
    }
    RowSource rows(image);
    ImageSink sink(p, wholeImage(p));
    plan->run(rows, sink, wholeImage(p), {});
    EXPECT_TRUE(sameImages(whole, sink.images()));
  }
}

/// What a first bank leaves far from a bright pixel.
TEST_P(SmallNumbers, AreTheTailsOfMaps) {
  Image image(1, height, width, ElementType::F32);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.view<float>(0).at(x, y) =
          static_cast<float>(std::exp(-0.5 * ((x - 350) * (x - 350) + (y - 30) * (y - 30)) / 150.0));
  const FilterBank bank = randomBank(2, 1, 9, 9);
  EXPECT_TRUE(meetsBound(engine(), problemOf(bank), bank, image));
  const FilterBank smooth = separableBank(1, 1, 9, 9);
  EXPECT_TRUE(meetsBound(engine(), problemOf(smooth), smooth, image));
}

FilterBank withTaps(const FilterBank& bank, float times, std::size_t step) {
  std::vector<Filter> filters = bank.filters();
  for (Filter& filter : filters)
    for (std::size_t i = 0; i < filter.taps.size(); i += step) filter.taps[i] *= times;
  return {bank.info(), std::move(filters)};
}

TEST_P(SmallNumbers, AreTaps) {
  const FilterBank tails = withTaps(randomBank(2, 1, 7, 7), 1e-40f, 2);
  const FilterBank alone = withTaps(randomBank(2, 1, 7, 7), 1e-40f, 1);
  for (const char* values : {"uniform", "normal*1e30", "sparse-infinity", "denormals"}) {
    const Image image = imageOfValues(values, height, width, ElementType::F32);
    EXPECT_TRUE(meetsBound(engine(), problemOf(tails), tails, image)) << values;
    EXPECT_TRUE(meetsBound(engine(), problemOf(alone), alone, image)) << values;
  }
  const Image bytes = randomImage(1, height, width, ElementType::U8);
  const auto p = makeProblem(tails, 1, height, width, ElementType::U8, ElementType::F32, {}, Combine::None);
  EXPECT_TRUE(meetsBound(engine(), p, tails, bytes));
}

/// A tap that counts as 0 leaves out what it lies on, as in the reference.
TEST_P(SmallNumbers, AreTapsThatLeaveOutInfinity) {
  Image image(1, height, width, ElementType::F32);
  for (int y = 0; y < height; ++y) std::fill_n(image.view<float>(0).row(y), width, 1.0f);
  const float infinity = std::numeric_limits<float>::infinity();
  image.view<float>(0).at(40, 30) = infinity;
  image.view<float>(0).at(300, 20) = -infinity;
  for (const int taps : {3, 9}) {
    std::vector<float> ones(static_cast<std::size_t>(taps), 1.0f);
    ones.front() = 1e-40f;
    ones.back() = -1e-45f;
    const FilterBank bank = FilterBank({}, {makeFilter("row", 1, taps, ones)});
    const auto p = problemOf(bank);
    const auto expected = runWhole(*findEngine("reference"), p, bank, image);
    const auto got = runWhole(engine(), p, bank, image);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const float value = got[0].view<float>(0).at(x, y);
        const float exact = expected[0].view<float>(0).at(x, y);
        if (std::isinf(exact)) {
          ASSERT_EQ(value, exact) << taps << " " << x << " " << y;
        } else {
          ASSERT_NEAR(value, exact, 1e-4) << taps << " " << x << " " << y;
        }
      }
    }
    EXPECT_TRUE(meetsBound(engine(), p, bank, image));
  }
}

/// A bank whose responses would all be lost keeps them.
TEST_P(SmallNumbers, AreKeptWhereTapsAreNothingElse) {
  const FilterBank bank = withTaps(randomBank(1, 1, 3, 3), 1e-40f, 1);
  const Image image = randomImage(1, height, width, ElementType::F32);
  const auto results = runWhole(engine(), problemOf(bank), bank, image);
  int zeros = 0;
  for (int x = 0; x < width; ++x) zeros += results[0].view<float>(0).at(x, 9) == 0 ? 1 : 0;
  EXPECT_LT(zeros, width / 100);
}

/// Nor do they cost: an operation that meets one leaves a flag.
TEST_P(SmallNumbers, AreNotMetWhereTapsAreNothingElse) {
  const Image image = imageOfValues("normal", height, width, ElementType::F32);
  const Engine& reference = *findEngine("reference");
  for (const float times : {1e-39f, 1e-44f, 0x1p-110f}) {
    for (const FilterBank& ordinary :
         {randomBank(3, 1, 7, 7), separableBank(2, 1, 9, 9), randomBank(1, 1, 3, 3)}) {
      const FilterBank bank = withTaps(ordinary, times, 1);
      for (const Combine combine : {Combine::None, Combine::Max, Combine::ArgMax, Combine::Magnitude}) {
        const auto p = problemOf(bank, combine);
        SCOPED_TRACE(format(p) + " " + std::to_string(std::log2(times)));
        const auto plan = engine().prepare(p, bank, {1});
        ImageSource source(image);
        ImageSink sink(p, wholeImage(p));
#if defined(__SSE2__)
        constexpr unsigned int met = 2;
        _mm_setcsr(_mm_getcsr() & ~met);
        plan->run(source, sink, wholeImage(p), {});
        EXPECT_EQ(_mm_getcsr() & met, 0u);
#else
        plan->run(source, sink, wholeImage(p), {});
#endif
        EXPECT_TRUE(meetsBound(engine(), p, bank, image));
        if (combine != Combine::None) continue;
        const auto expected = runWhole(reference, p, bank, image);
        for (int f = 0; f < bank.size(); ++f) {
          double sum = 0;
          for (const float tap : bank[f].taps) sum += std::fabs(tap);
          for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
              ASSERT_NEAR(sink.images()[static_cast<std::size_t>(f)].view<float>(0).at(x, y),
                          expected[static_cast<std::size_t>(f)].view<float>(0).at(x, y),
                          4e-6 * sum + 0x1p-148)
                  << x << " " << y;
            }
          }
        }
      }
    }
  }
}

/// Also where pixels are such that a sum would overflow, were the taps as large as others.
TEST_P(SmallNumbers, AreTapsUnderTheLargestPixels) {
  Image image = imageOfValues("normal*1e30", height, width, ElementType::F32);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.view<float>(0).at(x, y) *= 1e7f;
  for (const float times : {1e-39f, 1e-32f}) {
    const FilterBank bank = withTaps(randomBank(3, 1, 7, 7), times, 1);
    for (const Combine combine : {Combine::None, Combine::Max, Combine::Magnitude})
      EXPECT_TRUE(meetsBound(engine(), problemOf(bank, combine), bank, image)) << times;
  }
}

#if defined(__SSE2__)
TEST_P(SmallNumbers, AreTheCallersOwnAffair) {
  const FilterBank bank = randomBank(2, 1, 5, 5);
  const Image image = mixedImage();
  const auto p = problemOf(bank);
  const unsigned int before = _mm_getcsr() & ~0x3fu;  // the low bits say what has happened
  runWhole(engine(), p, bank, image, {1});
  EXPECT_EQ(_mm_getcsr() & ~0x3fu, before);
  const auto plan = engine().prepare(p, bank, {1});
  ImageSource source(image);
  ImageSink sink(p, wholeImage(p));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(plan->run(source, sink, wholeImage(p), stop.get_token()), Cancelled);
  EXPECT_EQ(_mm_getcsr() & ~0x3fu, before);
}
#endif

INSTANTIATE_TEST_SUITE_P(All, SmallNumbers,
                         ::testing::Values("cpu:direct", "cpu:karatsuba", "cpu:separable", "cpu:fft"),
                         byItsText);

/// What direct sums may lack beside their bound: 2^-126 for each tap's product with a small pixel, and for
/// each sum.
TEST(SmallNumbersOfDirectSums, LackWhatIsSaid) {
  const FilterBank bank = randomBank(2, 1, 7, 7);
  const Engine& direct = *findEngine("cpu:direct");
  for (const float scale : {1e-30f, 1e-36f, 1e-37f, 1e-38f, 1e-39f, 1e-44f}) {
    Image image = randomImage(1, height, width, ElementType::F32, 11);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) image.view<float>(0).at(x, y) *= scale;
    const auto p = problemOf(bank);
    const auto results = runWhole(direct, p, bank, image);
    const CorrelationTaps taps = correlationTaps(p, bank);
    const double factor = direct.prepare(p, bank, {1})->errorBound().factor;
    ImageSource source(image);
    const auto look = [&](const SourceBand& in, const Region& band, const ThreadTeam&) {
      for (int f = 0; f < 2; ++f) {
        double lost = 49;
        for (std::size_t i = 0; i < 49; ++i)
          lost += std::fabs(taps.taps[static_cast<std::size_t>(f) * 49 + i]);
        lost *= 0x1p-126;
        ExactRow exact;
        for (int y = band.y; y < band.y + band.height; ++y) {
          exactResponse(p, taps, in, 0, f, y, 0, width, exact);
          EXPECT_GE(exact.small, lost);
          for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
            const double got = results[static_cast<std::size_t>(f)].view<float>(0).at(static_cast<int>(x), y);
            ASSERT_LE(std::fabs(got - exact.value[x]), factor * exact.magnitude[x] + lost)
                << scale << " " << f << " " << x << " " << y;
          }
        }
      }
    };
    lookAt(p, bank, source, wholeImage(p), 1, 1, look, {});
  }
}

/// What the judge allows grows with the taps' number times their sum. Direct sums lose the number plus the
/// sum; a sum in two passes loses a whole first one, and the second multiplies it.
TEST(SmallNumbersOfSums, AreLostAsTheJudgeExpects) {
  constexpr int side = 15;
  constexpr float ordinarySum = 1.0f;
  constexpr float largeSum = 1000.0f;
  for (const float sum : {ordinarySum, largeSum}) {
    const FilterBank bank(
        {}, {makeFilter("box", side, side, std::vector<float>(side * side, sum / (side * side)))});
    const auto p = problemOf(bank);
    const double allowed = smallSums(p, correlationTaps(p, bank), 0);
    const auto lost = [&](const char* engine) {
      double most = 0;
      for (const double part : {0.4, 0.6, 0.99, 1.5, 3.0, 7.0, 14.0, 100.0, 224.0}) {
        Image image(1, height, width, ElementType::F32);
        for (int y = 0; y < height; ++y)
          std::fill_n(image.view<float>(0).row(y), width, static_cast<float>(part * smallestNormal));
        const auto results = runWhole(*findEngine(engine), p, bank, image);
        most = std::max(most, part * smallestNormal * sum - results[0].view<float>(0).at(300, 30));
        EXPECT_TRUE(meetsBound(*findEngine(engine), p, bank, image)) << engine << " " << part;
      }
      return most;
    };
    const double direct = smallestNormal * (side * side + sum);
    for (const char* engine : {"cpu:direct", "cpu:karatsuba", "cpu:separable", "cpu:fft"})
      EXPECT_LE(lost(engine), allowed) << engine;
    EXPECT_LE(lost("cpu:direct"), direct);
    EXPECT_GT(lost("cpu:direct"), 0.8 * direct);
    if (sum == largeSum) {
      EXPECT_GT(lost("cpu:separable"), 10 * direct);
    }
  }
}

}  // namespace
}  // namespace bankside::testing

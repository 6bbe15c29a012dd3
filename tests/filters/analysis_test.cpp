// Gold values: numpy.linalg.svd and matrix_rank of the f32 taps, numpy.fft.fft2(taps, s=(128, 128)).
#include "filters/analysis/bank_analysis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>

#include "core/image.h"
#include "core/singular_values.h"
#include "filters/catalog.h"

namespace bankside {
namespace {

/// Edges, something without symmetry, and their sum.
FilterBank threeFilters() {
  return FilterBank({.name = "three"},
                    {makeFilter("edge", 3, 3, {1, 2, 1, 0, 0, 0, -1, -2, -1}),
                     makeFilter("crooked", 3, 3, {0.5f, -1, 0.25f, 2, 0, -0.125f, 1, 3, -2}),
                     makeFilter("both", 3, 3, {1.5f, 1, 1.25f, 2, 0, -0.125f, 0, 1, -3})});
}

void expectNear(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
}

TEST(BankAnalysis, OneFilterIsWhatNumpySays) {
  const BankAnalysis analysis = analyze(threeFilters());
  const FilterAnalysis& edge = analysis.filters[0];
  EXPECT_EQ(edge.sum, 0);
  EXPECT_EQ(edge.largest, 8);
  EXPECT_NEAR(edge.noiseGain, 3.4641016151377544, 1e-14);
  EXPECT_EQ(edge.rank, 1);
  EXPECT_EQ(edge.zeros, 3);
  expectNear(edge.singularValues, {3.464101615137754, 0, 0});
  EXPECT_NEAR(edge.response.peak, 8, 1e-12);
  EXPECT_EQ(edge.response.frequency, 0.25);
  EXPECT_NEAR(edge.response.direction, 90, 1e-12);

  const FilterAnalysis& crooked = analysis.filters[1];
  EXPECT_EQ(crooked.sum, 3.625);
  EXPECT_EQ(crooked.largest, 9.875);
  EXPECT_NEAR(crooked.noiseGain, 4.396376348767244, 1e-14);
  EXPECT_EQ(crooked.rank, 3);
  expectNear(crooked.singularValues, {3.877524603647142, 2.0536466812529617, 0.274705763845199});
  EXPECT_NEAR(crooked.response.peak, 7.780696661175203, 1e-12);
  EXPECT_NEAR(crooked.response.frequency, 0.3779183319514945, 1e-14);
  EXPECT_NEAR(crooked.response.direction, 150.25511870305778, 1e-10);
  constexpr std::size_t n = FrequencyResponse::steps;
  ASSERT_EQ(crooked.response.magnitudes.size(), (n / 2 + 1) * n);
  EXPECT_NEAR(crooked.response.magnitudes[10 * n + 100], 3.933619177041631, 1e-12);
  EXPECT_NEAR(crooked.response.magnitudes[64 * n], 4.125, 1e-12);
}

TEST(BankAnalysis, RedundancyIsWhatNumpySays) {
  const Redundancy r = analyze(threeFilters()).redundancy.value();
  expectNear(r.singularValues, {5.671814759296898, 4.241080916019154, 0});
  EXPECT_EQ(r.rank, 2);
  EXPECT_EQ(r.for99, 2);
  EXPECT_NEAR(r.closest, 0.68556255, 1e-8);
  EXPECT_EQ(r.a, "crooked");
  EXPECT_EQ(r.b, "both");
  EXPECT_EQ(describe(r, 3),
            "3 filters span 2 dimensions; 2 of them hold 99 % of all taps' squares. Nearest to each "
            "other: crooked and both, cosine 0.6856.");
}

/// Beside each other as one matrix, what is below the longer side's share of rounding is no dimension.
TEST(BankAnalysis, WhatRoundingMayMakeIsNoDimension) {
  std::vector<float> taps(127 * 127, 1);
  taps[0] = 0;
  std::vector<float> others = taps;
  others[0] = 0.01f;
  const FilterBank bank({.name = "two"},
                        {makeFilter("one", 127, 127, taps), makeFilter("other", 127, 127, others)});
  const Redundancy r = analyze(bank).redundancy.value();
  ASSERT_GT(r.singularValues[1] / r.singularValues[0], 1e-5) << "it is there";
  EXPECT_EQ(r.rank, 1);
  others[0] = 1;
  const FilterBank apart({.name = "two"},
                         {makeFilter("one", 127, 127, taps), makeFilter("other", 127, 127, others)});
  EXPECT_EQ(analyze(apart).redundancy.value().rank, 2);
}

TEST(BankAnalysis, FiltersOfSeveralSizesAreLaidOutByTheirAnchors) {
  const FilterBank bank({.name = "two"},
                        {makeFilter("dot", 1, 1, {2}),
                         makeFilter("same", 3, 5, {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})});
  const Redundancy r = analyze(bank).redundancy.value();
  EXPECT_EQ(r.rank, 1);
  EXPECT_NEAR(r.closest, 1, 1e-15);
}

TEST(BankAnalysis, SymmetriesAreFound) {
  const BankAnalysis sobel = analyze(makeBank("sobel"));
  EXPECT_EQ(sobel.filters[0].symmetry, (TapSymmetry{.odd = true, .upright = true}));
  const FilterAnalysis gabor = analyze(makeBank("vessel-gabor")).filters[3];
  EXPECT_EQ(gabor.symmetry, TapSymmetry{.even = true});
  EXPECT_NEAR(gabor.sum, 0, 1e-5);
}

TEST(FilterAnalysis, SymmetriesOfKnownFilters) {
  EXPECT_EQ(symmetryOf(makeFilter("box", 2, 3, {1, 1, 1, 1, 1, 1})), (TapSymmetry{true, false, true, true}));
  EXPECT_EQ(symmetryOf(makeFilter("diagonal", 2, 2, {1, 0, 0, 1})), TapSymmetry{.even = true});
  EXPECT_EQ(symmetryOf(makeFilter("none", 2, 2, {1, 2, 3, 5})), TapSymmetry{});
  EXPECT_TRUE(symmetryOf(makeFilter("rounded", 1, 2, {1, 1.0000005f})).mirrored);
  EXPECT_FALSE(symmetryOf(makeFilter("crooked", 1, 2, {1, 1.00001f})).mirrored);
  EXPECT_EQ(describe(TapSymmetry{}), "none");
  EXPECT_EQ(describe(TapSymmetry{true, false, true, true}), "even, left = right, top = bottom");
  EXPECT_EQ(describe(TapSymmetry{.odd = true, .upright = true}), "odd, top = bottom");
}

TEST(FilterAnalysis, RankOfKnownFilters) {
  EXPECT_EQ(analyze(makeFilter("laplacian", 3, 3, {0, 1, 0, 1, -4, 1, 0, 1, 0})).rank, 2);
  EXPECT_EQ(analyze(makeFilter("identity", 3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1})).rank, 3);
  EXPECT_EQ(analyze(makeFilter("zero", 3, 3, std::vector<float>(9))).rank, 0);
  EXPECT_EQ(analyze(makeFilter("row", 1, 5, {1, 2, 3, 4, 5})).rank, 1);
  // Gaussian taps, rounded to f32, are still one outer product.
  for (const char* spec : {"gaussian:sigma=2.3", "gaussian:sigma=5"})
    EXPECT_EQ(analyze(makeBank(spec)[0]).rank, 1) << spec;
}

TEST(FilterAnalysis, ThePlaneOfFrequenciesIsTheTransformWrittenOut) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  Filter f = makeFilter("random", 5, 4, std::vector<float>(20));
  for (float& tap : f.taps) tap = normal(random);
  constexpr int side = FrequencyResponse::steps;
  const std::vector<double> gains = analyze(f).response.plane();
  ASSERT_EQ(gains.size(), std::size_t{side} * side);
  for (int v = 0; v < side; v += 8) {
    for (int u = 0; u < side; ++u) {
      std::complex<double> total = 0;
      for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 4; ++x) {
          const double angle = -2 * std::numbers::pi * ((u - side / 2) * x + (v - side / 2) * y) / side;
          total += static_cast<double>(f.tap(0, y, x)) * std::polar(1.0, angle);
        }
      }
      EXPECT_NEAR(gains[static_cast<std::size_t>(v * side + u)], std::abs(total), 1e-11) << u << ", " << v;
    }
  }
}

TEST(FilterAnalysis, OneChannelIsAFilterOfItsOwn) {
  Filter f = makeFilter("two", 1, 2, {1, 1});
  f.channels = 2;
  f.taps = {1, 1, 3, -3};
  EXPECT_EQ(analyze(channelOf(f, 0)).sum, 2);
  const FilterAnalysis second = analyze(channelOf(f, 1));
  EXPECT_EQ(second.sum, 0);
  EXPECT_EQ(second.smallestTap, -3);
  EXPECT_EQ(second.largestTap, 3);
  EXPECT_TRUE(second.symmetry.odd);
  EXPECT_EQ(analyze(f).response.peak, analyze(makeFilter("sum", 1, 2, {4, -2})).response.peak);
}

TEST(BankAnalysis, BanksOfAnySizeAreLookedAt) {
  EXPECT_TRUE(analyze(makeBank("vessel-collinear")).redundancy.has_value());
  EXPECT_EQ(analyze(makeBank("vessel-collinear")).filters.front().rank, 1);
  EXPECT_FALSE(analyze(makeBank("vessel-fdog:orientations=360")).redundancy.has_value());
}

TEST(BankAnalysis, AnswersAreTheSumsOfTheirConvention) {
  Image image(1, 2, 3, ElementType::F32);
  const float pixels[] = {1, 2, 3, 4, 5, 7};
  std::copy_n(pixels, 3, image.view<float>(0).row(0));
  std::copy_n(pixels + 3, 3, image.view<float>(0).row(1));
  const Filter f = makeFilter("a", 1, 3, {-1, 0, 2});
  const PlaneView<const float> plane = std::as_const(image).view<float>(0);
  const PixelSource source{3, 2, [plane](int channel, int x, int y) {
                             return plane.at(x, y) + 100.0f * static_cast<float>(channel);
                           }};
  const FilterBank bank({.name = "x"}, {f});
  EXPECT_EQ(answersAt(bank, source, 1, 1), std::vector<double>{10});
  EXPECT_EQ(answersAt(FilterBank({.name = "x", .mode = FilterMode::Convolution}, {f}), source, 1, 1),
            std::vector<double>{1});
  EXPECT_EQ(answersAt(bank, source, 1, 1, {}, FilterMode::Convolution), std::vector<double>{1});
  EXPECT_EQ(answersAt(bank, source, 0, 0), std::vector<double>{2});  // -2 + 2 x 2
  EXPECT_EQ(answersAt(bank, source, 0, 0, {BorderKind::Replicate}), std::vector<double>{3});
  EXPECT_EQ(answersAt(bank, source, 0, 0, {BorderKind::Constant, 5}), std::vector<double>{-1});
  // Channels are summed, and a tap of 0 takes no part.
  Filter both = makeFilter("b", 1, 1, {2});
  both.channels = 2;
  both.taps = {2, 3};
  EXPECT_EQ(answersAt(FilterBank({.name = "x"}, {both}), source, 2, 1), std::vector<double>{2 * 7 + 3 * 107});
  const PixelSource holes{
      3, 2, [](int, int x, int) { return x == 1 ? std::numeric_limits<float>::quiet_NaN() : 1; }};
  EXPECT_EQ(answersAt(bank, holes, 1, 1), std::vector<double>{1});
}

TEST(BankAnalysis, AStopIsLookedForWithinEveryFilter) {
  std::vector<Filter> filters;
  for (int i = 0; i < 20; ++i) {
    std::vector<float> taps(9 * 9);
    for (std::size_t k = 0; k < taps.size(); ++k)
      taps[k] = static_cast<float>((k * 7 + 3) % (k + 2 + 5 * filters.size()));
    filters.push_back(makeFilter("f" + std::to_string(i), 9, 9, taps));
  }
  const FilterBank bank({.name = "twenty"}, filters);
  int asked = 0;
  const Redundancy whole = *redundancyOf(bank, [&] { ++asked; });
  EXPECT_EQ(describe(whole, 20), describe(*redundancyOf(bank), 20));
  EXPECT_GT(asked, 20 * 19 / 2 + 20) << "once a pair of filters, and once a row of every sweep";
  for (const int time : {1, 100, asked}) {
    int until = 0;
    const auto end = [&] {
      if (++until == time) throw Cancelled();
    };
    EXPECT_THROW(redundancyOf(bank, end), Cancelled) << time;
    EXPECT_EQ(until, time);
  }
  // No more pixels are read than those of a row of taps.
  int read = 0;
  int rows = 0;
  const PixelSource source{30, 30, [&](int, int, int) {
                             ++read;
                             return 1.0f;
                           }};
  const auto afterThree = [&] {
    if (++rows == 4) throw Cancelled();
  };
  EXPECT_THROW(answersAt(bank, source, 15, 15, {}, {}, afterThree), Cancelled);
  EXPECT_GT(read, 0);
  EXPECT_LE(read, 3 * 9);
}

TEST(SingularValues, TallAndWideMatricesHaveTheSame) {
  const std::vector<std::vector<double>> tall = {{1, 2}, {3, 4}, {5, 6}};
  const std::vector<std::vector<double>> wide = {{1, 3, 5}, {2, 4, 6}};
  expectNear(singularValues(tall), {9.525518091565104, 0.5143005806586443});
  expectNear(singularValues(wide), singularValues(tall));
  expectNear(singularValues({{0, 0}, {0, 0}}), {0, 0});
  EXPECT_TRUE(singularValues({}).empty());
}

TEST(SingularValues, ByHand) {
  // [[3, 0], [4, 5]] has 3 sqrt 5 and sqrt 5.
  expectNear(singularValues({{3, 0}, {4, 5}}), {3 * std::sqrt(5.0), std::sqrt(5.0)});
}

TEST(SingularValues, OfAMadeRank) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  constexpr int rows = 31;
  constexpr int columns = 17;
  constexpr int rank = 4;
  std::vector<std::vector<double>> matrix(rows, std::vector<double>(columns));
  for (int r = 0; r < rank; ++r) {
    std::vector<double> u(rows);
    std::vector<double> v(columns);
    for (double& x : u) x = normal(random);
    for (double& x : v) x = normal(random);
    for (std::size_t y = 0; y < u.size(); ++y) {
      for (std::size_t x = 0; x < v.size(); ++x) matrix[y][x] += u[y] * v[x];
    }
  }
  const auto values = singularValues(matrix);
  ASSERT_EQ(values.size(), std::size_t{columns});
  EXPECT_GT(values[rank - 1], 1e-3 * values[0]);
  EXPECT_LT(values[rank], 1e-13 * values[0]);
  // The squares sum to the squared Frobenius norm.
  double squares = 0;
  double frobenius = 0;
  for (const double s : values) squares += s * s;
  for (const auto& row : matrix)
    frobenius = std::inner_product(row.begin(), row.end(), row.begin(), frobenius);
  EXPECT_NEAR(squares / frobenius, 1, 1e-12);
}

}  // namespace
}  // namespace bankside

#include "core/bench/measure.h"

#include <gtest/gtest.h>
#include <utility>

#include "core/engine.h"
#include "core/error.h"

namespace bankside {
namespace {

std::vector<double> upTo(int n) {
  std::vector<double> samples;
  for (int i = n; i >= 1; --i) samples.push_back(i);
  return samples;
}

TEST(Measure, MedianAndItsTabulatedInterval) {
  // Ranks of the 95 % interval of a median: n = 6 -> 1..6, 9 -> 2..8, 20 -> 6..15, 51 -> 19..33.
  const auto expect = [](int n, double median, double low, double high) {
    const Interval i = medianInterval(upTo(n));
    EXPECT_EQ(i.median, median) << n;
    EXPECT_EQ(i.low, low) << n;
    EXPECT_EQ(i.high, high) << n;
  };
  expect(1, 1, 1, 1);
  expect(6, 3.5, 1, 6);
  expect(9, 5, 2, 8);
  expect(20, 10.5, 6, 15);
  expect(51, 26, 19, 33);
  EXPECT_THROW(medianInterval({}), Error);
}

TEST(Measure, VerdictsNeedTheWholeInterval) {
  const std::vector<double> base(9, 10.0);
  EXPECT_EQ(speedRatio(std::vector<double>(9, 5.0), base).verdict, Verdict::Faster);
  EXPECT_EQ(speedRatio(std::vector<double>(9, 5.0), base).ratio.median, 2.0);
  EXPECT_EQ(speedRatio(std::vector<double>(9, 20.0), base).verdict, Verdict::Slower);
  EXPECT_EQ(speedRatio(std::vector<double>(9, 10.1), base).verdict, Verdict::Same);
  EXPECT_EQ(speedRatio({5, 5, 5, 5, 20, 20, 20, 20, 20}, base).verdict, Verdict::Ambiguous);
  EXPECT_EQ(speedRatio({5, 5, 5}, {10, 10, 10}).verdict, Verdict::Ambiguous) << "three samples prove nothing";
}

TEST(Measure, ContendersTakeTurnsForthAndBack) {
  std::vector<int> order;
  const auto contender = [&](int name) { return [&order, name](int) { order.push_back(name); }; };
  const int rounds =
      interleave({contender(1), contender(2)}, {.minRounds = 3, .maxRounds = 3, .seconds = 0}, {});
  EXPECT_EQ(rounds, 3);
  EXPECT_EQ(order, (std::vector<int>{2, 1, 1, 2, 2, 1, 1, 2}));
}

TEST(Measure, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(interleave({[](int) {}}, {}, stop.get_token()), Cancelled);
}

TEST(Measure, IntervalsOfOtherCountsAreTabulatedToo) {
  const auto rank = [](int n) { return medianInterval(upTo(n)).low; };
  for (const auto& [n, low] :
       {std::pair{2, 1}, {7, 1}, {8, 1}, {10, 2}, {11, 2}, {12, 3}, {15, 4}, {25, 8}}) {
    EXPECT_EQ(rank(n), low) << n;
    EXPECT_EQ(medianInterval(upTo(n)).high, n + 1 - low) << n;
  }
}

TEST(Measure, VerdictsBeginBeyondTwoPercentAndWithSixSamples) {
  const std::vector<double> ones(6, 1.0);
  EXPECT_EQ(speedRatio(ones, std::vector<double>(6, 1.02)).verdict, Verdict::Same);
  EXPECT_EQ(speedRatio(ones, std::vector<double>(6, 1 / 1.02)).verdict, Verdict::Same);
  EXPECT_EQ(speedRatio(ones, std::vector<double>(6, 1.021)).verdict, Verdict::Faster);
  EXPECT_EQ(speedRatio(ones, std::vector<double>(6, 0.979)).verdict, Verdict::Slower);
  EXPECT_EQ(speedRatio(ones, {1, 1, 1, 1, 1, 1.03}).verdict, Verdict::Ambiguous) << "one end";
  EXPECT_EQ(speedRatio(ones, {1, 1, 1, 1, 1, 0.97}).verdict, Verdict::Ambiguous) << "the other";
  EXPECT_EQ(speedRatio(ones, std::vector<double>(5, 2.0)).verdict, Verdict::Ambiguous);
  EXPECT_EQ(speedRatio(ones, std::vector<double>(9, 2.0)).ratio.median, 2) << "of those that have a pair";
}

TEST(Measure, EndsAfterItsRounds) {
  const auto roundsOf = [](const MeasureOptions& options) {
    std::vector<int> rounds;
    const int counted = interleave({[&](int round) { rounds.push_back(round); }}, options, {});
    EXPECT_EQ(rounds.front(), -1);
    EXPECT_EQ(rounds.size(), static_cast<std::size_t>(counted + 1));
    EXPECT_EQ(rounds.back(), counted - 1);
    return counted;
  };
  EXPECT_EQ(roundsOf({.minRounds = 2, .maxRounds = 4, .seconds = 0}), 2) << "long enough";
  EXPECT_EQ(roundsOf({.minRounds = 2, .maxRounds = 4, .seconds = 1e9}), 4) << "there is no time for more";
  EXPECT_EQ(roundsOf({.minRounds = 4, .maxRounds = 2, .seconds = 0}), 2);
}

}  // namespace
}  // namespace bankside

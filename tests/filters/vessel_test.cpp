#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "filters/catalog.h"
#include "tests/filters/gold_bank.h"

namespace bankside {
namespace {

using testing::labelled;
using testing::quarterTurn;
using testing::sumOf;
using testing::tapAt;

/// The response at the middle of a vessel: a dark bar along `degrees` whose depth falls off as a Gaussian.
double responseToVessel(const Filter& f, double degrees) {
  const double angle = degrees * std::acos(-1.0) / 180.0;
  double response = 0;
  for (int y = -f.anchorY; y < f.height - f.anchorY; ++y) {
    for (int x = -f.anchorX; x < f.width - f.anchorX; ++x) {
      const double across = -x * std::sin(angle) + y * std::cos(angle);
      response += static_cast<double>(tapAt(f, x, y)) * (200 - 60 * std::exp(-across * across / 8));
    }
  }
  return response;
}

int nonZeroTaps(const Filter& f) {
  return static_cast<int>(std::count_if(f.taps.begin(), f.taps.end(), [](float t) { return t != 0; }));
}

// Worked out by hand: along x the support is 13 rows of 9, and the mean of exp(-y^2 / 8) over them is
// (1 + 2 (e^-1/8 + e^-1/2 + e^-9/8 + e^-2 + e^-25/8 + e^-9/2)) / 13 = 0.3852401912.
TEST(VesselMatched, TapsAtZeroDegrees) {
  const FilterBank bank = makeBank("vessel-matched");
  ASSERT_EQ(bank.size(), 12);
  const Filter& f = labelled(bank, "theta000");
  ASSERT_EQ(f.height, 15);
  ASSERT_EQ(f.width, 15);
  EXPECT_EQ(f.orientation, 0.0);
  EXPECT_EQ(f.scale, 2.0);
  const double gold[] = {-0.6147598087609475, -0.49725671134554295, -0.22129046847358091, 0.06058772388070277,
                         0.2499049080024398,  0.34130325761564506,  0.3741311947008102,   0.0};
  for (int y = -7; y <= 7; ++y) {
    for (int x = -7; x <= 7; ++x) {
      const double expected = std::abs(x) <= 4 ? gold[std::abs(y)] : 0.0;
      EXPECT_FLOAT_EQ(tapAt(f, x, y), static_cast<float>(expected)) << x << " " << y;
    }
  }
}

TEST(VesselMatched, TapsAtFortyFiveDegrees) {
  const Filter f = labelled(makeBank("vessel-matched"), "theta045");
  EXPECT_EQ(nonZeroTaps(f), 111);
  EXPECT_FLOAT_EQ(tapAt(f, 0, 0), -0.5858336397057503f);
  EXPECT_FLOAT_EQ(tapAt(f, 3, 3), -0.5858336397057503f);  // along the bar: down and to the right
  EXPECT_FLOAT_EQ(tapAt(f, 4, -4), 0.39585072140551547f);
  EXPECT_FLOAT_EQ(tapAt(f, -2, 2), 0.0462869191228073f);
  EXPECT_FLOAT_EQ(tapAt(f, 3, -2), 0.20455497314315182f);
}

TEST(VesselMatched, AboutHalfOfTheTapsAreZero) {
  const int gold[] = {117, 107, 109, 111, 109, 107, 117, 107, 109, 111, 109, 107};
  const FilterBank bank = makeBank("vessel-matched");
  for (int i = 0; i < 12; ++i) EXPECT_EQ(nonZeroTaps(bank[i]), gold[i]) << bank[i].label;
}

TEST(VesselMatched, RoundsToWholeNumbersThatAddUpToZero) {
  for (const char* integers : {"10", "3.5", "1000"}) {
    const FilterBank plain = makeBank("vessel-matched");
    const FilterBank bank = makeBank(std::string("vessel-matched:integers=") + integers);
    ASSERT_EQ(bank.size(), plain.size());
    for (int f = 0; f < bank.size(); ++f) {
      double sum = 0;
      for (std::size_t i = 0; i < bank[f].taps.size(); ++i) {
        const double tap = bank[f].taps[i];
        EXPECT_EQ(tap, std::round(tap));
        EXPECT_LT(std::fabs(tap - std::stod(integers) * plain[f].taps[i]), 1.0) << bank[f].label;
        EXPECT_EQ(tap, bank[f].taps[bank[f].taps.size() - 1 - i]) << "symmetric about the middle";
        sum += tap;
      }
      EXPECT_EQ(sum, 0) << bank[f].label;
    }
  }
  // The paper's, at 0 degrees: ten times the values above.
  const FilterBank bank = makeBank("vessel-matched:integers=10");
  const Filter& f = labelled(bank, "theta000");
  const double gold[] = {-6, -5, -2, 1, 2, 3, 4, 0};
  for (int y = -7; y <= 7; ++y) EXPECT_EQ(tapAt(f, 4, y), gold[std::abs(y)]);
}

TEST(VesselFdog, TapsAtZeroDegrees) {
  const FilterBank bank = makeBank("vessel-fdog");
  ASSERT_EQ(bank.size(), 8);
  const Filter& f = labelled(bank, "theta000");
  EXPECT_FLOAT_EQ(tapAt(f, 0, -2), 0.09719115536355179f);
  EXPECT_FLOAT_EQ(tapAt(f, 4, -1), 0.09465126089551178f);
  EXPECT_FLOAT_EQ(tapAt(f, -4, 1), -0.09465126089551178f);
  EXPECT_FLOAT_EQ(tapAt(f, 1, 4), -0.013506353805982155f);
  EXPECT_EQ(tapAt(f, 5, 1), 0.0f);
  EXPECT_EQ(tapAt(f, 0, 5), 0.0f);
  EXPECT_EQ(tapAt(f, 0, 0), 0.0f);
}

TEST(VesselFdog, FiltersAreOdd) {
  const FilterBank bank = makeBank("vessel-fdog");
  for (const Filter& f : bank.filters()) {
    for (std::size_t i = 0; i < f.taps.size(); ++i) {
      EXPECT_EQ(f.taps[i], -f.taps[f.taps.size() - 1 - i]) << f.label;
    }
  }
}

TEST(VesselGabor, TapsAtZeroDegrees) {
  const FilterBank bank = makeBank("vessel-gabor");
  ASSERT_EQ(bank.size(), 18);
  const Filter& f = labelled(bank, "theta000");
  EXPECT_EQ(f.width, 61);
  EXPECT_FLOAT_EQ(tapAt(f, 0, 0), -0.9715528509123635f);
  EXPECT_FLOAT_EQ(tapAt(f, 0, 4), 0.5142235745438183f);
  EXPECT_FLOAT_EQ(tapAt(f, 5, 1), -0.5713589850405422f);
}

TEST(VesselBar, TapsAtZeroDegrees) {
  const FilterBank bank = makeBank("vessel-bar");
  ASSERT_EQ(bank.size(), 18);
  const Filter& f = labelled(bank, "theta000");
  EXPECT_EQ(f.width, 57);
  EXPECT_FLOAT_EQ(tapAt(f, 0, 0), -0.1535535205614883f);
  EXPECT_FLOAT_EQ(tapAt(f, 9, 0), -0.09313491812735691f);
  EXPECT_FLOAT_EQ(tapAt(f, 3, 5), 0.03350590511738423f);
  EXPECT_NEAR(tapAt(f, 0, 2), 0.0f, 1e-9f);
}

TEST(VesselBar, SeveralWidthsShareOneShapeAndNorm) {
  const FilterBank bank = makeBank("vessel-bar:sigma=1/1.4/2,along=6,orientations=4");
  ASSERT_EQ(bank.size(), 12);
  EXPECT_TRUE(bank.uniform());
  EXPECT_EQ(bank[5].label, "sigma1.4-theta045");
  EXPECT_EQ(bank[5].scale, 1.4);
  for (const Filter& f : bank.filters()) {
    double squares = 0;
    for (const float tap : f.taps) squares += static_cast<double>(tap) * static_cast<double>(tap);
    EXPECT_NEAR(squares, 1.0, 1e-6) << f.label;
  }
}

TEST(Vessel, EveryFilterHasZeroSum) {
  for (const char* name : {"vessel-matched", "vessel-fdog", "vessel-gabor", "vessel-bar",
                           "vessel-matched:sigma=3.4,length=15.3,orientations=7"}) {
    const FilterBank bank = makeBank(name);
    for (const Filter& f : bank.filters()) {
      double magnitude = 0;
      for (const float tap : f.taps) magnitude += static_cast<double>(std::abs(tap));
      EXPECT_LE(std::abs(sumOf(f)), magnitude * std::ldexp(1.0, -24)) << name << " " << f.label;
    }
  }
}

TEST(Vessel, NinetyDegreesOnIsTheSameFilterTurned) {
  for (const char* name :
       {"vessel-matched", "vessel-fdog", "vessel-matched:sigma=1.5,length=7,orientations=24"}) {
    const FilterBank bank = makeBank(name);
    const int quarter = bank.size() / 2;
    for (int i = 0; i < quarter; ++i) {
      EXPECT_EQ(quarterTurn(bank[i]), bank[i + quarter].taps) << name << " " << bank[i].label;
    }
  }
}

// The supports of vessel-matched hold 107 to 117 pixels depending on the direction, so that a neighbour 15
// degrees away may answer a little more; the envelopes of the others are smooth.
TEST(Vessel, EvenFiltersAnswerADarkVesselOfTheirDirectionMost) {
  const std::pair<const char*, double> cases[] = {
      {"vessel-matched", 15.0}, {"vessel-gabor", 0.0}, {"vessel-bar", 0.0}};
  for (const auto& [name, allowedTurn] : cases) {
    const FilterBank bank = makeBank(name);
    for (const Filter& target : bank.filters()) {
      const double angle = *target.orientation;
      EXPECT_GT(responseToVessel(target, angle), 0) << name << " " << target.label;
      const auto best = std::max_element(bank.filters().begin(), bank.filters().end(),
                                         [&](const Filter& a, const Filter& b) {
                                           return responseToVessel(a, angle) < responseToVessel(b, angle);
                                         });
      const double turn = std::abs(*best->orientation - angle);
      EXPECT_LE(std::min(turn, 180 - turn), allowedTurn) << name << " " << target.label;
    }
  }
}

TEST(Vessel, DirectionsThatAreNotWholeDegreesHaveTheirOwnLabels) {
  const FilterBank bank = makeBank("vessel-matched:orientations=7");
  EXPECT_EQ(bank[1].label, "theta025.71");
  EXPECT_DOUBLE_EQ(bank[1].orientation.value(), 180.0 / 7);
  EXPECT_EQ(makeBank("vessel-fdog:orientations=360").size(), 360);
}

// 1 + 2 + 2 points on both sides, one of five each; 3 on the one side.
TEST(VesselCollinear, TapsLieInARowAChannelForEachDistance) {
  const FilterBank both = makeBank("vessel-collinear:rho=0/2/5,orientations=4");
  ASSERT_EQ(both.size(), 4);
  ASSERT_EQ(both.channels(), 3);
  const auto points = [](const Filter& f, int channel) {
    std::vector<std::pair<int, int>> found;
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x) {
        if (f.tap(channel, y, x) != 0) found.emplace_back(x - f.anchorX, y - f.anchorY);
      }
    }
    return found;
  };
  using Points = std::vector<std::pair<int, int>>;
  const Filter& along = labelled(both, "theta045");
  EXPECT_EQ(along.height, 11);
  EXPECT_EQ(points(along, 0), (Points{{0, 0}}));
  EXPECT_EQ(points(along, 1), (Points{{-1, -1}, {1, 1}}));
  EXPECT_EQ(points(along, 2), (Points{{-4, -4}, {4, 4}}));
  for (const Filter& f : both.filters()) EXPECT_FLOAT_EQ(static_cast<float>(sumOf(f)), 1.0f);
  EXPECT_FLOAT_EQ(along.tap(1, 4, 4), 0.2f);
  const FilterBank near = makeBank("vessel-collinear:rho=0.3/4");  // both sides round to the middle
  for (const Filter& f : near.filters()) EXPECT_FLOAT_EQ(static_cast<float>(sumOf(f)), 1.0f);
  const FilterBank one = makeBank("vessel-collinear:rho=0/2/5,sides=one,orientations=8");
  EXPECT_EQ(points(labelled(one, "theta090"), 2), (Points{{0, 5}}));
  EXPECT_EQ(points(labelled(one, "theta270"), 2), (Points{{0, -5}}));
}

}  // namespace
}  // namespace bankside

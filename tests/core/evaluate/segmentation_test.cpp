#include "core/evaluate/segmentation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/evaluate/roc_curve.h"
#include "core/evaluate/skeleton.h"
#include "tests/core/evaluate/drawn_mask.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

using Rows = std::vector<std::string>;

Image responseOf(const Image& mask, float high = 1) {
  Image response(1, mask.height(), mask.width(), ElementType::F32);
  auto view = response.view<float>(0);
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) view.at(x, y) = mask.view<std::uint8_t>(0).at(x, y) != 0 ? high : 0;
  return response;
}

std::string refusal(Image response, const Image& truth, const Image& fieldOfView = {},
                    const Image& observer = {}) {
  try {
    labelled("a", std::move(response), truth, fieldOfView, observer);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "";
}

TEST(Skeleton, OfABarIsItsMiddle) {
  EXPECT_EQ(rowsOf(skeletonOf(drawn({"###########", "###########", "###########"}))),
            (Rows{"...........", ".#########.", "..........."}));
  EXPECT_EQ(rowsOf(skeletonOf(drawn({".....", "#####", "....."}))), (Rows{".....", "#####", "....."}));
}

TEST(Skeleton, KeepsBranchesAndHoles) {
  EXPECT_EQ(
      rowsOf(skeletonOf(drawn(
          {"#####...#", "####...##", ".###..##.", "..#####..", "...###...", "...###...", "...###..."}))),
      (Rows{"...##...#", "###....#.", "..#...#..", "...#.#...", "....#....", "....#....", "........."}));
  EXPECT_EQ(rowsOf(skeletonOf(drawn({".######.", ".##..##.", ".##..##.", ".######."}))),
            (Rows{"..###...", ".#...#..", ".#...#..", "..###..."}));
}

TEST(Skeleton, OfALargeDiscIsLittle) {
  Image disc(1, 1001, 1001, ElementType::U8);
  auto view = disc.view<std::uint8_t>(0);
  for (int y = 0; y < 1001; ++y)
    for (int x = 0; x < 1001; ++x) view.at(x, y) = std::hypot(x - 500, y - 500) < 500 ? 1 : 0;
  const Image skeleton = skeletonOf(disc);
  std::int64_t left = 0;
  for (int y = 0; y < 1001; ++y)
    for (int x = 0; x < 1001; ++x) left += skeleton.view<std::uint8_t>(0).at(x, y);
  EXPECT_GE(left, 1);
  EXPECT_LT(left, 2000);
}

TEST(Labelled, CountsInsideTheFieldOfViewAlone) {
  const Image fieldOfView = drawn({".####", ".####"});
  const Image truth = drawn({"##...", "###.."});
  const LabelledImage image =
      labelled("a", responseOf(drawn({"####.", "#...."})), truth, fieldOfView, drawn({".#...", "#...#"}));
  EXPECT_EQ(confusionOf(segmentationAt(image, 1), image), (Confusion{1, 2, 2, 3}));
  EXPECT_EQ(confusionOf(observerOf(image), image), (Confusion{1, 1, 2, 4}));
  EXPECT_EQ(rowsOf(truthOf(image)), (Rows{".#...", ".##.."}));
  const ScoredPixels pixels = sortedPixels(image);
  EXPECT_EQ(pixels.vessel, (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(pixels.ground, (std::vector<float>{0, 0, 0, 1, 1}));
}

TEST(Labelled, PixelsOfAllImagesAreSortedTogether) {
  for (std::size_t count = 1; count < 8; ++count) {
    std::vector<ScoredPixels> images(count);
    std::vector<float> all;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < (i * 5) % 4; ++k)
        images[i].ground.push_back(static_cast<float>(k * 3) - static_cast<float>(i));
      all.insert(all.end(), images[i].ground.begin(), images[i].ground.end());
      images[i].vessel = {static_cast<float>(i)};
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(sortedPixels(images).ground, all) << count;
    EXPECT_EQ(sortedPixels(images).vessel.size(), count);
  }
}

/// Counts how often it is asked, and ends the work at one of the times.
StopCheck endAt(int time, int& asked) {
  return [time, &asked] {
    if (++asked == time) throw Cancelled();
  };
}

TEST(Labelled, AStopIsLookedForWithinEveryPartOfTheWork) {
  // Ten parts of a sort of their own, which are merged: more than twice as often as it has rows.
  const int side = 1700;
  LabelledImage image{"a", Image(1, side, side, ElementType::F32), Image(1, side, side, ElementType::U8)};
  std::uint32_t state = 1;
  std::vector<float> all;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      state = state * 1664525 + 1013904223;
      const auto value = static_cast<float>(state >> 8);
      image.response.view<float>(0).at(x, y) = value;
      const bool vessel = (x + y) % 64 == 0;
      image.labels.view<std::uint8_t>(0).at(x, y) = vessel ? labelInside | labelVessel : labelInside;
      if (!vessel) all.push_back(value);
    }
  }
  std::sort(all.begin(), all.end());
  int asked = 0;
  const ScoredPixels pixels = sortedPixels(image, endAt(-1, asked));
  EXPECT_TRUE(pixels.ground == all);
  EXPECT_GT(asked, side + 10 + 4 * 10);
  for (const int time : {1, side, side + 5, side + 25, asked}) {
    int until = 0;
    EXPECT_THROW(sortedPixels(image, endAt(time, until)), Cancelled) << time;
    EXPECT_EQ(until, time) << "nothing is done after it";
  }
  for (int time = 1; time <= 2; ++time) {
    int until = 0;
    EXPECT_THROW(rocCurve(pixels, endAt(time, until)), Cancelled);
    EXPECT_THROW(otsuThreshold(pixels, endAt(until + time, until)), Cancelled);
  }
  int passes = 0;
  EXPECT_THROW(skeletonOf(image.labels, endAt(2, passes)), Cancelled);
}

TEST(Labelled, RefusesWhatCannotBeJudged) {
  const Image truth = drawn({"##..", "...."});
  EXPECT_THAT(refusal(responseOf(drawn({"##..."})), truth),
              HasSubstr("the truth is 4 x 2 pixels, the response 5 x 1"));
  EXPECT_THAT(refusal(responseOf(truth), truth, drawn({"####"})), HasSubstr("the field of view is 4 x 1"));
  EXPECT_THAT(refusal(responseOf(truth), truth, {}, drawn({"####"})), HasSubstr("second observer's"));
  EXPECT_THAT(refusal(responseOf(truth), truth, drawn({"....", "...."})), HasSubstr("holds no pixel"));
  EXPECT_THAT(refusal(responseOf(truth), truth, drawn({"....", "####"})), HasSubstr("marks no vessel"));
  EXPECT_THAT(refusal(responseOf(truth), truth, drawn({"##..", "...."})), HasSubstr("whole field of view"));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(refusal(responseOf(truth, nan), truth),
              HasSubstr("2 of 8 responses inside the field of view are not finite"));
  EXPECT_EQ(refusal(responseOf(drawn({"#...", "...."}), nan), truth, drawn({".###", "####"})), "")
      << "outside";
}

TEST(Mask, IsWhateverIsNotZero) {
  Image picture(4, 1, 3, ElementType::U8);
  picture.setChannelNames({"red", "green", "blue", "alpha"});
  for (int c = 0; c < 4; ++c)
    for (int x = 0; x < 3; ++x) picture.view<std::uint8_t>(c).at(x, 0) = c == 3 ? 255 : 0;
  picture.view<std::uint8_t>(1).at(2, 0) = 7;
  const Mask mask = maskOf(picture);
  EXPECT_EQ(rowsOf(mask.pixels), (Rows{"..#"})) << "alpha is no mark";
  EXPECT_FALSE(mask.graded);
  picture.view<std::uint8_t>(0).at(0, 0) = 8;
  EXPECT_TRUE(maskOf(picture).graded);
}

TEST(CentreLines, ABrokenVesselCostsAsMuchAsItIsLong) {
  const Image truth = drawn({".........", "#########", "........."});
  const LabelledImage image =
      labelled("a", responseOf(drawn({"......###", "######...", "........."})), truth, {}, {});
  const Image called = segmentationAt(image, 1);
  const CentreLines lines = centreLinesOf(called, truth, skeletonOf(truth));
  EXPECT_EQ(lines.ours, 9);
  EXPECT_EQ(lines.oursInside, 6);
  EXPECT_EQ(lines.theirs, 9);
  EXPECT_EQ(lines.theirsFound, 6);
  EXPECT_DOUBLE_EQ(lines.clDice(), 6.0 / 9);
  EXPECT_DOUBLE_EQ((CentreLines{4, 2, 5, 5}).clDice(), 2 * 0.5 / 1.5);
  EXPECT_EQ((CentreLines{4, 0, 5, 0}).clDice(), 0);
  EXPECT_TRUE(std::isnan((CentreLines{0, 0, 5, 0}).clDice()));
}

TEST(Overlay, HasAColourForEachCase) {
  const LabelledImage image =
      labelled("a", responseOf(drawn({"##..#"})), drawn({"#.#.#"}), drawn({"####."}), {});
  const Image picture = overlayOf(segmentationAt(image, 1), image);
  const int expected[5][3] = {{255, 255, 255}, {86, 180, 233}, {230, 159, 0}, {0, 0, 0}, {48, 48, 48}};
  for (int x = 0; x < 5; ++x)
    for (int c = 0; c < 3; ++c) EXPECT_EQ(picture.view<std::uint8_t>(c).at(x, 0), expected[x][c]) << x;
}

}  // namespace
}  // namespace bankside::testing

/// Images with nothing in them: rounding is no contrast.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/maps/contrast.h"
#include "core/run/recipe_runner.h"
#include "core/run/shipped_recipes.h"
#include "filters/catalog.h"
#include "tests/core/run/two_stages.h"

namespace bankside {
namespace {

using testing::collect;
using testing::named;

/// One grey level, or a disc of it on black.
Image levelImage(int level, bool disc) {
  constexpr int side = 160;
  Image image(1, side, side, ElementType::U8);
  const auto view = image.view<std::uint8_t>(0);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const bool inside = std::hypot(x - side / 2, y - side / 2) < side / 2 - 10;
      view.at(x, y) = static_cast<std::uint8_t>(!disc || inside ? level : 0);
    }
  }
  return image;
}

struct Made {
  Image map;
  BankRun run;
};

Made made(const std::string& recipe, const Image& image, bool verified = false) {
  Recipe read = openRecipe(recipe);
  if (verified) read.verify = VerifyLevel::Reference;
  std::vector<FilterBank> banks;
  for (const std::string& bank : bankNames(read)) banks.push_back(makeBank(bank));
  RunOptions options;
  options.pixelsPerDegree = 30;
  options.verifyReference = verified;
  Runner runner = makeRunner(read, banks, options, named("cpu"));
  Made result;
  result.map = std::move(collect(runner, image, &result.run).front());
  return result;
}

std::pair<float, float> rangeOf(const Image& map) {
  float least = INFINITY, most = -INFINITY;
  for (int y = 0; y < map.height(); ++y) {
    const float* const row = map.view<float>(0).row(y);
    least = std::min(least, *std::min_element(row, row + map.width()));
    most = std::max(most, *std::max_element(row, row + map.width()));
  }
  return {least, most};
}

TEST(Contrast, OfOneGreyLevelIsNoneInAnyRecipeForVessels) {
  for (const char* recipe : {"vessels", "line-detector", "bar-scales", "gabor", "b-cosfire", "mf-fdog",
                             "matched-scaled", "morlet", "frangi"}) {
    for (const int level : {0, 100, 242}) {
      for (const bool disc : {false, true}) {
        if (disc && level == 0) continue;
        const Made result = made(recipe, levelImage(level, disc));
        EXPECT_EQ(rangeOf(result.map), (std::pair(0.0f, 0.0f))) << recipe << " " << level << " " << disc;
        EXPECT_TRUE(result.run.flat) << recipe << " " << level << " " << disc;
        EXPECT_THAT(result.run.remarks(), ::testing::Contains(::testing::HasSubstr("no contrast")));
      }
    }
  }
}

TEST(Contrast, ThatIsNoneIsJudgedByTheSameRule) {
  const Made result = made("vessels", levelImage(100, true), true);
  EXPECT_TRUE(result.run.passed);
  ASSERT_TRUE(result.run.operations);
  EXPECT_TRUE(result.run.operations->passed) << result.run.operations->place();
}

TEST(Contrast, OfOneLevelMoreIsOne) {
  Image image = levelImage(100, false);
  image.view<std::uint8_t>(0).at(80, 80) = 101;
  const Made result = made("vessels", image);
  EXPECT_FALSE(result.run.flat);
  EXPECT_GT(rangeOf(result.map).second, 1);
}

TEST(Contrast, MapsOfOneValueEachDiffer) {
  const auto bankOf = [](std::vector<float> taps, int width) {
    return FilterBank({"made"},
                      {Filter{.channels = 2, .width = width, .taps = std::move(taps), .label = "made"}});
  };
  EXPECT_FALSE(sumsToNothing(bankOf({1, -1}, 1)));
  EXPECT_TRUE(sumsToNothing(bankOf({1, -1, -2, 2}, 2)));
}

}  // namespace
}  // namespace bankside

/// Recipes of steps over images whose maps would not fit: at the image's size they come in bands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/maps/resample.h"
#include "core/run/recipe_runner.h"
#include "core/run/shipped_recipes.h"
#include "filters/catalog.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::collect;
using ::testing::HasSubstr;
using testing::integerImage;
using testing::named;

constexpr int discSide = 500;
constexpr double discScale =
    100;  ///< of a field of 4 degrees, which recipes look at in a fifth of the pixels

/// Noise in a disc amid black. `level`: of one grey instead
Image discOf(ElementType type, std::optional<int> level = {}) {
  Image image = integerImage(1, discSide, discSide + 7, type, 5);
  visit(type, [&](auto element) {
    const auto view = image.view<decltype(element)>(0);
    for (int y = 0; y < view.height; ++y) {
      for (int x = 0; x < view.width; ++x) {
        const double down = y - discSide / 2.0;
        const double across = x - discSide / 2.0;
        if (level) view.at(x, y) = static_cast<decltype(element)>(*level);
        if (down * down + across * across > 0.16 * discSide * discSide) view.at(x, y) = decltype(element){};
      }
    }
  });
  return image;
}

Runner discRunner(const Recipe& recipe, std::int64_t memory, int threads = 0) {
  std::vector<FilterBank> banks;
  for (const std::string& bank : bankNames(recipe)) banks.push_back(makeBank(bank));
  RunOptions options;
  options.plan.threads = threads;
  options.pixelsPerDegree = discScale;
  options.memoryBudget = memory;
  return makeRunner(recipe, banks, options, named("cpu"));
}

Recipe recipeWith(const std::string& steps) {
  return parseRecipe(R"({"bankside":"recipe","version":4,"steps":[)" + steps + "]}", "r");
}

/// In bands and whole.
void expectTheSame(const Recipe& recipe, const Image& image, int threads = 0) {
  Runner whole = discRunner(recipe, std::int64_t{1} << 40);
  const std::int64_t bytes = whole.resultBytes(1, image.height(), image.width());
  Runner bands = discRunner(recipe, bytes - 1, threads);
  BankRun ofWhole;
  BankRun ofBands;
  const std::vector<Image> expected = collect(whole, image, &ofWhole);
  const std::vector<Image> got = collect(bands, image, &ofBands);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(samePixels(got[i], expected[i])) << i;
  EXPECT_EQ(ofWhole.bands, 1);
  EXPECT_EQ(ofBands.fieldDegrees, ofWhole.fieldDegrees);
  EXPECT_EQ(ofBands.flat, ofWhole.flat);
  ASSERT_EQ(ofBands.operationSteps.size(), ofWhole.operationSteps.size());
  for (std::size_t i = 0; i < ofWhole.operationSteps.size(); ++i) {
    EXPECT_EQ(ofBands.operationSteps[i].stage, ofWhole.operationSteps[i].stage);
    EXPECT_EQ(ofBands.operationSteps[i].does, ofWhole.operationSteps[i].does);
  }
}

TEST(MapEnds, OfEveryShippedRecipeThatRestoresComeInBandsWithTheSameBytes) {
  int recipes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BANKSIDE_SOURCE_DIR "/assets/recipes")) {
    const Recipe recipe = readRecipe(entry.path());
    const bool restores = std::any_of(recipe.steps.begin(), recipe.steps.end(), [](const RecipeStep& step) {
      return step.operation && step.operation->entry->name == "restore";
    });
    if (!restores) continue;
    SCOPED_TRACE(entry.path());
    ++recipes;
    expectTheSame(recipe, discOf(ElementType::U8));
  }
  EXPECT_GT(recipes, 10);
}

TEST(MapEnds, AreTheSameOfAnyTypeOnAnyThreadsAndWhereThereIsNothingToSee) {
  const Recipe recipe = openRecipe("vessels");
  expectTheSame(recipe, discOf(ElementType::U16), 1);
  expectTheSame(recipe, discOf(ElementType::U8, 90));
  Image black(1, discSide, discSide, ElementType::U8);
  for (int y = 0; y < discSide; ++y)
    std::fill_n(black.view<std::uint8_t>(0).row(y), discSide, std::uint8_t{0});
  expectTheSame(recipe, black);
}

TEST(MapEnds, MayBeSeveralFunctionsOfOnePixelAndSeveralMaps) {
  expectTheSame(
      recipeWith(R"({"do":"unit"},{"name":"s","do":"square"},{"name":"small","do":"resample","scale":17.3},
      {"name":"edges","bank":"sobel"},{"do":"gather","takes":["small","edges"]},
      {"do":"restore"},{"do":"abs"},{"do":"linear","times":2,"plus":1})"),
      discOf(ElementType::U8));
}

TEST(MapEnds, RowsThatComeInAnyBandsAreResampledAsTheWhole) {
  const ThreadTeam team(2);
  FieldOfView field;
  const Extent from{61, 37, 10};
  OperationContext context{team, {}, field, from, ElementType::F32};
  Maps whole = Maps::make(from, {{"a"}, {"b"}});
  for (std::size_t m = 0; m < 2; ++m) {
    const Image noise = testing::randomImage(1, from.height, from.width, ElementType::F32);
    whole.planes[m] = noise.clone();
  }
  for (const Extent& to : {Extent{13, 9, 2}, Extent{61, 37, 10}, Extent{60, 36, 9}, Extent{100, 80, 20}}) {
    const Maps expected = resampledPart(whole, to, {0, 0, to.width, to.height}, context);
    for (const int band : {1, 3, 16, 61}) {
      ResampledRows rows(from, to, whole.names);
      for (int y = 0; y < from.height; y += band) {
        const int height = std::min(band, from.height - y);
        Maps some = Maps::make({height, from.width, 10}, whole.names);
        for (std::size_t m = 0; m < 2; ++m) {
          for (int row = 0; row < height; ++row)
            std::copy_n(whole.view(m).row(y + row), from.width, some.view(m).row(row));
        }
        rows.add(some, context);
      }
      const Maps got = rows.take();
      for (std::size_t m = 0; m < 2; ++m)
        EXPECT_TRUE(samePixels(got.planes[m], expected.planes[m])) << to.height << " of " << band;
    }
  }
}

TEST(MapEnds, GiveAnyPart) {
  const Recipe recipe = openRecipe("vessels");
  const Image image = discOf(ElementType::U8);
  const Image whole =
      std::move(collect(*std::make_unique<Runner>(discRunner(recipe, std::int64_t{1} << 40)), image).front());
  Runner bands = discRunner(recipe, 8 << 20);
  ImageSource source(image);
  const Region part{111, 207, 120, 131};
  GatheredPlanes got(part.height);
  bands.run(
      source, [&](int y, const std::vector<Image>& planes) { got.add(y, planes); }, {}, part);
  ASSERT_EQ(got.images().size(), 1u);
  for (int y = 0; y < part.height; ++y) {
    for (int x = 0; x < part.width; ++x)
      ASSERT_EQ(got.images()[0].view<float>(0).at(x, y), whole.view<float>(0).at(part.x + x, part.y + y));
  }
}

/// Rows of a large file are read once, from the top to the bottom.
TEST(MapEnds, ReadTheImageOnceInItsOrder) {
  class Counted final : public Source {
   public:
    explicit Counted(const Image& image) : inner_(image) {}
    ElementType type() const override { return inner_.type(); }
    int channels() const override { return inner_.channels(); }
    int height() const override { return inner_.height(); }
    int width() const override { return inner_.width(); }
    void readRows(int channel, int firstRow, MutablePlane dst) override {
      EXPECT_EQ(firstRow, next);
      next = firstRow + dst.height;
      inner_.readRows(channel, firstRow, dst);
    }
    int next = 0;

   private:
    ImageSource inner_;
  };
  const Image image = discOf(ElementType::U8);
  Counted source(image);
  Runner bands = discRunner(openRecipe("vessels"), 8 << 20);
  EXPECT_EQ(collect(bands, source).size(), 1u);
  EXPECT_EQ(source.next, discSide);
}

TEST(MapEnds, AreRefusedWhereMapsOfTheImagesSizeMustBeHeld) {
  const Image image = discOf(ElementType::U8);
  const auto complaint = [&](const std::string& steps, VerifyLevel verify = VerifyLevel::Off) -> std::string {
    Recipe recipe = recipeWith(steps);
    recipe.verify = verify;
    try {
      Runner runner = discRunner(recipe, 4 << 20);
      collect(runner, image);
      return "taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Limit);
      return error.what();
    }
  };
  EXPECT_EQ(complaint(R"({"do":"unit"},{"do":"resample","scale":20},{"do":"restore"})"), "taken");
  const char* const sentence = "MB at once, and 4 MB are allowed";
  EXPECT_THAT(complaint(R"({"do":"unit"},{"do":"resample","scale":90},{"do":"restore"})"),
              HasSubstr(sentence));
  EXPECT_THAT(
      complaint(R"({"do":"unit"},{"do":"resample","scale":20},{"do":"restore"})", VerifyLevel::Reference),
      HasSubstr(sentence))
      << "who judges looks at whole maps";
  for (
      const char* steps :
      {R"({"do":"local-mean","sigma":2},{"do":"resample","scale":20},{"do":"restore"})",
       R"({"do":"unit"},{"do":"resample","scale":20},{"do":"restore"},{"do":"local-mean","sigma":2})",
       R"({"name":"u","do":"unit"},{"do":"resample","scale":20},{"name":"r","do":"restore"},
           {"do":"sum","takes":["u","r"]})",
       R"({"name":"small","do":"resample","scale":20},{"name":"r","do":"restore"},
           {"do":"sum","takes":["image","r"]})",
       R"({"name":"a","do":"resample","scale":20},{"do":"restore","takes":["a"]},{"do":"resample","scale":20},
           {"do":"restore"})"})
    EXPECT_THAT(complaint(steps), HasSubstr(sentence)) << steps;
}

}  // namespace
}  // namespace bankside

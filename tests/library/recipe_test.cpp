/// Recipes through the public header: the runner's maps, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/run/recipe_runner.h"
#include "core/run/shipped_recipes.h"
#include "filters/catalog.h"
#include "kernels/engine_list.h"
#include "tests/library/made_calls.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

RecipeHandle loadRecipe(const std::string& name, double scale) {
  bk_recipe_options options = {};
  options.size = sizeof options;
  options.pixels_per_degree = scale;
  bk_recipe* recipe = nullptr;
  EXPECT_EQ(bk_recipe_load(nullptr, name.c_str(), &options, &recipe), BK_OK) << bk_last_error();
  return RecipeHandle(recipe);
}

bk_recipe_info infoOf(const RecipeHandle& recipe) {
  bk_recipe_info info = {};
  info.size = sizeof info;
  EXPECT_EQ(bk_recipe_describe(recipe.get(), &info), BK_OK);
  return info;
}

std::vector<Image> ranByTheProgram(const std::string& name, const Image& image) {
  static const EngineList list = makeCpuEngines();
  const Recipe recipe = openRecipe(name);
  std::vector<FilterBank> banks;
  for (const std::string& bank : bankNames(recipe)) banks.push_back(loadBank(bank));
  RunOptions options;
  options.plan.threads = 1;
  options.pixelsPerDegree = 31;
  Runner runner = makeRunner(recipe, banks, options, [](const ConvolutionProblem& p) -> const Engine& {
    return selectEngineOf(list, "auto", p);
  });
  ImageSource source(image);
  std::vector<Image> planes;
  runner.run(source, [&](int, const std::vector<Image>& given) {
    for (const Image& plane : given) planes.push_back(plane.clone());
  });
  return planes;
}

TEST(Recipes, GiveTheRunnersMaps) {
  Image image = randomImage(1, 70, 85, ElementType::U8, 5);
  for (const char* name : {"vessels", "ilastik", "laws"}) {
    const std::vector<Image> expected = ranByTheProgram(name, image);
    const RecipeHandle recipe = loadRecipe(name, 31);
    for (int run = 0; run < 2; ++run) {
      bk_maps* handle = nullptr;
      const bk_view view = viewOf(image);
      ASSERT_EQ(bk_recipe_run(recipe.get(), &view, nullptr, nullptr, &handle), BK_OK) << bk_last_error();
      const MapsHandle maps(handle);
      bk_maps_info all = {};
      all.size = sizeof all;
      ASSERT_EQ(bk_maps_describe(maps.get(), &all), BK_OK);
      ASSERT_EQ(all.maps, static_cast<std::int64_t>(expected.size())) << name;
      ASSERT_EQ(all.maps, infoOf(recipe).maps);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        bk_map_info map = {};
        map.size = sizeof map;
        ASSERT_EQ(bk_maps_map(maps.get(), static_cast<std::int64_t>(i), &map), BK_OK);
        ASSERT_EQ(map.type, BK_F32);
        for (int y = 0; y < 70; ++y) {
          ASSERT_EQ(std::memcmp(static_cast<const std::byte*>(map.data) + y * map.row_stride,
                                expected[i].plane(0).row(y), 85 * sizeof(float)),
                    0)
              << name << ", map " << i << ", row " << y;
        }
        bk_plane_info plane = {};
        plane.size = sizeof plane;
        ASSERT_EQ(bk_recipe_plane(recipe.get(), static_cast<std::int64_t>(i), &plane), BK_OK);
        EXPECT_STREQ(plane.label, map.label);
      }
    }
  }
}

TEST(Recipes, OfTheLibraryAreListedAndDescribed) {
  const std::vector<std::string> names = shippedRecipes();
  ASSERT_EQ(bk_recipe_catalogue_size(), static_cast<int>(names.size()));
  for (int i = 0; i < bk_recipe_catalogue_size(); ++i)
    EXPECT_EQ(bk_recipe_catalogue_name(i), names[static_cast<std::size_t>(i)]);
  EXPECT_EQ(bk_recipe_catalogue_name(-1), nullptr);
  EXPECT_EQ(bk_recipe_catalogue_name(bk_recipe_catalogue_size()), nullptr);
  const RecipeHandle vessels = loadRecipe("vessels", 31);
  EXPECT_STREQ(infoOf(vessels).channel, "green");
  EXPECT_EQ(infoOf(vessels).threshold, openRecipe("vessels").threshold);
  EXPECT_TRUE(std::isnan(infoOf(loadRecipe("laws", 0)).threshold));
}

TEST(Recipes, RefuseWhatIsNone) {
  const RecipeHandle recipe = loadRecipe("vessels", 31);
  std::vector<float> pixels(64);
  bk_view image = bk_dense_view(pixels.data(), BK_F32, 1, 8, 8);
  bk_recipe* none = nullptr;
  EXPECT_EQ(bk_recipe_load(nullptr, nullptr, nullptr, &none), BK_BAD_INPUT);
  EXPECT_EQ(bk_recipe_load(nullptr, "vessels", nullptr, nullptr), BK_BAD_INPUT);
  bk_run_options options = {};
  options.size = sizeof options;
  options.stream = &options;
  bk_maps* maps = nullptr;
  EXPECT_EQ(bk_recipe_run(recipe.get(), &image, nullptr, &options, &maps), BK_BAD_INPUT);
  EXPECT_EQ(bk_recipe_run(nullptr, &image, nullptr, nullptr, &maps), BK_BAD_INPUT);
  EXPECT_EQ(bk_recipe_run(recipe.get(), &image, nullptr, nullptr, nullptr), BK_BAD_INPUT);
  image.height = 0;
  EXPECT_EQ(bk_recipe_run(recipe.get(), &image, nullptr, nullptr, &maps), BK_BAD_INPUT);
  EXPECT_EQ(maps, nullptr);
  bk_map_info map = {};
  map.size = sizeof map;
  EXPECT_EQ(bk_maps_map(nullptr, 0, &map), BK_BAD_INPUT);
}

TEST(Engines, OfTheLibraryAreListed) {
  const EngineList engines = makeCpuEngines();
  ASSERT_EQ(bk_engine_list_size(), static_cast<int>(engines.size()));
  for (int i = 0; i < bk_engine_list_size(); ++i)
    EXPECT_EQ(bk_engine_list_name(i), engines[static_cast<std::size_t>(i)]->name());
  EXPECT_EQ(bk_engine_list_name(-1), nullptr);
  EXPECT_EQ(bk_engine_list_name(bk_engine_list_size()), nullptr);
}

}  // namespace
}  // namespace bankside::testing

/// The recipes that come with the program with their maps on the device, against the same with maps in host
/// memory and the same engines: the same bytes, but that a NaN is a NaN.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/run/shipped_recipes.h"
#include "tests/kernels/cuda/gpu.h"
#include "tests/kernels/cuda/maps/recipe_runs.h"

namespace bankside {
namespace {

using namespace testing;

class RecipesOnDevice : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { BANKSIDE_NEEDS_GPU(); }
};

TEST_P(RecipesOnDevice, GiveTheBytesOfMapsInHostMemory) {
  const Recipe recipe = openRecipe(GetParam());
  if (!recipe.ofMaps()) GTEST_SKIP() << "it has stages";
  constexpr int size = 320;
  const Image image = phantom(size);
  const EngineList engines = makeDeviceEngines();
  const Ran there = ranWith(recipe, image, 16, engines, mapDevices());
  const Ran here = ranWith(recipe, image, 16, engines, {});
  ASSERT_EQ(there.planes.size(), here.planes.size());
  for (std::size_t i = 0; i < here.planes.size(); ++i)
    EXPECT_TRUE(sameNumbers(here.planes[i], there.planes[i])) << "plane " << i;
  EXPECT_EQ(there.run.mapsInstead, "");
  for (const OperationReport& operation : here.run.operationSteps) EXPECT_EQ(operation.device, "CPU");
  for (const OperationReport& operation : there.run.operationSteps)
    EXPECT_NE(operation.device, "CPU") << operation.does;
}

std::string recipeName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Shipped, RecipesOnDevice, ::testing::ValuesIn(shippedRecipes()), recipeName);

}  // namespace
}  // namespace bankside

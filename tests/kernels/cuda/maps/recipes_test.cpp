/// A recipe of every kind of step with its maps on the device. Runs on a GPU, and with the kernels as C++ on
/// the host.
#include <gtest/gtest.h>

#include "tests/kernels/cuda/gpu.h"
#include "tests/kernels/cuda/maps/recipe_runs.h"

namespace bankside {
namespace {

using testing::phantom;
using testing::Ran;
using testing::ranWith;
using testing::sameNumbers;

TEST(RecipeOnDevice, GivesTheBytesOfMapsInHostMemory) {
  BANKSIDE_NEEDS_GPU();
  const Recipe recipe = testing::everyKind();
  const Image image = phantom(96);
  const EngineList engines = makeDeviceEngines();
  const Ran there = ranWith(recipe, image, 10, engines, mapDevices());
  const Ran here = ranWith(recipe, image, 10, engines, {});
  ASSERT_EQ(there.planes.size(), 1u);
  EXPECT_TRUE(sameNumbers(here.planes[0], there.planes[0]));
  EXPECT_EQ(there.run.mapsInstead, "");
  ASSERT_EQ(there.run.operationSteps.size(), here.run.operationSteps.size());
  for (std::size_t i = 0; i < here.run.operationSteps.size(); ++i) {
    EXPECT_EQ(here.run.operationSteps[i].does, there.run.operationSteps[i].does);
    EXPECT_EQ(here.run.operationSteps[i].device, "CPU");
    EXPECT_NE(there.run.operationSteps[i].device, "CPU") << there.run.operationSteps[i].does;
  }
  EXPECT_EQ(here.run.mapCopies.total(), 0);
  // A bank that no engine of the device takes, of few taps.
  ASSERT_EQ(there.run.steps.size(), here.run.steps.size());
  EXPECT_EQ(here.run.steps.back().engine, "cpu:direct");
  EXPECT_EQ(there.run.steps.back().engine, "cuda");
  EXPECT_EQ(there.run.steps.back().plan.path, "few taps");
}

/// One does without the constant memory that the other holds.
TEST(RecipeOnDevice, HasMapsThereWhereBanksAreOverTheImageToo) {
  BANKSIDE_NEEDS_GPU();
  const EngineList engines = makeDeviceEngines();
  for (const char* steps : {R"([{"bank":"sobel","combine":["magnitude"]},{"bank":"gaussian:sigma=0.8"}])",
                            R"([{"name":"light","do":"unit"},{"name":"smooth","bank":"gaussian:sigma=0.8"},
            {"name":"edges","takes":["image"],"bank":"sobel","combine":["magnitude"]},
            {"do":"sum","takes":["smooth","edges"]}])"}) {
    const Recipe recipe =
        parseRecipe(R"({"bankside":"recipe","version":4,"steps":)" + std::string(steps) + "}", "r");
    const Ran there = ranWith(recipe, phantom(64), 0, engines, mapDevices());
    const Ran here = ranWith(recipe, phantom(64), 0, engines, {});
    ASSERT_EQ(there.planes.size(), 1u);
    EXPECT_TRUE(sameNumbers(here.planes[0], there.planes[0])) << steps;
    EXPECT_EQ(there.run.mapsInstead, "");
    for (const OperationReport& operation : there.run.operationSteps) EXPECT_NE(operation.device, "CPU");
  }
}

TEST(RecipeOnDevice, IsJudgedStepByStep) {
  BANKSIDE_NEEDS_GPU();
  Recipe recipe = testing::everyKind();
  recipe.verify = VerifyLevel::Reference;
  const EngineList engines = makeDeviceEngines();
  const Ran there = ranWith(recipe, phantom(64), 10, engines, mapDevices());
  EXPECT_TRUE(there.run.verified);
  EXPECT_TRUE(there.run.passed);
  ASSERT_TRUE(there.run.operations);
  EXPECT_TRUE(there.run.operations->passed) << there.run.operations->place();
  for (const StepReport& step : there.run.steps) EXPECT_TRUE(step.reference && step.reference->passed);
}

}  // namespace
}  // namespace bankside

/// Whole recipes with their maps on the device, against the same with maps in host memory and the same engines:
/// the same bytes, but that a NaN is a NaN. Runs on a GPU, and with the kernels as C++ on the host.
#include <gtest/gtest.h>

#include <bit>

#include "core/phantom/phantom.h"
#include "core/run/gathered_planes.h"
#include "core/run/recipe_runner.h"
#include "core/run/shipped_recipes.h"
#include "filters/catalog.h"
#include "kernels/device_engines.h"
#include "kernels/engine_list.h"
#include "tests/kernels/cuda/gpu.h"

namespace bankside {
namespace {

/// What a recipe gives, and how.
struct Ran {
  std::vector<Image> planes;
  BankRun run;
};

/// By the planner of the device, or the direct one of the host where that refuses.
Ran ranWith(const Recipe& recipe, const Image& image, double pixelsPerDegree, const EngineList& engines,
            MakeMapMaker maker) {
  std::vector<FilterBank> banks;
  for (const RecipeStep& step : recipe.steps) {
    if (!step.bank.empty()) banks.push_back(makeBank(step.bank));
  }
  static const EngineList host = makeCpuEngines();
  RunOptions options;
  options.pixelsPerDegree = pixelsPerDegree;
  options.mapMaker = std::move(maker);
  Runner runner = makeRunner(recipe, banks, options, [&](const ConvolutionProblem& p) -> const Engine& {
    return engines.front()->supports(p) ? *engines.front() : selectEngineOf(host, "cpu:direct", p);
  });
  ImageSource source(image);
  GatheredPlanes gathered(image.height());
  Ran ran;
  ran.run = runner.run(source,
                       [&](int firstRow, const std::vector<Image>& band) { gathered.add(firstRow, band); });
  ran.planes = std::move(gathered.images());
  return ran;
}

bool sameNumbers(const Image& a, const Image& b) {
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const float one = a.view<float>(0).at(x, y);
      const float other = b.view<float>(0).at(x, y);
      if (one != one ? other == other
                     : std::bit_cast<std::uint32_t>(one) != std::bit_cast<std::uint32_t>(other))
        return false;
    }
  }
  return true;
}

/// The green channel.
Image phantom(int size) {
  const Phantom made = makePhantom({.size = size});
  Image green(1, size, size, ElementType::U8);
  for (int y = 0; y < size; ++y)
    std::copy_n(made.photograph.view<std::uint8_t>(1).row(y), size, green.view<std::uint8_t>(0).row(y));
  return green;
}

class RecipesOnDevice : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { BANKSIDE_NEEDS_GPU(); }
};

TEST_P(RecipesOnDevice, GiveTheBytesOfMapsInHostMemory) {
  const Recipe recipe = openRecipe(GetParam());
  if (!recipe.ofMaps()) GTEST_SKIP() << "it has stages";
  constexpr int size = 128;
  const Image image = phantom(size);
  const EngineList engines = makeDeviceEngines();
  const Ran there = ranWith(recipe, image, 6, engines, makeMapMaker);
  const Ran here = ranWith(recipe, image, 6, engines, {});
  ASSERT_EQ(there.planes.size(), here.planes.size());
  for (std::size_t i = 0; i < here.planes.size(); ++i)
    EXPECT_TRUE(sameNumbers(here.planes[i], there.planes[i])) << "plane " << i;
  EXPECT_EQ(there.run.mapsInstead, "");
  for (const OperationReport& operation : here.run.operationSteps) EXPECT_EQ(operation.device, "CPU");
  // What a kernel is missing for says so.
  for (const OperationReport& operation : there.run.operationSteps) {
    const std::string word = operation.does.substr(0, operation.does.find('('));
    const bool without = word == "equalize" || word == "power" || word == "eigenvalues";
    EXPECT_EQ(operation.device == "CPU", without) << operation.does;
  }
}

std::string recipeName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Shipped, RecipesOnDevice, ::testing::ValuesIn(shippedRecipes()), recipeName);

}  // namespace
}  // namespace bankside

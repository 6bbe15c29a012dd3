/// Recipes of maps: from their JSON to results, against compositions by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.h"
#include "core/run/recipe_runner.h"
#include "filters/catalog.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::collect;
using testing::integerImage;
using testing::named;

std::string withSteps(const std::string& steps) {
  return R"({"bankside":"recipe","version":4,"steps":[)" + steps + "]}";
}

std::vector<FilterBank> banksOf(const Recipe& recipe) {
  std::vector<FilterBank> banks;
  for (const RecipeStep& step : recipe.steps) {
    if (!step.bank.empty()) banks.push_back(makeBank(step.bank));
  }
  return banks;
}

Runner runnerOf(const std::string& steps, RunOptions options = {}, const std::string& engine = "cpu:direct") {
  Recipe recipe = parseRecipe(withSteps(steps), "r");
  if (options.verifyReference) recipe.verify = VerifyLevel::Reference;
  return makeRunner(recipe, banksOf(recipe), options, named(engine));
}

/// Null in a build without OpenCV.
const Engine* baselineHere() {
  const Engine* const opencv = findEngine("opencv");
  return opencv->available() ? opencv : nullptr;
}

std::string complaintOf(const std::string& steps, RunOptions options = {}) {
  try {
    Runner runner = runnerOf(steps, options);
    const Image image = integerImage(1, 40, 50, ElementType::U8, 1);
    runner.planes(1);
    collect(runner, image);
    return "taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), e.code() == ErrorCode::Limit ? ErrorCode::Limit : ErrorCode::BadInput);
    return e.what();
  }
}

constexpr const char* everyKind = R"(
  {"name":"light","do":"unit"},
  {"do":"resample","scale":8},
  {"do":"field"},
  {"do":"fill","sigma":2,"erode":1},
  {"name":"input","do":"log","plus":0.05},
  {"name":"ridge","bank":"vessel-bar:sigma=1/1.5,along=3,orientations=4","combine":["max:orientation","mean:scale"]},
  {"name":"rms","do":"local-rms","sigma":7},
  {"do":"quotient","takes":["ridge","rms"],"floor":1e-6},
  {"name":"z","do":"standardize","robust":1},
  {"takes":["input"],"bank":"dog:sigma=1"},
  {"name":"spots","do":"relu"},
  {"name":"blurred","do":"dilate","sigma":[0.5,0.8]},
  {"do":"linear","plus":0.1},
  {"do":"log"},
  {"bank":"vessel-collinear:rho=0/2,orientations=6"},
  {"name":"lines","do":"exp","combine":["max"]},
  {"do":"sum","takes":["z","lines"],"weights":[1,0.5]},
  {"do":"restore"},
  {"name":"vesselness","do":"mask"})";

RunOptions withScale(double pixelsPerDegree) {
  RunOptions options;
  options.pixelsPerDegree = pixelsPerDegree;
  return options;
}

TEST(RecipeOfMaps, ReadsBackWhatItWrites) {
  Recipe recipe = parseRecipe(withSteps(everyKind), "r");
  ASSERT_EQ(recipe.steps.size(), 19u);
  recipe.title = "a title";
  recipe.citation = "a paper";
  EXPECT_EQ(parseRecipe(writeRecipe(recipe), "r"), recipe);
}

TEST(RecipeOfMaps, IsABankWhereItIsOneBank) {
  const Image image = integerImage(1, 33, 41, ElementType::U8, 2);
  Runner steps = runnerOf(R"({"takes":["image"],"bank":"sobel","combine":["magnitude"]})");
  Runner stages(Pipeline(makeBank("sobel"), Combine::Magnitude, false), {}, named("cpu:direct"));
  const std::vector<Image> a = collect(steps, image);
  const std::vector<Image> b = collect(stages, image);
  ASSERT_EQ(a.size(), 1u);
  EXPECT_TRUE(samePixels(a[0], b[0]));
}

TEST(RecipeOfMaps, IsJudgedStepByStep) {
  const Image image = integerImage(1, 60, 70, ElementType::U8, 3);
  RunOptions options = withScale(10);
  options.verifyReference = true;
  options.baseline = baselineHere();
  Runner runner = runnerOf(everyKind, options, "cpu");
  BankRun run;
  const std::vector<Image> planes = collect(runner, image, &run);
  ASSERT_EQ(planes.size(), 1u);
  EXPECT_EQ(planes[0].height(), 60);
  EXPECT_EQ(planes[0].width(), 70);
  EXPECT_TRUE(run.verified);
  EXPECT_TRUE(run.passed);
  ASSERT_TRUE(run.operations);
  EXPECT_TRUE(run.operations->passed) << run.operations->place();
  EXPECT_GT(run.operations->checked, 60 * 70 * 10);
  EXPECT_GT(run.operations->maxAbsError, 0) << "f32 rounds";
  EXPECT_GT(run.operations->maxBoundRatio, 0);
  ASSERT_EQ(run.steps.size(), 4u);  // two widths, spots and lines
  for (const StepReport& step : run.steps) {
    ASSERT_TRUE(step.reference);
    EXPECT_TRUE(step.reference->passed) << step.engine << " " << step.reference->place();
  }
  if (options.baseline != nullptr) {
    ASSERT_TRUE(run.steps.back().baseline);
    EXPECT_LT(run.steps.back().baseline->maxAbsError, 1e-2);
  }
}

TEST(RecipeOfMaps, GivesTheSameBytesOnAnyThreadsAndInAnyPart) {
  const Image image = integerImage(1, 60, 70, ElementType::U16, 4);
  RunOptions one = withScale(10);
  one.plan.threads = 1;
  Runner alone = runnerOf(everyKind, one, "cpu");
  Runner all = runnerOf(everyKind, withScale(10), "cpu");
  const std::vector<Image> whole = collect(alone, image);
  EXPECT_TRUE(samePixels(whole[0], collect(all, image)[0]));
  ImageSource source(image);
  const Region part{11, 7, 20, 31};
  std::vector<Image> got;
  all.run(
      source, [&](int, const std::vector<Image>& planes) { got.push_back(planes[0].clone()); }, {}, part);
  ASSERT_EQ(got.size(), 1u);
  for (int y = 0; y < part.height; ++y) {
    for (int x = 0; x < part.width; ++x)
      ASSERT_EQ(got[0].view<float>(0).at(x, y), whole[0].view<float>(0).at(part.x + x, part.y + y));
  }
}

TEST(RecipeOfMaps, NamesItsResults) {
  EXPECT_EQ(runnerOf(everyKind, withScale(10)).planes(1), (std::vector<PlaneName>{{0, "vesselness"}}));
  EXPECT_EQ(runnerOf(R"({"bank":"sobel"})").planes(1), (std::vector<PlaneName>{{0, "dx"}, {0, "dy"}}));
  EXPECT_EQ(
      runnerOf(R"({"bank":"vessel-bar:sigma=1/2,along=3,orientations=2","combine":["max:orientation"]})")
          .planes(1),
      (std::vector<PlaneName>{{0, "sigma1-max"}, {0, "sigma2-max"}}));
}

TEST(RecipeOfMaps, NeedsNoBank) {
  const Image image = integerImage(1, 20, 30, ElementType::U8, 6);
  RunOptions options;
  options.verifyReference = true;
  options.baseline = baselineHere();
  Runner runner = runnerOf(R"({"do":"linear","times":-1,"plus":255})", options);
  BankRun run;
  EXPECT_FLOAT_EQ(collect(runner, image, &run)[0].view<float>(0).at(3, 4),
                  255.0f - static_cast<float>(image.view<std::uint8_t>(0).at(3, 4)));
  EXPECT_TRUE(run.passed);
  EXPECT_TRUE(run.steps.empty());
}

/// The logarithm of what the names are tried on, 0, is not finite; of the image it is.
TEST(RecipeOfMaps, IsTriedForItsNamesAlone) {
  EXPECT_EQ(complaintOf(R"({"do":"linear","plus":1},{"do":"log"},{"do":"standardize"})"), "taken");
}

TEST(RecipeOfMaps, IsNotComparedWhereTheBaselineDoesNotTakeIt) {
  Recipe recipe = parseRecipe(withSteps(R"({"bank":"sobel","combine":["magnitude"]})"), "r");
  recipe.border.kind = BorderKind::Wrap;
  RunOptions options;
  options.baseline = baselineHere();
  if (options.baseline == nullptr) GTEST_SKIP() << "built without OpenCV";
  Runner runner = makeRunner(recipe, banksOf(recipe), options, named("cpu:direct"));
  BankRun run;
  EXPECT_EQ(collect(runner, integerImage(1, 20, 30, ElementType::U8, 6), &run).size(), 1u);
  EXPECT_FALSE(run.steps.back().baseline);
  EXPECT_THAT(run.steps.back().baselineReason, ::testing::HasSubstr("wrapping"));
}

/// The maps that a step holds before its combine count, and a 1 x 1 image has few.
TEST(RecipeOfMaps, CountsWhatItHolds) {
  std::string sigmas = "0.5";
  for (int i = 1; i < 1000; ++i) sigmas += ",0.5";
  const std::string steps = R"({"do":"dilate","sigma":[)" + sigmas + R"(],"combine":["max"]})";
  const Runner runner = runnerOf(steps);
  EXPECT_GT(runner.resultBytes(1, 100, 100), 1000 * 100 * 100 * 4);
  EXPECT_THAT(complaintOf(steps + "," + steps.substr(0, steps.find(R"(,"combine)")) + "}" + "," +
                          steps.substr(0, steps.find(R"(,"combine)")) + "}"),
              ::testing::HasSubstr("a step gives at most 4096 maps, not 1000000"));
}

TEST(RecipeOfMaps, SaysWhatIsWrong) {
  using ::testing::HasSubstr;
  EXPECT_THAT(complaintOf(R"({"do":"blur"})"),
              HasSubstr("/steps/0/do: found \"blur\", expected one of unit, "));
  EXPECT_THAT(complaintOf(R"({"do":"log","minus":1})"), HasSubstr("/steps/0/minus"));
  EXPECT_THAT(complaintOf(R"({"do":"local-rms","sigma":-3})"), HasSubstr("must lie from 1 to 200"));
  EXPECT_THAT(complaintOf(R"({"do":"log","plus":"x"})"),
              HasSubstr("/steps/0/plus: found \"x\", expected a number"));
  EXPECT_THAT(complaintOf(R"({"do":"max","takes":["image","later"]},{"name":"later","do":"abs"})"),
              HasSubstr("/steps/0/takes/1: found \"later\", expected the name of an earlier step"));
  EXPECT_THAT(complaintOf(R"({"name":"a","do":"abs"},{"name":"a","do":"abs"})"),
              HasSubstr("expected a name that no earlier step has"));
  EXPECT_THAT(complaintOf(R"({"name":"a/b","do":"abs"})"), HasSubstr("letters, digits, - and _"));
  EXPECT_THAT(complaintOf(R"({"name":"nothing"})"), HasSubstr("\"combine\" is missing"));
  EXPECT_THAT(complaintOf(R"({"bank":"sobel","combine":["argmax"]})"), HasSubstr("/steps/0/combine/0"));
  EXPECT_THAT(complaintOf(R"({"do":"sum","takes":["image"]})"),
              HasSubstr("takes 2 to 16 earlier steps, not 1"));
  EXPECT_THAT(complaintOf(R"({"bank":"sobel","combine":["max:scale"]})"), HasSubstr("no scale is known"));
  EXPECT_THAT(
      complaintOf(R"({"bank":"vessel-bar:orientations=3,along=2"},{"bank":"vessel-collinear:rho=0/1"})"),
      HasSubstr("second step: the bank sums over 2 channels and takes 3 maps"));
  EXPECT_THAT(complaintOf(R"({"do":"resample","scale":5},{"do":"restore"})"),
              HasSubstr("written for 5 pixels per degree; say how many the image has (--scale; in Python "
                        "scale=, in C pixels_per_degree)"));
  EXPECT_THAT(complaintOf(R"({"do":"resample","scale":5})", withScale(10)),
              HasSubstr("its last maps are to be restored"));
  EXPECT_THAT(complaintOf(R"({"name":"a","do":"abs"},{"do":"exp","takes":["image"]})"),
              HasSubstr("\"a\": no step takes what it gives"));
  EXPECT_THAT(
      complaintOf(R"({"name":"small","do":"resample","scale":5},{"do":"sum","takes":["small","image"]})",
                  withScale(10)),
      HasSubstr("second step: takes maps of different sizes"));
  EXPECT_THAT(complaintOf(R"({"do":"field"},{"do":"field"})"),
              HasSubstr("second step: the field of view was found before"));
  RunOptions small;
  small.memoryBudget = 1000;
  EXPECT_THAT(complaintOf(R"({"do":"abs"})", small), HasSubstr("take 1 MB at once, and 0 MB are allowed"));
}

TEST(RecipeOfMaps, OfTheAssetsAreReadAndGoTogether) {
  for (const auto& entry : std::filesystem::directory_iterator(BANKSIDE_SOURCE_DIR "/assets/recipes")) {
    const Recipe recipe = readRecipe(entry.path());
    if (!recipe.ofMaps()) continue;
    Runner runner = makeRunner(recipe, banksOf(recipe), withScale(30.6), named("cpu"));
    const std::string name = entry.path().stem().string();
    const std::size_t features = name == "laws" ? 25 : name == "mr8" || name == "ilastik" ? 8 : 1;
    EXPECT_EQ(runner.planes(1).size(), features) << entry.path();
    EXPECT_FALSE(recipe.title.empty()) << entry.path();
    EXPECT_FALSE(recipe.citation.empty()) << entry.path();
  }
}

TEST(MapRunner, TakesAFieldOfViewThatIsGiven) {
  const Image image = integerImage(1, 30, 40, ElementType::U8, 4);  // of noise, where none would be found
  Image half(1, 30, 40, ElementType::U8);
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 40; ++x) half.view<std::uint8_t>(0).at(x, y) = x < 20 ? 255 : 0;
  }
  Runner runner = runnerOf(R"({"do":"field"}, {"name":"seen","do":"mask","value":-1})");
  Image seen;
  const auto take = [&](int, const std::vector<Image>& planes) { seen = planes.front().clone(); };
  ImageSource source(image);
  runner.run(source, take, {}, {}, half);
  EXPECT_EQ(seen.view<float>(0).at(25, 3), -1);
  EXPECT_EQ(seen.view<float>(0).at(19, 3), static_cast<float>(image.view<std::uint8_t>(0).at(19, 3)));
  const Image small(1, 3, 4, ElementType::U8);
  try {
    runner.run(source, take, {}, {}, small);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("has 4 x 3 pixels, the image 40 x 30"));
  }
}

TEST(MapRunner, NamesMapsAfterTheirSteps) {
  const Runner runner = runnerOf(
      R"({"name":"smooth","bank":"gaussian"}, {"name":"edges","takes":["image"],"bank":"sobel"},
         {"name":"all","do":"gather","takes":["smooth","edges"]})");
  std::vector<std::string> labels;
  for (const PlaneName& plane : runner.planes(1)) labels.push_back(plane.label);
  EXPECT_THAT(labels, ::testing::ElementsAre("smooth", "edges-dx", "edges-dy"));
}

/// In planes of the image: those that it takes and gives, twice its own where it is an operation, and twelve
/// to work in.
TEST(RecipeOfMaps, HoldsWhatItsStepsNeedAtOnce) {
  const auto planes = [](const std::string& steps, int channels = 1) {
    return static_cast<double>(runnerOf(steps, withScale(10)).resultBytes(channels, 20, 30)) / (20 * 30 * 4);
  };
  EXPECT_EQ(planes(R"({"do":"abs"})"), 1 + 2 + 12);
  EXPECT_EQ(planes(R"({"do":"abs"})", 3), 3 + 6 + 12);
  EXPECT_EQ(planes(R"({"do":"dilate","sigma":[1,2,3]})"), 1 + 6 + 12);
  EXPECT_EQ(planes(R"({"do":"dilate","sigma":[1,2,3],"combine":["max"]})"), 1 + 6 + 12);
  EXPECT_EQ(planes(R"({"bank":"sobel"})"), 1 + 2 + 12);
  EXPECT_EQ(planes(R"({"do":"abs"},{"do":"abs"},{"do":"abs"})"), 1 + 1 + 2 + 12)
      << "the first is gone by then";
  EXPECT_EQ(planes(R"({"name":"a","do":"abs"},{"name":"b","takes":["image"],"do":"exp"},
                      {"do":"sum","takes":["a","b"]})"),
            1 + 2 + 2 + 12)
      << "both are there";
  EXPECT_EQ(planes(R"({"do":"resample","scale":5},{"do":"restore"})"), 1 + 0.25 + 2 + 12);
}

}  // namespace
}  // namespace bankside

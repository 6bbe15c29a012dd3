/// Recipes of steps as a user runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/imageio/image_io.h"
#include "core/run/recipe.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

class RecipeSteps : public ::testing::Test {
 protected:
  std::vector<std::string> filter(const std::vector<std::string>& more) const {
    std::vector<std::string> all = {"filter", picture, "--recipe", recipe, "-o", folder / "out"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// The area under the curve over the bundled phantom, whose field has about 512 pixels for 45 degrees.
  double area(const std::vector<std::string>& more) const {
    const std::string report = folder / "evaluation.json";
    std::vector<std::string> all = {"evaluate",
                                    "--images",
                                    picture,
                                    "--truth",
                                    images / "phantom_vessels.png",
                                    "--fov",
                                    images / "phantom_fov.png",
                                    "--json",
                                    report};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome run = bankside(all);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return nlohmann::json::parse(fileText(report)).at("auc").at("pooled").at("value").get<double>();
  }
  // Recipes work at 22 pixels a degree: a picture that is said to have 44 costs a sixteenth of one with 11.
  TemporaryFolder folder;
  const std::filesystem::path images = std::filesystem::path(BANKSIDE_ASSETS) / "images";
  const std::string picture = images / "phantom.png";
  const std::string recipe = std::filesystem::path(BANKSIDE_ASSETS) / "recipes" / "vessels.json";
};

TEST_F(RecipeSteps, OfTheShippedRecipeFindVesselsThatABankMisses) {
  const double steps = area({"--recipe", recipe, "--scale", "11"});
  const double bank = area({"--bank", "vessel-matched", "--combine", "max", "--channel", "green"});
  RecordProperty("steps", std::to_string(steps));
  RecordProperty("bank", std::to_string(bank));
  EXPECT_GT(steps, 0.99);
  EXPECT_LT(1 - steps, 0.5 * (1 - bank));
}

TEST_F(RecipeSteps, GiveOneMapOfTheImagesSizeAndASavedRecipeRepeatsIt) {
  const Outcome first = bankside(
      filter({"--scale", "44", "--save-recipe", folder / "saved.json", "--report", folder / "report.json"}));
  ASSERT_EQ(first.exitCode, 0) << first.err;
  EXPECT_EQ(filesIn(folder / "out"), (std::vector<std::string>{"phantom.vesselness.tiff"}));
  const Image map = readImage(folder.path() / "out" / "phantom.vesselness.tiff").image;
  EXPECT_EQ(map.width(), 512);
  EXPECT_EQ(map.type(), ElementType::F32);
  const auto report = nlohmann::json::parse(fileText(folder / "report.json"));
  EXPECT_GT(report.at("images").at(0).at("operation_us"), 0);
  const Outcome again = bankside({"filter", picture, "--recipe", folder / "saved.json", "--scale", "44",
                                  "--threads", "1", "-o", folder / "again"});
  ASSERT_EQ(again.exitCode, 0) << again.err;
  EXPECT_TRUE(samePixels(map, readImage(folder.path() / "again" / "phantom.vesselness.tiff").image));
}

TEST_F(RecipeSteps, SayWhatIsMissing) {
  const Outcome scale = bankside(filter({}));
  EXPECT_EQ(scale.exitCode, 2);
  EXPECT_THAT(scale.err, HasSubstr("written for 22 pixels per degree; say how many the image has (--scale; "
                                   "in Python scale=, in C pixels_per_degree)"));
  const Outcome bank = bankside(filter({"--scale", "11", "--bank", "sobel"}));
  EXPECT_EQ(bank.exitCode, 2);
  EXPECT_THAT(bank.err, HasSubstr("the recipe has steps of its own"));
  const Outcome memory = bankside(filter({"--scale", "11", "--memory", "8M"}));
  EXPECT_EQ(memory.exitCode, 3);
  EXPECT_THAT(
      memory.err,
      HasSubstr("MB at once, and 4 MB are allowed; give the run more (--memory, part of which is for maps"));
  EXPECT_EQ(filesIn(folder / "out"), std::vector<std::string>{});
}

/// Maps at the image's size would take more than half of that.
TEST_F(RecipeSteps, GiveTheSameBytesWhereTheImageComesInBands) {
  ASSERT_EQ(bankside(filter({"--scale", "110"})).exitCode, 0);
  const auto whole = fileText(folder.path() / "out" / "phantom.vesselness.tiff");
  const Outcome bands =
      bankside(filter({"--scale", "110", "--memory", "20M", "--force", "--report", folder / "report.json"}));
  ASSERT_EQ(bands.exitCode, 0) << bands.err;
  EXPECT_EQ(fileText(folder.path() / "out" / "phantom.vesselness.tiff"), whole);
  const auto report = nlohmann::json::parse(fileText(folder / "report.json"));
  EXPECT_GT(report.at("images").at(0).at("bands"), 1);
}

TEST_F(RecipeSteps, OfARecipeThatComesWithTheProgramAreNamed) {
  const Outcome named =
      bankside({"filter", picture, "--recipe", "vessels", "--scale", "44", "-o", folder / "named"});
  ASSERT_EQ(named.exitCode, 0) << named.err;
  ASSERT_EQ(bankside(filter({"--scale", "44"})).exitCode, 0);
  EXPECT_EQ(fileText(folder.path() / "named" / "phantom.vesselness.tiff"),
            fileText(folder.path() / "out" / "phantom.vesselness.tiff"));
  const Outcome unknown = bankside({"filter", picture, "--recipe", "vesels", "-o", folder / "named"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.err,
              HasSubstr("there is no recipe \"vesels\", and no such file; the nearest names are vessels"));
}

TEST_F(RecipeSteps, BlackAndWhiteBeginsAtTheRecipesThreshold) {
  ASSERT_EQ(bankside(filter({"--scale", "44"})).exitCode, 0);
  ASSERT_EQ(bankside(filter({"--scale", "44", "--map", "binary", "--format", "png"})).exitCode, 0);
  const Image map = readImage(folder.path() / "out" / "phantom.vesselness.tiff").image;
  const Image mask = readImage(folder.path() / "out" / "phantom.vesselness.png").image;
  const double threshold = readRecipe(recipe).threshold.value();
  ASSERT_EQ(mask.type(), ElementType::U8);
  int vessel = 0;
  for (int y = 0; y < map.height(); ++y) {
    for (int x = 0; x < map.width(); ++x) {
      const bool high = map.view<float>(0).at(x, y) >= static_cast<float>(threshold);
      ASSERT_EQ(mask.view<std::uint8_t>(0).at(x, y), high ? 255 : 0);
      vessel += high ? 1 : 0;
    }
  }
  EXPECT_GT(vessel, 1000);
  const Outcome given = bankside(
      filter({"--scale", "44", "--map", "binary", "--format", "png", "--threshold", "1e30", "--force"}));
  ASSERT_EQ(given.exitCode, 0) << given.err;
  const Image none = readImage(folder.path() / "out" / "phantom.vesselness.png").image;
  for (int y = 0; y < none.height(); ++y)
    for (int x = 0; x < none.width(); ++x) ASSERT_EQ(none.view<std::uint8_t>(0).at(x, y), 0);
  const Outcome without =
      bankside({"filter", picture, "--bank", "sobel", "--map", "binary", "-o", folder / "no"});
  EXPECT_EQ(without.exitCode, 2);
  EXPECT_THAT(without.err, HasSubstr("--map binary wants a threshold"));
}

TEST_F(RecipeSteps, TakeEachImagesScaleFromATable) {
  const std::string pictures = folder / "pictures";
  std::filesystem::create_directory(pictures);
  for (const char* name : {"a.png", "b.png", "c.png"})
    std::filesystem::copy(picture, folder.path() / "pictures" / name);
  const std::string table = folder / "scales.csv";
  std::ofstream(table) << "image,pixels_per_degree\nc.png,44\nscans/a.png,44\nb.png,60\n";
  const auto run = [&](const std::string& scale, const std::string& output) {
    return bankside({"filter", pictures, "--recipe", recipe, "--scale", scale, "-o", folder / output});
  };
  const Outcome both = run(table, "both");
  ASSERT_EQ(both.exitCode, 0) << both.err;
  ASSERT_EQ(run("44", "44").exitCode, 0);
  ASSERT_EQ(run("60", "60").exitCode, 0);
  for (const auto& [image, scale] : {std::pair{"a", "44"}, {"b", "60"}, {"c", "44"}}) {
    const std::string file = std::string(image) + ".vesselness.tiff";
    EXPECT_EQ(fileText(folder.path() / "both" / file), fileText(folder.path() / scale / file)) << image;
  }
  EXPECT_NE(fileText(folder.path() / "44" / "b.vesselness.tiff"),
            fileText(folder.path() / "60" / "b.vesselness.tiff"));
  std::ofstream(table) << "file;pixels_per_degree\nphantom.png;44\n";
  EXPECT_EQ(area({"--recipe", recipe, "--scale", table}), area({"--recipe", recipe, "--scale", "44"}));
  const Outcome missing = run(table, "no");
  EXPECT_EQ(missing.exitCode, 2);
  EXPECT_THAT(missing.err, HasSubstr("scales.csv: has no line for a.png"));
  std::ofstream(table) << "image,pixels_per_degree\na.png,wide\n";
  EXPECT_THAT(run(table, "no").err, HasSubstr("scales.csv:2: \"wide\" is no number of pixels per degree"));
  EXPECT_THAT(run("0", "no").err, HasSubstr("Value 0 not in range"));
}

TEST_F(RecipeSteps, TakeTheWidthOfTheWidestVesselsForAScale) {
  const double expected = area({"--recipe", recipe, "--scale", "44"});
  EXPECT_EQ(area({"--recipe", recipe, "--scale", "width:18.92"}), expected);  // 44 times 0.43
  const std::string table = folder / "widths.csv";
  std::ofstream(table) << "image,vessel_width\nphantom.png,18.92\n";
  EXPECT_EQ(area({"--recipe", recipe, "--scale", table}), expected);
  const auto refused = [&](const std::string& scale) {
    const Outcome outcome = bankside(filter({"--scale", scale}));
    EXPECT_EQ(outcome.exitCode, 2) << scale;
    return outcome.err;
  };
  EXPECT_THAT(refused("width:wide"), HasSubstr("\"width:wide\" is no width in pixels, as width:13"));
  EXPECT_THAT(refused("width:"), HasSubstr("is no width in pixels"));
  EXPECT_THAT(refused("width:0"), HasSubstr("Value width:0 makes 0 pixels per degree, not in range"));
  EXPECT_THAT(refused("nan"), HasSubstr("not in range"));
  const Outcome batch = bankside({"batch", "plan", folder.path(), folder / "out", "--manifest",
                                  folder / "m.jsonl", "--recipe", recipe, "--scale", "wide"});
  EXPECT_EQ(batch.exitCode, 2);
  EXPECT_THAT(batch.err, HasSubstr("\"wide\" is neither a number nor a width, as width:13"));
}

TEST_F(RecipeSteps, LookAtTheFieldThatIsGiven) {
  const std::string masks = folder / "masks";
  std::filesystem::create_directory(masks);
  std::filesystem::copy(images / "phantom_fov.png", folder.path() / "masks" / "phantom-mask.png");
  const Outcome given = bankside(filter({"--scale", "44", "--field", masks}));
  ASSERT_EQ(given.exitCode, 0) << given.err;
  const Image map = readImage(folder.path() / "out" / "phantom.vesselness.tiff").image;
  const Image mask = readImage(images / "phantom_fov.png").image;
  int wrong = 0;
  for (int y = 0; y < map.height(); ++y) {
    for (int x = 0; x < map.width(); ++x) {
      const bool outside = mask.view<std::uint8_t>(0).at(x, y) == 0;
      wrong += outside && map.view<float>(0).at(x, y) != 0 ? 1 : 0;  // the recipe ends with `mask`
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(area({"--recipe", "vessels", "--scale", "11", "--field", masks}), 0.99);
  std::filesystem::copy(images / "grain.png", folder.path() / "masks" / "grain.png");
  EXPECT_THAT(bankside({"filter", images / "retina.jpg", "--recipe", recipe, "--scale", "30", "--field",
                        masks, "-o", folder / "no"})
                  .err,
              HasSubstr("--field has no file whose name begins with \"retina\""));
  const Outcome banks =
      bankside({"filter", picture, "--bank", "sobel", "--field", masks, "-o", folder / "no"});
  EXPECT_EQ(banks.exitCode, 2);
  EXPECT_THAT(banks.err, HasSubstr("--field is for recipes of steps"));
}

}  // namespace
}  // namespace bankside::testing

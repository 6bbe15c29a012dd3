/// `bankside banks` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/imageio/atomic_file.h"
#include "core/imageio/image_io.h"
#include "core/run/shipped_recipes.h"
#include "filters/catalog.h"
#include "kernels/engines.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path bundled = std::filesystem::path(BANKSIDE_ASSETS) / "images";

TEST(Banks, SayWhichRecipeTheyBelongTo) {
  const Outcome list = bankside({"banks", "list"});
  for (const CatalogEntry& entry : catalog()) {
    if (entry.recipe.empty()) {
      EXPECT_NE(entry.family, "vessel") << entry.name;
      continue;
    }
    ASSERT_TRUE(isShippedRecipe(entry.recipe)) << entry.name;
    bool used = false;
    const Recipe recipe = openRecipe(entry.recipe);
    for (const RecipeStep& step : recipe.steps)
      used = used || step.bank == entry.name || step.bank.starts_with(entry.name + ":");
    EXPECT_TRUE(used) << entry.name << " is not in " << entry.recipe;
  }
  for (const std::string& name : shippedRecipes()) EXPECT_THAT(list.out, HasSubstr("\n" + name));
  EXPECT_THAT(bankside({"banks", "show", "vessel-bar"}).out, HasSubstr("belongs to --recipe vessels"));
}

TEST(Banks, AreDrawnAndGiveNumbersWhenAsked) {
  const Outcome picture = bankside({"banks", "show", "vessel-matched:orientations=2"});
  EXPECT_THAT(picture.out, HasSubstr("theta000       theta090"));
  EXPECT_THAT(picture.out, HasSubstr("\u2588\u2588\u2588"));
  EXPECT_THAT(picture.out, Not(HasSubstr("\x1b"))) << "no colours where nobody looks";
  const Outcome numbers = bankside({"banks", "show", "sobel", "--taps"});
  EXPECT_THAT(numbers.out, HasSubstr("-2 [0]   2"));
  EXPECT_THAT(numbers.out, Not(HasSubstr("\u2588")));
  // Channels side by side, each smaller than the bank is wide.
  EXPECT_THAT(bankside({"banks", "show", "vessel-collinear"}).out, HasSubstr("theta000 /4"));
}

TEST(Banks, AreAnalyzed) {
  const TemporaryFolder folder;
  const std::string file = folder / "sobel.json";
  const Outcome run = bankside(
      {"banks", "analyze", "sobel", "--json", file, "--image", bundled / "grain.png", "--at", "7,7"});
  ASSERT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("2 filters span 2 dimensions"));
  EXPECT_THAT(run.out, HasSubstr("At pixel 7,7:"));
  const auto json = nlohmann::json::parse(fileText(file));
  EXPECT_EQ(json.at("bankside"), "bank-analysis");
  EXPECT_EQ(json.at("filters").at(0).at("rank"), 1);
  EXPECT_EQ(json.at("filters").at(1).at("frequency_response").at("degrees"), 90);
  EXPECT_EQ(json.at("filters").at(0).at("frequency_response").at("magnitudes").size(), 17u);
  EXPECT_EQ(json.at("redundancy").at("rank"), 2);
  EXPECT_EQ(json.at("answers").at("values").size(), 2u);
  // At the corner the border and the convention decide.
  const auto atCorner = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "banks", "analyze", "sobel", "--json", file, "--image", bundled / "grain.png", "--at", "0,9"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(bankside(words).exitCode, 0);
    return Json::parse(fileText(file))["answers"];
  };
  const Json usual = atCorner({});
  EXPECT_EQ(usual["border"], "reflect101");
  EXPECT_EQ(usual["values"][0], 0) << "what is left of the edge mirrors what is right of it";
  const Json constant = atCorner({"--border", "constant=3"});
  EXPECT_EQ(constant["border"], "constant=3");
  EXPECT_NE(constant["values"][0], 0);
  const Json turned = atCorner({"--border", "constant=3", "--mode", "convolution"});
  EXPECT_EQ(turned["mode"], "convolution");
  EXPECT_EQ(turned["values"][0].get<double>(), -constant["values"][0].get<double>());
  EXPECT_EQ(bankside({"banks", "analyze", "sobel", "--at", "1,2"}).exitCode, 2);
  EXPECT_EQ(bankside({"banks", "analyze", "sobel", "--image", bundled / "grain.png", "--at", "x"}).exitCode,
            2);
  EXPECT_THAT(bankside({"banks", "analyze", "sobel", "--image", bundled / "grain.png", "--at", "256,0"}).err,
              HasSubstr("none at 256,0"));
}

TEST(Banks, GoToOtherProgramsAndBack) {
  const TemporaryFolder folder;
  const std::string kernel = folder / "a.kernel";
  const Outcome run = bankside({"banks", "export", "sobel", kernel});
  ASSERT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("turned by 180 degrees"));
  const std::string back = folder / "back.yml";
  ASSERT_EQ(bankside({"banks", "export", kernel, back}).exitCode, 0);
  EXPECT_EQ(makeBank("sobel")[0].taps, loadBank(back)[0].taps);
  const Outcome several = bankside({"banks", "export", "sobel", folder / "a.mat"});
  EXPECT_EQ(several.exitCode, 2);
  EXPECT_THAT(several.err, HasSubstr("choose one with --filter"));
  EXPECT_EQ(bankside({"banks", "export", "sobel", folder / "a.mat", "--filter", "dy"}).exitCode, 0);
  EXPECT_EQ(fileText(folder / "a.mat"), "3 3 1 0\n-1 -2 -1\n0 0 0\n1 2 1\n");
  EXPECT_THAT(bankside({"banks", "export", "sobel", folder / "b.mat", "--filter", "dz"}).err,
              HasSubstr("it has dx and dy"));
  EXPECT_THAT(bankside({"banks", "export", "sobel", folder / "a.bin"}).err, HasSubstr("give --format"));
  EXPECT_EQ(bankside({"banks", "export", "sobel", folder / "a.bin", "--format", "onnx"}).exitCode, 2);
  EXPECT_THAT(bankside({"banks", "formats"}).out, HasSubstr("imagemagick  .kernel"));
  EXPECT_THAT(bankside({"banks", "show", "imagemagick:3x1: 1,2,z"}).err, HasSubstr(":1:10: found \"z\""));
}

TEST(Banks, TellAnotherProgramsConvention) {
  const TemporaryFolder folder;
  const std::string grain = bundled / "grain.png";
  ASSERT_EQ(bankside({"filter", grain, "--bank", "sobel", "--mode", "convolution", "--border", "replicate",
                      "--format", "png", "--map", "clip", "-o", folder / "theirs"})
                .exitCode,
            0);
  const std::string theirs = folder.path() / "theirs" / "grain.dx.png";
  const Outcome found =
      bankside({"banks", "detect", "--input", grain, "--output", theirs, "--bank", "sobel"});
  EXPECT_EQ(found.exitCode, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("reproduced, every pixel"));
  EXPECT_THAT(found.out, ContainsRegex("dx +convolution +1,1 +replicate +taps as they are +rounded"));
  EXPECT_THAT(found.out, Not(HasSubstr(" correlation ")));
  EXPECT_THAT(found.out, Not(HasSubstr("plus")));
  const Outcome lost =
      bankside({"banks", "detect", "--input", grain, "--output", theirs, "--bank", "prewitt"});
  EXPECT_EQ(lost.exitCode, 4);
  EXPECT_THAT(lost.out, HasSubstr("no convention gives this result"));
  const Outcome size =
      bankside({"banks", "detect", "--input", grain, "--output", bundled / "phantom.png", "--bank", "sobel"});
  EXPECT_EQ(size.exitCode, 2);
  EXPECT_THAT(size.err, HasSubstr("the input has 256 x 256 pixels and the output 512 x 512"));
}

/// A photograph has colours, what came of its green ones has not.
TEST(Banks, TellWhatWasMadeOfOneColour) {
  const TemporaryFolder folder;
  const std::string photograph = bundled / "phantom.png";
  ASSERT_EQ(bankside({"filter", photograph, "--bank", "sobel", "--channel", "green", "--border", "replicate",
                      "-o", folder / "theirs"})
                .exitCode,
            0);
  const Outcome found =
      bankside({"banks", "detect", "--input", photograph, "--output",
                folder.path() / "theirs" / "phantom.dx.tiff", "--bank", "sobel", "--channel", "green"});
  EXPECT_EQ(found.exitCode, 0) << found.err;
  EXPECT_THAT(found.out, ContainsRegex("dx +correlation +1,1 +replicate +taps as they are +as it is"));
}

/// What a program writes that divides by the sum, uses the other middle of an even filter, and keeps floats.
TEST(Banks, TellAnchorsAndFactorsOfFloats) {
  const TemporaryFolder folder;
  const std::string grain = bundled / "grain.png";
  const std::string shifted = folder / "shifted.kernel";
  writeFileAtomically(shifted,
                      "2x2+0+0: 1,2 3,6");  // as their program slides it: the anchor at the other corner
  ASSERT_EQ(
      bankside({"filter", grain, "--bank", shifted, "--border", "wrap", "-o", folder / "theirs"}).exitCode,
      0);
  const Outcome found =
      bankside({"banks", "detect", "--input", grain, "--output",
                folder.path() / "theirs" / "grain.filter0.tiff", "--bank", "imagemagick:2x2+1+1: 1,2 3,6"});
  EXPECT_EQ(found.exitCode, 0) << found.out;
  EXPECT_THAT(found.out, ContainsRegex("filter0 +convolution +0,0 +wrap +taps as they are +as it is"));
}

/// As a matrix of libvips has it, or a program that shows edges around grey.
TEST(Banks, TellAnOffset) {
  const TemporaryFolder folder;
  const std::string grain = bundled / "grain.png";
  const Image image = readImage(grain).image;
  const FilterBank bank = makeBank("sobel");
  const ConvolutionProblem problem =
      makeProblem(bank, 1, image.height(), image.width(), image.type(), ElementType::F32, {}, Combine::None);
  const Image response = std::move(runWhole(selectEngine("cpu", problem), problem, bank, image).front());
  const auto detected = [&](const char* name, ElementType type, const auto& pixelOf) {
    Image theirs(1, image.height(), image.width(), type);
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        const float value = response.view<float>(0).at(x, y);
        if (type == ElementType::U8)
          theirs.view<std::uint8_t>(0).row(y)[x] = static_cast<std::uint8_t>(pixelOf(value));
        else
          theirs.view<float>(0).row(y)[x] = static_cast<float>(pixelOf(value));
      }
    }
    writeImage(folder / name, theirs, type == ElementType::U8 ? FileFormat::Png : FileFormat::Tiff);
    const Outcome found = bankside({"banks", "detect", "--input", grain, "--output", folder / name, "--bank",
                                    "sobel", "--filter", "dx"});
    EXPECT_EQ(found.exitCode, 0) << found.out << found.err;
    return found.out;
  };
  EXPECT_THAT(
      detected("grey.png", ElementType::U8,
               [](float v) { return std::clamp(std::round(v / 8 + 128), 0.0f, 255.0f); }),
      ContainsRegex("dx +correlation +1,1 +reflect101 +over the sum of the taps' magnitudes, plus 128 "
                    "+rounded and clipped"));
  EXPECT_THAT(detected("cut.png", ElementType::U8,
                       [](float v) { return std::clamp(std::floor(v / 8 + 100), 0.0f, 255.0f); }),
              ContainsRegex("magnitudes, plus 100 +cut off to whole numbers"));
  EXPECT_THAT(detected("float.tif", ElementType::F32, [](float v) { return v - 32.5f; }),
              ContainsRegex("taps as they are, minus 32.5 +as it is"));
}

}  // namespace
}  // namespace bankside::testing

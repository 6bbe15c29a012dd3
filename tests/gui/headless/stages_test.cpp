/// `bankside filter` and `compare` with two banks in a row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/imageio/image_io.h"
#include "filters/bank_json.h"
#include "filters/catalog.h"
#include "kernels/engines.h"
#include "tests/core/imageio/image_files.h"
#include "tests/gui/headless/program.h"
#include "tests/support/grain.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TwoStages : public ::testing::Test {
 protected:
  TwoStages() {
    writeImage(folder / "grey.png", integerImage(1, 40, 50, ElementType::U8), FileFormat::Png);
    writeText("across.json", writeBankJson(integerBank(2, 4, 3, 3)));
    input = folder / "grey.png";
    output = folder / "out";
  }
  void writeText(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  std::vector<std::string> words(const std::vector<std::string>& more) const {
    std::vector<std::string> all = {"filter", input, "-o", output};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// A bank of four 3 x 3 filters of whole numbers, as a file.
  std::string four() {
    writeText("four.json", writeBankJson(integerBank(4, 1, 3, 3, 5)));
    return folder / "four.json";
  }
  TemporaryFolder folder;
  std::string input;
  std::string output;
};

TEST_F(TwoStages, TheSecondBankSumsOverTheMaps) {
  const std::string report = folder / "report.json";
  const Outcome run =
      bankside(words({"--bank", four(), "--activation", "abs", "--then", folder / "across.json", "--engine",
                      "cpu:direct", "--verify", "reference", "--report", report}));
  EXPECT_EQ(run.exitCode, 0) << run.err;
  const FilterBank first = integerBank(4, 1, 3, 3, 5);
  const FilterBank second = integerBank(2, 4, 3, 3);
  const Image image = readImage(input).image;
  const Engine& reference = *findEngine("reference");
  const auto maps =
      runWhole(reference, makeProblem(first, 1, 40, 50, ElementType::U8, ElementType::F32, {}, Combine::None),
               first, image);
  Image seen(4, 40, 50, ElementType::F32);
  for (int c = 0; c < 4; ++c) {
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 50; ++x)
        seen.view<float>(c).at(x, y) = std::abs(maps[static_cast<std::size_t>(c)].view<float>(0).at(x, y));
    }
  }
  const auto expected = runWhole(
      reference, makeProblem(second, 4, 40, 50, ElementType::F32, ElementType::F32, {}, Combine::None),
      second, seen);
  ASSERT_EQ(filesIn(output).size(), 2u);
  for (int f = 0; f < 2; ++f) {
    const Image got = readImage(std::filesystem::path(output) / ("grey." + second[f].label + ".tiff")).image;
    EXPECT_TRUE(samePixels(got, expected[static_cast<std::size_t>(f)])) << f;
  }
  const auto json = nlohmann::json::parse(fileText(report));
  EXPECT_EQ(json["banks"].size(), 2u);
  const auto steps = json["images"][0]["steps"];
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0]["stage"], 1);
  EXPECT_EQ(steps[1]["stage"], 2);
  EXPECT_EQ(steps[1]["problem"], "c4h40w50-f2k3-reflect101-f32:f32-none");
  EXPECT_EQ(steps[1]["reference"]["max_abs_error"], 0.0);
  EXPECT_EQ(json["recipe"]["stages"][0]["activation"], "abs");
}

TEST_F(TwoStages, ABankOfOneChannelIsAppliedToEveryMap) {
  EXPECT_EQ(bankside(words({"--bank", "sobel", "--activation", "square", "--then", "box", "--format", "npy"}))
                .exitCode,
            0);
  const std::string a = loadBank("sobel")[0].label;
  const std::string b = loadBank("sobel")[1].label;
  const std::string box = loadBank("box")[0].label;
  EXPECT_THAT(filesIn(output),
              ElementsAre("grey." + a + "." + box + ".npy", "grey." + b + "." + box + ".npy"));
}

TEST_F(TwoStages, WeightsFromNumPyAreTheSameBank) {
  const FilterBank second = integerBank(2, 4, 3, 3);
  std::string npy("\x93NUMPY\x01\x00", 8);
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4, 3, 3), }";
  header += std::string(117 - header.size(), ' ') + "\n";
  npy += static_cast<char>(header.size());
  npy += '\0';
  npy += header;
  for (const Filter& f : second.filters())
    npy.append(reinterpret_cast<const char*>(f.taps.data()), f.taps.size() * sizeof(float));
  writeText("across.npy", npy);
  const std::vector<std::string> chain = {"--bank",         four(), "--activation",   "relu",
                                          "--then-combine", "max",  "--no-responses", "--then"};
  for (const std::string file : {"across.json", "across.npy"}) {
    std::vector<std::string> all = {"filter", input, "-o", folder / ("out-" + file)};
    all.insert(all.end(), chain.begin(), chain.end());
    all.push_back(folder / file);
    const Outcome run = bankside(all);
    EXPECT_EQ(run.exitCode, 0) << run.err;
  }
  EXPECT_EQ(fileText(folder / "out-across.json" / "grey.max.tiff"),
            fileText(folder / "out-across.npy" / "grey.max.tiff"));
  writeText("cut.npy", npy.substr(0, npy.size() - 1));
  const Outcome cut = bankside(words({"--bank", four(), "--then", folder / "cut.npy"}));
  EXPECT_EQ(cut.exitCode, 2);
  EXPECT_THAT(cut.err, HasSubstr("cut.npy: is cut short: its header promises 72 taps, the file has 71"));
  const Outcome misfit = bankside(words({"--bank", "kirsch", "--then", folder / "across.npy"}));
  EXPECT_EQ(misfit.exitCode, 2);
  EXPECT_THAT(misfit.err, HasSubstr("sums over 4 channels and the first gives 8 maps"));
}

TEST_F(TwoStages, ARecipeRepeatsTheRunByteForByte) {
  const std::string recipe = folder / "recipe.json";
  const std::string again = folder / "again";
  EXPECT_EQ(bankside(words({"--bank",
                            "vessel-matched:sigma=1.5",
                            "--mode",
                            "convolution",
                            "--combine",
                            "absmax",
                            "--activation",
                            "relu",
                            "--then",
                            "kirsch",
                            "--then-mode",
                            "convolution",
                            "--then-combine",
                            "argmax",
                            "--no-responses",
                            "--border",
                            "wrap",
                            "--save-recipe",
                            recipe,
                            "--threads",
                            "1"}))
                .exitCode,
            0);
  EXPECT_EQ(bankside({"filter", input, "--recipe", recipe, "-o", again, "--memory", "64K"}).exitCode, 0);
  EXPECT_THAT(filesIn(output), ElementsAre("grey.argmax-index.tiff", "grey.argmax.tiff"));
  for (const std::string& name : filesIn(output)) {
    EXPECT_EQ(fileText(std::filesystem::path(output) / name), fileText(std::filesystem::path(again) / name))
        << name << ", in bands";
  }
  const std::string other = folder / "other";
  EXPECT_EQ(bankside({"filter", input, "--recipe", recipe, "--then", "sobel", "-o", other}).exitCode, 0);
  EXPECT_NE(fileText(std::filesystem::path(output) / "grey.argmax.tiff"),
            fileText(std::filesystem::path(other) / "grey.argmax.tiff"))
      << "an option beside the recipe overrides it";
}

TEST_F(TwoStages, ErrorsAreOneSentence) {
  const auto refused = [&](const std::vector<std::string>& more, const std::string& sentence) {
    const Outcome run = bankside(words(more));
    EXPECT_EQ(run.exitCode, 2) << sentence;
    EXPECT_THAT(run.err, HasSubstr(sentence));
    EXPECT_FALSE(std::filesystem::exists(output));
  };
  refused({"--bank", "kirsch", "--then", folder / "across.json"},
          "the second bank sums over 4 channels and the first gives 8 maps; it takes filters of 8 channels, "
          "or of one channel, which are applied to every map");
  refused({"--bank", "sobel", "--activation", "abs"}, "give the second with --then");
  refused({"--bank", "sobel", "--then-combine", "max"}, "give it with --then");
  refused({"--bank", "sobel", "--then", "sobl"}, "sobel");
  refused({"--bank", "sobel", "--then", "box", "--combine", "argmax"}, "argmax");
  refused({"--bank", "sobel", "--then", "box", "--activation", "tanh"}, "is none of none, abs, relu, square");
  // An image of four planes would give four maps, so this is each image's affair.
  const Outcome run =
      bankside(words({"--bank", four(), "--combine", "max", "--then", folder / "across.json"}));
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_THAT(run.err, HasSubstr("sums over 4 channels and the first gives 1 map;"));
}

TEST_F(TwoStages, CompareTimesTheWholeChain) {
  const std::string json = folder / "compare.json";
  const Outcome run = bankside({"compare",        input,  "--bank",    four(),
                                "--activation",   "relu", "--then",    folder / "across.json",
                                "--then-combine", "max",  "--engines", "cpu:direct,opencv",
                                "--threads",      "1",    "--rounds",  "6",
                                "--seconds",      "0",    "--json",    json});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  const auto report = nlohmann::json::parse(fileText(json));
  EXPECT_THAT(report["problems"].get<std::vector<std::string>>(),
              ElementsAre("c1h40w50-f4k3-reflect101-u8:f32-none", "c4h40w50-f2k3-reflect101-f32:f32-max"));
  EXPECT_EQ(report["rows"][0]["disposition"], "PASSED");
  EXPECT_THAT(report["rows"][0]["command"].get<std::string>(), HasSubstr("--activation relu --then "));
}

TEST_F(TwoStages, ColoursAndPagesAreChannels) {
  const Image image = integerImage(3, 20, 30, ElementType::U8);
  const FilterBank bank = integerBank(2, 3, 3, 3);
  writeText("three.json", writeBankJson(bank));
  const auto problem = makeProblem(bank, 3, 20, 30, ElementType::U8, ElementType::F32, {}, Combine::None);
  const auto expected = runWhole(*findEngine("reference"), problem, bank, image);
  Image colours = image.clone();
  colours.setChannelNames({"red", "green", "blue"});
  writeImage(folder / "colours.png", colours, FileFormat::Png);
  for (int c = 0; c < 3; ++c) {
    writeTiff(
        folder / "pages.tiff", {.width = 30, .height = 20},
        [&](int, int y, int x) { return std::uint64_t{image.view<std::uint8_t>(c).at(x, y)}; },
        c == 0 ? "w" : "a");
  }
  const std::string report = folder / "report.json";
  EXPECT_EQ(
      bankside({"filter", folder / "colours.png", "--bank", folder / "three.json", "-o", output}).exitCode,
      0);
  const Outcome run =
      bankside({"filter", folder / "pages.tiff", "--bank", folder / "three.json", "--channel", "pages", "-o",
                output, "--report", report, "--save-recipe", folder / "r.json"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  for (const std::string name : {"colours", "pages"}) {
    for (int f = 0; f < 2; ++f) {
      const Image got =
          readImage(std::filesystem::path(output) / (name + "." + bank[f].label + ".tiff")).image;
      EXPECT_TRUE(samePixels(got, expected[static_cast<std::size_t>(f)])) << name << f;
    }
  }
  EXPECT_EQ(nlohmann::json::parse(fileText(report))["images"][0]["shape"], "3 x 20 x 30 u8");
  const std::string again = folder / "again";
  EXPECT_EQ(bankside({"filter", folder / "pages.tiff", "--recipe", folder / "r.json", "-o", again, "--memory",
                      "4K"})
                .exitCode,
            0);
  EXPECT_THAT(filesIn(again), ::testing::SizeIs(2));
  for (const std::string& name : filesIn(again))
    EXPECT_EQ(fileText(std::filesystem::path(output) / name), fileText(std::filesystem::path(again) / name));
  EXPECT_EQ(bankside({"compare", folder / "pages.tiff", "--bank", folder / "three.json", "--channel", "pages",
                      "--threads", "1", "--rounds", "6", "--seconds", "0"})
                .exitCode,
            0);

  const Outcome few = bankside({"filter", folder / "pages.tiff", "--bank", folder / "across.json",
                                "--channel", "pages", "-o", folder / "few"});
  EXPECT_EQ(few.exitCode, 3);
  EXPECT_THAT(few.err, HasSubstr("the bank sums over 4 channels and the choice \"pages\" gives 3"));
  EXPECT_EQ(bankside({"filter", folder / "pages.tiff", "--bank", "sobel", "--channel", "pages", "--page", "2",
                      "-o", output})
                .exitCode,
            2);
}

TEST_F(TwoStages, TheLargestValueOfAllPagesIsOneImage) {
  const Image image = integerImage(3, 20, 30, ElementType::U8);
  Image largest(1, 20, 30, ElementType::U8);
  for (int c = 0; c < 3; ++c) {
    const auto page = image.view<std::uint8_t>(c);
    const auto most = largest.view<std::uint8_t>(0);
    for (int y = 0; y < 20; ++y) {
      for (int x = 0; x < 30; ++x)
        most.at(x, y) = std::max(c == 0 ? std::uint8_t{0} : most.at(x, y), page.at(x, y));
    }
    writeTiff(
        folder / "pages.tiff", {.width = 30, .height = 20},
        [&](int, int y, int x) { return std::uint64_t{page.at(x, y)}; }, c == 0 ? "w" : "a");
  }
  std::filesystem::create_directory(folder / "one");
  writeImage(folder / "one" / "pages.tiff", largest, FileFormat::Tiff);
  const std::string expected = folder / "expected";
  EXPECT_EQ(bankside({"filter", folder / "one" / "pages.tiff", "--bank", "sobel", "-o", expected}).exitCode,
            0);
  for (const std::string memory : {"1G", "4K"}) {
    const std::string got = folder / memory;
    const Outcome run =
        bankside({"filter", folder / "pages.tiff", "--bank", "sobel", "--channel", "pages-max", "--memory",
                  memory, "-o", got, "--save-recipe", folder / "r.json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    ASSERT_EQ(filesIn(got), filesIn(expected));
    for (const std::string& name : filesIn(got))
      EXPECT_EQ(fileText(std::filesystem::path(got) / name),
                fileText(std::filesystem::path(expected) / name));
  }
  EXPECT_THAT(fileText(folder / "r.json"), HasSubstr("pages-max"));
  EXPECT_EQ(bankside({"filter", folder / "pages.tiff", "--bank", "sobel", "--channel", "pages-max", "--page",
                      "2", "-o", output})
                .exitCode,
            2);
}

/// Why one wants two banks: the figures of decision 0018.
TEST_F(TwoStages, TheGrainRecipeSeesWhatNoLinearFilterSees) {
  const std::filesystem::path assets = BANKSIDE_ASSETS;
  const std::string picture = assets / "images" / "grain.png";
  const Grain grain = makeGrain();
  EXPECT_TRUE(samePixels(readImage(picture).image, grain.picture));
  EXPECT_TRUE(samePixels(readImage(assets / "images" / "grain_truth.png").image, grain.truth));
  const auto area = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {"filter",  picture, "--recipe", assets / "recipes" / "grain.json",
                                    "--force", "-o",    output};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome run = bankside(all);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return areaUnderRoc(readImage(std::filesystem::path(output) / "grain.dx.gaussian.tiff").image,
                        grain.truth);
  };
  const double rectified = area({"--verify", "reference"});
  const double linear = area({"--activation", "none"});
  RecordProperty("rectified", std::to_string(rectified));
  RecordProperty("linear", std::to_string(linear));
  EXPECT_GT(rectified, 0.999);
  EXPECT_NEAR(linear, 0.5, 0.06);
  EXPECT_NEAR(areaUnderRoc(convert(grain.picture, ElementType::F32), grain.truth), 0.5, 0.02);
}

}  // namespace
}  // namespace bankside::testing

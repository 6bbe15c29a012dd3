#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/imageio/image_io.h"
#include "core/run/runner.h"
#include "filters/catalog.h"
#include "kernels/engines.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A folder with a grey 8-bit picture, "grey.png", and a place for results.
class Filter : public ::testing::Test {
 protected:
  Filter() {
    writeImage(folder / "grey.png", integerImage(1, 40, 50, ElementType::U8), FileFormat::Png);
    input = folder / "grey.png";
    output = folder / "out";
  }
  TemporaryFolder folder;
  std::string input;
  std::string output;
};

TEST_F(Filter, WritesEveryResponseAndTheCombinedMapAsFloat) {
  const Outcome run = bankside({"filter", input, "--bank", "sobel", "--combine", "magnitude", "-o", output});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  const FilterBank bank = loadBank("sobel");
  std::vector<std::string> expected = {"grey.magnitude.tiff"};
  for (const auto& f : bank.filters()) expected.push_back("grey." + f.label + ".tiff");
  EXPECT_THAT(filesIn(output), ::testing::UnorderedElementsAreArray(expected));

  const Image image = readImage(input).image;
  const auto problem = makeProblem(bank, 1, 40, 50, ElementType::U8, ElementType::F32, {}, Combine::None);
  const auto exact = runWhole(*findEngine("reference"), problem, bank, image);
  for (int f = 0; f < bank.size(); ++f) {
    const Image response =
        readImage(std::filesystem::path(output) / ("grey." + bank[f].label + ".tiff")).image;
    EXPECT_TRUE(samePixels(response, exact[static_cast<std::size_t>(f)])) << bank[f].label;
  }
}

TEST_F(Filter, OptionsReachTheResult) {
  const auto pixels = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"filter",         input, "--bank", "kirsch", "--combine", "max",
                                      "--no-responses", "-o",  output,   "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return readImage(std::filesystem::path(output) / "grey.max.tiff").image;
  };
  const Image plain = pixels({});
  EXPECT_FALSE(samePixels(plain, pixels({"--border", "constant=200"})));
  EXPECT_FALSE(samePixels(plain, pixels({"--border", "wrap"})));
  EXPECT_TRUE(samePixels(plain, pixels({"--engine", "reference"})));
  EXPECT_TRUE(samePixels(plain, pixels({"--threads", "1", "--memory", "4K"})))
      << "bands and threads change no byte";
  EXPECT_EQ(filesIn(output), std::vector<std::string>{"grey.max.tiff"});
}

TEST_F(Filter, LosesOnlyWhatItIsAskedToAndCountsIt) {
  const Outcome refused = bankside({"filter", input, "--bank", "laplacian", "--format", "png", "-o", output});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.err, HasSubstr("PNG cannot hold float32"));
  EXPECT_FALSE(std::filesystem::exists(output));
  const std::string report = folder / "report.json";
  const Outcome run = bankside({"filter", input, "--bank", "laplacian", "--format", "png", "--map", "clip",
                                "--report", report, "-o", output});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  const auto json = nlohmann::json::parse(fileText(report));
  EXPECT_GT(json["images"][0]["clipped_values"].get<int>(), 0);
  EXPECT_THAT(run.out, HasSubstr("values clipped"));
}

TEST_F(Filter, ABadFileIsNamedAndTheRestGoesOn) {
  std::ofstream(folder / "broken.png") << "not a picture at all";
  writeImage(folder / "more.tiff", integerImage(1, 5, 5, ElementType::U16), FileFormat::Tiff);
  const std::string report = folder / "report.json";
  const Outcome run = bankside(
      {"filter", folder.path(), "no-such-file.png", "--bank", "sobel", "-o", output, "--report", report});
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_THAT(run.err, HasSubstr("broken.png"));
  EXPECT_THAT(run.err, HasSubstr("no-such-file.png: there is no such file or folder"));
  EXPECT_THAT(run.err, HasSubstr("2 of 4 images failed"));
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(output) / "more.sobel-x.tiff") ||
              filesIn(output).size() >= 2);
  const auto json = nlohmann::json::parse(fileText(report));
  int failed = 0;
  for (const auto& image : json["images"]) failed += image["ok"].get<bool>() ? 0 : 1;
  EXPECT_EQ(failed, 2);
}

TEST_F(Filter, LeavesNoEmptyFolderBehind) {
  namespace fs = std::filesystem;
  const std::string broken = folder / "broken.png";
  std::ofstream(broken) << "not a picture at all";
  const fs::path above = fs::path(output) / "of" / "today";
  EXPECT_EQ(bankside({"filter", broken, "--bank", "sobel", "-o", (above / "").string()}).exitCode, 3);
  EXPECT_FALSE(fs::exists(output));
  // A folder that was there stays, and one with results, of course.
  fs::create_directories(above);
  EXPECT_EQ(bankside({"filter", broken, "--bank", "sobel", "-o", above.string()}).exitCode, 3);
  EXPECT_TRUE(fs::exists(above));
  EXPECT_EQ(bankside({"filter", input, broken, "--bank", "sobel", "-o", (above / "new").string()}).exitCode,
            3);
  EXPECT_FALSE(fs::is_empty(above / "new"));
}

TEST_F(Filter, UsageErrorsSayWhatIsWrong) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"filter", input, "-o", output}, "--bank"},
      {{"filter", "--bank", "sobel", "-o", output}, "INPUT"},
      {{"filter", input, "--bank", "sobel"}, "--output"},
      {{"filter", input, "--bank", "sobl", "-o", output}, "sobel"},
      {{"filter", input, "--bank", "gaussian:sigma=x", "-o", output}, "sigma"},
      {{"filter", input, "--bank", "sobel", "--border", "mirror", "-o", output}, "\"mirror\" is none of"},
      {{"filter", input, "--bank", "sobel", "--combine", "best", "-o", output}, "\"best\" is none of"},
      {{"filter", input, "--bank", "sobel", "--engine", "gpu", "-o", output},
       "there is no engine \"gpu\"; there are auto"},
      {{"filter", input, "--bank", "sobel", "--threads", "0", "-o", output}, "thread count"},
      {{"filter", input, "--bank", "sobel", "--memory", "much", "-o", output}, "amount of memory"},
      {{"filter", input, "--bank", "missing.json", "-o", output}, "missing.json"},
      {{"filter", input, "--recipe", "missing.json", "-o", output}, "missing.json"},
      {{"filter", input, "--bank", "sobel", "-o", input}, "cannot be made a folder"},
      {{"filter", input, "--bank", "sobel", "--bogus", "-o", output}, "--bogus"},
      {{"frobnicate"}, "frobnicate"},
  };
  for (const auto& [words, expected] : cases) {
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 2) << expected << "\n" << run.err;
    EXPECT_THAT(run.err, HasSubstr(expected));
    EXPECT_EQ(run.out, "") << "results only on stdout";
  }
}

TEST_F(Filter, AnEmptyFolderIsExitFive) {
  std::filesystem::create_directory(folder / "empty");
  const Outcome run = bankside({"filter", folder / "empty", "--bank", "sobel", "-o", output});
  EXPECT_EQ(run.exitCode, 5);
  EXPECT_THAT(run.err, HasSubstr("no image files in"));
}

TEST_F(Filter, CompressionChangesFilesAndNoValue) {
  const auto written = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"filter", input, "--bank", "gaussian:sigma=3", "-o", output, "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return std::filesystem::path(output) / filesIn(output).front();
  };
  const auto plain = written({});
  const Image image = readImage(plain).image;
  const std::string bytes = fileText(plain);
  EXPECT_EQ(fileText(written({"--compression", "none"})), bytes);
  for (const char* compression : {"deflate", "zstd"}) {
    const auto file = written({"--compression", compression});
    EXPECT_TRUE(samePixels(readImage(file).image, image)) << compression;
    EXPECT_NE(fileText(file), bytes) << compression;
  }
  // A recipe holds it.
  const std::string recipe = folder / "r.json";
  const std::string packed = fileText(written({"--compression", "deflate", "--save-recipe", recipe}));
  EXPECT_EQ(bankside({"filter", input, "--recipe", recipe, "-o", folder / "again"}).exitCode, 0);
  EXPECT_EQ(fileText(folder / "again" / plain.filename()), packed);
}

TEST_F(Filter, ACompressionThatTheFormatDoesNotTakeIsRefusedFirst) {
  const Outcome run =
      bankside({"filter", input, "--bank", "box", "--format", "npy", "--compression", "zstd", "-o", output});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_THAT(run.err, HasSubstr("--compression zstd is not for --format npy; tiff takes none, "));
  EXPECT_THAT(run.err, HasSubstr(", png none and deflate, npy"));
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(Filter, InputsThatWouldShareNamesAreRefused) {
  writeImage(folder / "grey.tiff", integerImage(1, 5, 5, ElementType::U16), FileFormat::Tiff);
  const Outcome run = bankside({"filter", folder.path(), "--bank", "sobel", "-o", output});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_THAT(run.err, HasSubstr("would both give results named \"grey.*\""));
}

TEST_F(Filter, RepeatingIsFreeAndReplacingNeedsForce) {
  const std::vector<std::string> words = {"filter", input, "--bank", "box", "-o", output};
  EXPECT_EQ(bankside(words).exitCode, 0);
  const auto file = std::filesystem::path(output) / filesIn(output).front();
  const auto written = std::filesystem::last_write_time(file);
  EXPECT_EQ(bankside(words).exitCode, 0);
  EXPECT_EQ(std::filesystem::last_write_time(file), written) << "identical results stay untouched";
  auto other = words;
  other.insert(other.end(), {"--border", "constant=99"});
  const std::string before = fileText(file);
  const Outcome refused = bankside(other);
  EXPECT_EQ(refused.exitCode, 3);
  EXPECT_THAT(refused.err, HasSubstr("exists and differs; use --force"));
  EXPECT_EQ(fileText(file), before);
  other.push_back("--force");
  EXPECT_EQ(bankside(other).exitCode, 0);
  EXPECT_NE(fileText(file), before);
  EXPECT_EQ(filesIn(output).size(), 1u) << "no candidate files stay behind";
}

TEST_F(Filter, ColourBecomesLumaAndSaysSo) {
  Image colour = integerImage(3, 20, 20, ElementType::U8);
  writeImage(folder / "colour.png", colour, FileFormat::Png);
  const std::string report = folder / "report.json";
  const Outcome run =
      bankside({"filter", folder / "colour.png", "--bank", "sobel", "-o", output, "--report", report});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("luma"));
  EXPECT_THAT(fileText(report), HasSubstr("luma"));
  EXPECT_EQ(
      bankside({"filter", folder / "colour.png", "--bank", "box", "--channel", "all", "-o", folder / "all"})
          .exitCode,
      0);
  EXPECT_EQ(filesIn(folder / "all").size(), 3u);
  EXPECT_THAT(filesIn(folder / "all")[0], HasSubstr("colour.blue."));
  const Outcome none =
      bankside({"filter", input, "--bank", "sobel", "--channel", "green", "-o", folder / "none"});
  EXPECT_EQ(none.exitCode, 3);
  EXPECT_THAT(none.err, HasSubstr("has no green channel"));
}

TEST_F(Filter, ARecipeRepeatsTheRunByteForByte) {
  const std::string recipe = folder / "recipe.json";
  const std::string again = folder / "again";
  EXPECT_EQ(
      bankside({"filter", input, "--bank", "vessel-matched:sigma=1.5", "--combine", "argmax", "--border",
                "reflect", "--mode", "convolution", "--no-responses", "-o", output, "--save-recipe", recipe})
          .exitCode,
      0);
  EXPECT_EQ(bankside({"filter", input, "--recipe", recipe, "-o", again}).exitCode, 0);
  EXPECT_THAT(filesIn(output), ElementsAre("grey.argmax-index.tiff", "grey.argmax.tiff"));
  for (const std::string& name : filesIn(output)) {
    EXPECT_EQ(fileText(std::filesystem::path(output) / name), fileText(std::filesystem::path(again) / name))
        << name;
  }
}

TEST_F(Filter, PrecisionReachesEngineRecipeAndReports) {
  const std::string report = folder / "report.json";
  const std::string recipe = folder / "recipe.json";
  const auto variant = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"filter", input,  "--bank",  "gaussian:sigma=8", "--engine", "cpu",
                                      "-o",     output, "--force", "--report",         report};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return nlohmann::json::parse(fileText(report))["images"][0]["steps"][0]["variant"].get<std::string>();
  };
  EXPECT_THAT(variant({}), ::testing::Not(::testing::StartsWith("cpu:direct")));
  const std::string exact = variant({"--precision", "exact", "--save-recipe", recipe});
  EXPECT_THAT(exact, ::testing::StartsWith("cpu:direct"));
  EXPECT_THAT(exact, HasSubstr("precision exact"));
  EXPECT_THAT(nlohmann::json::parse(fileText(report))["recipe"].dump(), HasSubstr("exact"));
  EXPECT_THAT(variant({"--recipe", recipe}), HasSubstr("precision exact"));
  const Outcome wrong = bankside({"filter", input, "--bank", "sobel", "--precision", "half", "-o", output});
  EXPECT_EQ(wrong.exitCode, 2);
  EXPECT_THAT(wrong.err, HasSubstr("\"half\" is none of exact, fp32, fp16"));

  const std::string compared = folder / "compared.json";
  ASSERT_EQ(bankside({"compare", input, "--bank", "gaussian:sigma=8", "--engines", "cpu", "--precision",
                      "exact", "--threads", "1", "--rounds", "1", "--seconds", "0", "--json", compared})
                .exitCode,
            0);
  const auto json = nlohmann::json::parse(fileText(compared));
  EXPECT_EQ(json["precision"], "exact");
  EXPECT_THAT(json["rows"][0]["variant"].get<std::string>(), ::testing::StartsWith("cpu:direct"));
  EXPECT_THAT(json["rows"][0]["command"].get<std::string>(), HasSubstr("--precision exact"));
}

TEST_F(Filter, VerifiesAgainstReferenceAndOpenCv) {
  const std::string report = folder / "report.json";
  const Outcome run =
      bankside({"filter", input, "--bank", "gaussian", "--verify", "all", "-o", output, "--report", report});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("verified, max error"));
  const auto step = nlohmann::json::parse(fileText(report))["images"][0]["steps"][0];
  EXPECT_TRUE(step["reference"]["passed"].get<bool>());
  EXPECT_EQ(step["reference"]["pixels"].get<int>(), 2000);
}

TEST_F(Filter, BandsOfALargeFileGiveTheBytesOfTheWhole) {
  EXPECT_EQ(bankside({"phantom", "-o", folder / "large", "--size", "128", "--mosaic", "700x500"}).exitCode,
            0);
  const std::string large = (folder / "large") / "mosaic.tiff";
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--map", "clip"}, {"--map", "stretch"}, {"--format", "npy"}}) {
    std::vector<std::string> words = {"filter", large, "--bank", "kirsch", "--combine", "argmax", "-o"};
    std::vector<std::string> whole = words;
    whole.push_back(folder / "whole");
    std::vector<std::string> banded = words;
    banded.insert(banded.end(), {folder / "banded", "--memory", "1M"});
    for (auto* w : {&whole, &banded}) {
      w->insert(w->end(), more.begin(), more.end());
      w->push_back("--force");
      EXPECT_EQ(bankside(*w).exitCode, 0);
    }
    ASSERT_EQ(filesIn(folder / "whole"), filesIn(folder / "banded"));
    for (const std::string& name : filesIn(folder / "whole")) {
      EXPECT_TRUE(fileText((folder / "whole") / name) == fileText((folder / "banded") / name)) << name;
    }
  }
}

TEST_F(Filter, StopsCleanlyOnASignal) {
  writeImage(folder / "large.tiff", randomImage(1, 3000, 3000, ElementType::F32), FileFormat::Tiff);
  for (const auto& [signal, code] :
       {std::pair{SIGHUP, 129}, std::pair{SIGINT, 130}, std::pair{SIGQUIT, 131}, std::pair{SIGTERM, 143}}) {
    const Outcome run = banksideKilled(
        {"filter", folder / "large.tiff", "--bank", "vessel-matched", "--engine", "reference", "-o", output},
        signal, [&] { return std::filesystem::exists(output); });
    EXPECT_EQ(run.exitCode, code) << run.err;
    EXPECT_THAT(run.err, HasSubstr("nothing half-written"));
    EXPECT_TRUE(filesIn(output).empty());
  }
}

TEST_F(Filter, AFullDiskLeavesNothingBehind) {
  // The responses are 8,000 bytes each: none fits, as on a disk that is full.
  const Outcome run = banksideWithFileLimit({"filter", input, "--bank", "sobel", "-o", output}, 4096);
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_THAT(run.err, HasSubstr("grey."));
  EXPECT_TRUE(filesIn(output).empty()) << filesIn(output).front();
}

}  // namespace
}  // namespace bankside::testing

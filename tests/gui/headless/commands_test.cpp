#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/imageio/image_io.h"
#include "filters/bank_json.h"
#include "filters/catalog.h"
#include "kernels/engines.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

TEST(Compare, PrintsTheSideBySideAndWritesIt) {
  if (const Support opencv = findEngine("opencv")->available(); !opencv) GTEST_SKIP() << opencv.reason;
  const TemporaryFolder folder;
  writeImage(folder / "a.png", integerImage(1, 120, 130, ElementType::U8), FileFormat::Png);
  const Outcome run = bankside({"compare",    folder / "a.png",
                                "--bank",     "vessel-matched",
                                "--combine",  "max",
                                "--threads",  "1",
                                "--rounds",   "6",
                                "--seconds",  "0",
                                "--engines",  "cpu,opencv,reference",
                                "--json",     folder / "c.json",
                                "--csv",      folder / "c.csv",
                                "--markdown", folder / "c.md"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  for (const char* words :
       {"cpu:direct", "opencv:filter2D", "reference", "baseline", "x OpenCV", "vessel-matched"}) {
    EXPECT_THAT(run.out, HasSubstr(words));
  }
  const auto json = nlohmann::json::parse(fileText(folder / "c.json"));
  EXPECT_EQ(json["bankside"], "comparison");
  EXPECT_EQ(json["schema_version"], 2);
  ASSERT_EQ(json["rows"].size(), 3u);
  for (const auto& engine : json["rows"]) {
    EXPECT_EQ(engine["disposition"], "PASSED") << engine["reason"];
    for (const std::string phase : {"compute_", ""}) {
      EXPECT_GE(engine[phase + "samples_us"].size(), 6u);
      EXPECT_GT(engine[phase + "median_us"].get<double>(), 0);
      EXPECT_LE(engine[phase + "low_us"].get<double>(), engine[phase + "median_us"].get<double>());
    }
    EXPECT_TRUE(engine["verification"]["passed"].get<bool>());
    EXPECT_THAT(engine["command"].get<std::string>(), HasSubstr("bankside compare"));
  }
  EXPECT_TRUE(json["rows"][0]["ratio_to_opencv"].is_number());
  EXPECT_TRUE(json["rows"][1]["ratio_to_opencv"].is_null());
  EXPECT_THAT(json["rows"][1]["variant"].get<std::string>(), HasSubstr("DFT"));
  EXPECT_THAT(fileText(folder / "c.csv"), HasSubstr("engine,device,description,threads,variant,disposition"));
  EXPECT_THAT(fileText(folder / "c.md"), HasSubstr("|---|"));
}

TEST(Compare, ARefusingEngineSaysWhyAndTheOthersGoOn) {
  const TemporaryFolder folder;
  writeImage(folder / "a.png", integerImage(1, 40, 40, ElementType::U8), FileFormat::Png);
  const Outcome run = bankside({"compare", folder / "a.png", "--bank", "sobel", "--border", "wrap",
                                "--threads", "1", "--rounds", "6", "--seconds", "0"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("UNSUPPORTED"));
  EXPECT_THAT(run.out, HasSubstr("cpu:direct"));
}

TEST(Compare, UsageErrors) {
  EXPECT_EQ(bankside({"compare", "no-such.png", "--bank", "sobel"}).exitCode, 3);
  EXPECT_EQ(bankside({"compare", "a.png"}).exitCode, 2);
  EXPECT_EQ(bankside({"compare", "a.png", "--bank", "sobel", "--engines", "cpu,gpu"}).exitCode, 2);
  EXPECT_EQ(bankside({"compare", "a.png", "--bank", "sobel", "--threads", "many"}).exitCode, 2);
}

TEST(Banks, ListsShowsAndExportsEveryOne) {
  const Outcome list = bankside({"banks", "list"});
  EXPECT_EQ(list.exitCode, 0);
  const TemporaryFolder folder;
  for (const CatalogEntry& entry : catalog()) {
    EXPECT_THAT(list.out, HasSubstr(entry.name));
    const Outcome show = bankside({"banks", "show", entry.name});
    EXPECT_EQ(show.exitCode, 0) << show.err;
    EXPECT_THAT(show.out, HasSubstr(entry.title));
    const auto file = folder / (entry.name + ".json");
    EXPECT_EQ(bankside({"banks", "export", entry.name, file}).exitCode, 0);
    EXPECT_EQ(readBankJson(file).contentHash(), makeBank(entry.name).contentHash());
  }
  EXPECT_EQ(bankside({"banks"}).exitCode, 2);
  EXPECT_EQ(bankside({"banks", "show", "nothing"}).exitCode, 2);
  EXPECT_EQ(bankside({"banks", "export", "sobel", folder / "no" / "such" / "folder.json"}).exitCode, 2);
}

TEST(Devices, NamesEveryEngineAvailableOrRefused) {
  const Outcome run = bankside({"devices"});
  EXPECT_EQ(run.exitCode, 0);
  for (const auto& engine : engines()) {
    EXPECT_THAT(run.out, HasSubstr(engine->name()));
    if (const Support support = engine->available(); !support) {
      EXPECT_THAT(run.out, HasSubstr(support.reason));
    }
  }
}

TEST(Verify, OneProblemAsAFailureWouldPrintIt) {
  const Outcome run =
      bankside({"verify", "--engine", "cpu:direct", "--problem", "c1h17w19-f5k4x3-wrap-u8:f32-max"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("cpu:direct"));
  EXPECT_EQ(bankside({"verify", "--problem", "c1h17"}).exitCode, 2);
  EXPECT_EQ(bankside({"verify", "--engine", "gpu"}).exitCode, 2);
}

TEST(Phantom, IsTheSamePictureEverywhere) {
  const TemporaryFolder folder;
  const Outcome run = bankside({"phantom", "-o", folder / "p", "--size", "128", "--seed", "3"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(filesIn(folder / "p"), ::testing::ElementsAre("phantom.png", "phantom_fov.png",
                                                            "phantom_vessels.png", "phantom_width.tiff"));
  EXPECT_EQ(bankside({"phantom", "-o", folder / "p", "--size", "128", "--seed", "3"}).exitCode, 0);
  EXPECT_EQ(bankside({"phantom", "-o", folder / "p", "--size", "128", "--seed", "4"}).exitCode, 2)
      << "differs, no --force";
  EXPECT_EQ(bankside({"phantom", "-o", folder / "p", "--size", "7"}).exitCode, 2);
}

TEST(Help, EveryCommandHasExamples) {
  for (const std::string command :
       {"filter", "compare", "banks", "devices", "verify", "phantom", "completion"}) {
    const Outcome run = bankside({command, "--help"});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_THAT(run.out, HasSubstr("Example"));
    EXPECT_EQ(run.err, "");
  }
  EXPECT_THAT(bankside({"--help"}).out, HasSubstr("Exit codes"));
  EXPECT_THAT(bankside({"--version"}).out, HasSubstr("bankside 0."));
}

TEST(Completion, IsBashAndKnowsEveryCommand) {
  const TemporaryFolder folder;
  const Outcome run = bankside({"completion"});
  EXPECT_EQ(run.exitCode, 0);
  std::ofstream(folder / "script") << run.out;
  EXPECT_EQ(std::system(("bash -n " + (folder / "script").string()).c_str()), 0);
  EXPECT_THAT(run.out,
              HasSubstr("filter batch evaluate compare banks devices verify bench phantom completion"));
  std::string formats;
  for (const FileFormat format : fileFormats())
    formats += (formats.empty() ? "" : " ") + std::string(toString(format));
  EXPECT_THAT(run.out, HasSubstr("-W \"" + formats + "\""));
}

}  // namespace
}  // namespace bankside::testing

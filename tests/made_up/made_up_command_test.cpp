/// Every command of the program takes an engine that it has never heard of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/imageio/image_io.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::bankside;
using testing::fileText;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::randomImage;
using testing::TemporaryFolder;

TEST(MadeUpCommand, IsListedAndVerified) {
  EXPECT_THAT(bankside({"devices"}).out, HasSubstr("madeup:cycle"));
  const Outcome verified =
      bankside({"verify", "--engine", "madeup", "--problem", "c1h17w19-f5k4x3-wrap-u8:f32-max"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out + verified.err, HasSubstr("madeup:cycle"));
  EXPECT_THAT(bankside({"verify", "--engine", "nobody"}).err, HasSubstr("madeup:cycle"));
}

TEST(MadeUpCommand, FiltersAndReports) {
  const TemporaryFolder folder;
  writeImage(folder / "a.png", randomImage(1, 33, 47, ElementType::U8), FileFormat::Png);
  const Outcome run = bankside({"filter", folder / "a.png", "--bank", "sobel", "--combine", "magnitude",
                                "--engine", "madeup:cycle", "--verify", "reference", "--output",
                                folder / "out", "--report", folder / "r.json"});
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const auto step = nlohmann::json::parse(fileText(folder / "r.json"))["images"][0]["steps"][0];
  EXPECT_EQ(step["engine"], "madeup:cycle");
  EXPECT_EQ(step["variant"], "one row at a time");
}

TEST(MadeUpCommand, IsComparedAndMeasured) {
  const TemporaryFolder folder;
  writeImage(folder / "a.png", randomImage(1, 33, 47, ElementType::U8), FileFormat::Png);
  const Outcome compared =
      bankside({"compare", folder / "a.png", "--bank", "sobel", "--engines", "madeup,cpu", "--threads", "1",
                "--rounds", "3", "--seconds", "0", "--json", folder / "c.json"});
  ASSERT_EQ(compared.exitCode, 0) << compared.err;
  const auto first = nlohmann::json::parse(fileText(folder / "c.json"))["rows"][0];
  EXPECT_EQ(first["engine"], "madeup:cycle");
  EXPECT_EQ(first["disposition"], "PASSED");
  EXPECT_THAT(first["command"].get<std::string>(), HasSubstr("--engines madeup:cycle,"));

  const Outcome measured =
      bankside({"bench", "cpu",       "--quick", "--sizes",     "40",     "--filter-sizes",
                "3",     "--filters", "2",       "--types",     "u8",     "--threads",
                "1",     "--combine", "none",    "--bank-kind", "dense",  "--seconds",
                "0",     "--engines", "madeup",  "--no-limits", "--json", folder / "b.json"});
  ASSERT_EQ(measured.exitCode, 0) << measured.err;
  const auto row = nlohmann::json::parse(fileText(folder / "b.json"))["rows"][0];
  EXPECT_EQ(row["engine"], "madeup:cycle");
  EXPECT_EQ(row["variant"], "one row at a time");
}

}  // namespace
}  // namespace bankside

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "core/imageio/atomic_file.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

TEST(BenchCpu, WritesRowsAndLimits) {
  const TemporaryFolder folder;
  const Outcome run = bankside({"bench",
                                "cpu",
                                "--quick",
                                "--sizes",
                                "40,64",
                                "--filter-sizes",
                                "3,9",
                                "--filters",
                                "2",
                                "--types",
                                "u8,f32",
                                "--bank-kind",
                                "dense,separable",
                                "--seconds",
                                "0",
                                "--json",
                                folder / "b.json",
                                "--csv",
                                folder / "b.csv",
                                "--markdown",
                                folder / "b.md"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("cpu:direct"));
  EXPECT_THAT(run.out, HasSubstr("GFLOP/s of fused multiply-adds"));
  const auto json = nlohmann::json::parse(fileText(folder / "b.json"));
  EXPECT_EQ(json["bankside"], "bench");
  EXPECT_EQ(json["schema_version"], 2);
  EXPECT_EQ(json["complete"], true);
  ASSERT_EQ(json["limits"].size(), 1u);
  EXPECT_GT(json["limits"][0]["gflops"], 0.1);
  std::set<std::string> cells;
  for (const auto& row : json["rows"]) {
    EXPECT_EQ(row["disposition"], "PASSED") << row.dump();
    EXPECT_GT(row["median_us"], 0.0);
    EXPECT_GT(row["gflops"], 0.0);
    EXPECT_GT(row["fma_fraction"], 0.0);
    EXPECT_THAT(row["command"].get<std::string>(), HasSubstr("bankside bench cpu --sizes "));
    if (row["engine"] == "opencv:sepFilter2D") {
      EXPECT_EQ(row["bank"], "separable");
    }
    if (row["engine"] == "cpu:direct")
      cells.insert(row["problem"].get<std::string>() + row["bank"].get<std::string>());
  }
  EXPECT_EQ(cells.size(), 2u * 2 * 2 * 2);
  EXPECT_THAT(fileText(folder / "b.md"), HasSubstr("| cpu:direct |"));
  EXPECT_THAT(fileText(folder / "b.csv"), HasSubstr("size,filter_size,filter_count"));

  // Its rows beside those of another run.
  const Outcome merged =
      bankside({"bench",           "cpu",    "--sizes",        "40",        "--filter-sizes", "3",
                "--filters",       "2",      "--types",        "f32",       "--threads",      "1",
                "--seconds",       "0",      "--no-limits",    "--engines", "cpu:direct",     "--with-rows",
                folder / "b.json", "--json", folder / "m.json"});
  EXPECT_EQ(merged.exitCode, 0) << merged.err;
  const auto both = nlohmann::json::parse(fileText(folder / "m.json"));
  EXPECT_EQ(both["rows"].size(), json["rows"].size() + 1);
  EXPECT_EQ(both["rows"].back()["source"], "b.json");
}

TEST(BenchCpu, TheVesselBankBringsItsShape) {
  const TemporaryFolder folder;
  const Outcome run =
      bankside({"bench", "cpu", "--quick", "--sizes", "50", "--bank-kind", "vessel", "--combine", "max",
                "--seconds", "0", "--engines", "cpu:direct", "--no-limits", "--json", folder / "b.json"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  const auto json = nlohmann::json::parse(fileText(folder / "b.json"));
  ASSERT_EQ(json["rows"].size(), 1u);
  EXPECT_EQ(json["rows"][0]["problem"], "c1h50w50-f12k15-reflect101-f32:f32-max");
  EXPECT_EQ(json["rows"][0]["fma_fraction"], nullptr);
}

TEST(BenchCpu, SaysWhatIsWrong) {
  for (const auto& [words, sentence] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--sizes", "0"}, "1 to 32768"},
           {{"--filter-sizes", "3,200"}, "1 to 127"},
           {{"--bank-kind", "odd"}, "dense, separable, small, vessel"},
           {{"--quick", "--engines", "nobody"}, "there is no engine \"nobody\""},
           {{"--quick", "--with-rows", "/nowhere.json"}, "cannot be read"}}) {
    std::vector<std::string> all = {"bench", "cpu"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome run = bankside(all);
    EXPECT_NE(run.exitCode, 0);
    EXPECT_THAT(run.err, HasSubstr(sentence));
  }
  EXPECT_EQ(bankside({"bench"}).exitCode, 2);
}

const std::string figure7 = std::string(BANKSIDE_RESULTS_DIR) + "/h200/figure7-12.json";

/// What others measured can be shown anywhere.
TEST(BenchDevice, ShowsRowsOfOtherRuns) {
  const TemporaryFolder folder;
  const auto before = nlohmann::json::parse(fileText(figure7));
  auto part = before;
  part["rows"].erase(part["rows"].begin() + 2, part["rows"].end());
  part["rows"][0]["disposition"] = "INCORRECT";  // what was wrong there is not wrong here
  part["limits"][0]["copy_gigabytes_per_second"] = 1.0;
  part["complete"] = false;
  part["notes"] = {"of another day"};
  writeFileAtomically(folder / "part.json", part.dump());
  const Outcome run =
      bankside({"bench", "device", "--with-rows", figure7, "--with-rows", folder / "part.json", "--json",
                folder / "all.json", "--csv", folder / "all.csv", "--markdown", folder / "all.md"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("cudnn:fma"));
  const auto all = nlohmann::json::parse(fileText(folder / "all.json"));
  const std::size_t own = before["rows"].size();
  ASSERT_EQ(all["rows"].size(), own + 2);
  EXPECT_EQ(all["complete"], false) << "a part was stopped";
  EXPECT_EQ(all["limits"], before["limits"]) << "those of the first file";
  EXPECT_EQ(all["rows"][0]["source"], "figure7-12.json");
  EXPECT_EQ(all["rows"][own]["source"], "part.json");
  EXPECT_THAT(all["notes"].dump(), HasSubstr("part.json: of another day"));
  EXPECT_THAT(fileText(folder / "all.csv"), HasSubstr(",part.json,"));
  EXPECT_THAT(fileText(folder / "all.md"), HasSubstr("rows are of another run, part.json"));

  // Merged once more, rows still say where they are from.
  const Outcome again =
      bankside({"bench", "device", "--with-rows", folder / "all.json", "--json", folder / "again.json"});
  EXPECT_EQ(again.exitCode, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(fileText(folder / "again.json"))["rows"][own]["source"], "part.json");
}

TEST(BenchDevice, SaysWhatIsWrongWithAddedRows) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "no.json", "{\"bankside\": \"bench\"}");
  for (const auto& [words, code, sentence] :
       std::vector<std::tuple<std::vector<std::string>, int, std::string>>{
           {{"--with-rows", "/nowhere.json"}, 3, "/nowhere.json: cannot be read"},
           {{"--with-rows", folder / "no.json"}, 2, "no.json is no benchmark on a device"},
           {{"--with-rows", figure7, "--json", figure7}, 2, "figure7-12.json"},
           {{"--with-rows", figure7, "--engines", "cuda:tensor"}, 2, "which --engines is for"},
           {{"--with-rows", figure7, "--json", "/nowhere/a.json"}, 2, "/nowhere/a.json"}}) {
    std::vector<std::string> all = {"bench", "device"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome run = bankside(all);
    EXPECT_EQ(run.exitCode, code) << run.err;
    EXPECT_THAT(run.err, HasSubstr(sentence));
  }
}

TEST(BenchDevice, SaysInOneSentenceThatThereIsNoDevice) {
  if (std::getenv("BANKSIDE_REQUIRE_GPU") != nullptr) GTEST_SKIP() << "there is a device here";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"bench", "bank-width"},
           {"bench", "tune"},
           {"bench", "limits"},
           {"bench", "paper", "--figure", "7"},
           {"bench", "paper", "--figure", "8"},
           {"bench", "paper", "--figure", "8", "--grid", "full"},
           {"bench", "tune", "--figure", "8", "--grid", "paper"},
           {"bench", "device", "--sizes", "64", "--types", "u8,f32"},
           {"bench", "device", "c1h64w64-f8k3-reflect101-f32:f32-none"},
           {"bench", "device", "c3h64w64-f8k3-reflect101-f32:f32-none", "--images", "1,2,4"}}) {
    const Outcome run = bankside(words);
    if (run.exitCode == 0) continue;  // a machine with a GPU
    EXPECT_EQ(run.exitCode, 2) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

TEST(BenchDevice, ChecksItsWords) {
  EXPECT_EQ(bankside({"bench", "paper", "--figure", "9"}).exitCode, 2);
  EXPECT_EQ(bankside({"bench", "paper", "--figure", "8", "--grid", "half"}).exitCode, 2);
  EXPECT_EQ(bankside({"bench", "paper", "--figure", "8", "--grid", "full", "--channels", "3"}).exitCode, 2);
  EXPECT_EQ(bankside({"bench", "paper", "--figure", "8", "--counters", "here"}).exitCode, 2);
  EXPECT_EQ(bankside({"bench", "paper", "--sizes", "2"}).exitCode, 2);
  const std::string problem = "c1h64w64-f8k3-reflect101-f32:f32-none";
  for (const auto& [words, sentence] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{}, "PROBLEM, or a list such as --sizes, is required"},
           {{"--bank", "sobel"}, "requires"},
           {{"--sizes", "64", "--bank", "sobel"}, "requires"},
           {{problem, "--sizes", "64"}, "excludes"},
           {{problem, "--types", "u8"}, "excludes"},
           {{problem, "--images", "4,0"}, "\"0\" is none of 1 to 1024"},
           {{"--types", "u9"}, "none of u8, u16, f16, f32"}}) {
    std::vector<std::string> all = {"bench", "device"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome run = bankside(all);
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, HasSubstr(sentence));
  }
}

/// Two cells of a moment and two of minutes, ended by a signal once the first one's row is written.
Outcome stoppedBench(const std::string& file, int signal) {
  const Outcome run = banksideKilled(
      {"bench", "cpu", "--sizes", "16,4096", "--filter-sizes", "3,31", "--filters", "1", "--types", "f32",
       "--threads", "1", "--rounds", "1000", "--engines", "cpu:direct", "--no-limits", "--json", file},
      signal, [&] {
        const auto json = nlohmann::json::parse(fileText(file), nullptr, false);
        return json.is_object() && !json["rows"].empty();
      });
  const auto json = nlohmann::json::parse(fileText(file));
  EXPECT_EQ(json["complete"], false);
  EXPECT_GE(json["rows"].size(), 1u);
  EXPECT_LT(json["rows"].size(), 4u);
  return run;
}

TEST(BenchCpu, StoppedWritesTheRowsThatAreComplete) {
  const TemporaryFolder folder;
  const Outcome run = stoppedBench(folder / "b.json", SIGINT);
  EXPECT_EQ(run.exitCode, 130) << run.err;
}

TEST(BenchCpu, KilledLeavesTheRowsOfEveryCellBeforeIt) {
  const TemporaryFolder folder;
  EXPECT_EQ(stoppedBench(folder / "b.json", SIGKILL).exitCode, -SIGKILL);
}

}  // namespace
}  // namespace bankside::testing

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "core/imageio/image_io.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Usage : public ::testing::Test {
 protected:
  Usage() { writeImage(image, integerImage(1, 300, 300, ElementType::U8), FileFormat::Png); }

  /// Its exit code has to be 2; what it said.
  std::string refused(const std::vector<std::string>& words) {
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 2) << run.err;
    EXPECT_EQ(run.out, "");
    return run.err;
  }

  TemporaryFolder folder;
  std::string image = folder / "grey.png";
  std::string output = folder / "out";
};

TEST_F(Usage, AWrongOptionIsNamedBeforeWhatIsMissing) {
  EXPECT_THAT(refused({"filter", image, "--bnk", "sobel"}), HasSubstr("not expected: --bnk"));
  EXPECT_THAT(refused({"filter", image, "--bank", "sobel"}), HasSubstr("--output is required"));
  EXPECT_THAT(refused({"filter", "--bank", "sobel", "--", image}), HasSubstr("--output is required"));
}

TEST_F(Usage, AFullDiskIsWorthAnotherTryAndEndsTheRun) {
  const std::filesystem::path disk = folder / "disk";
  std::filesystem::create_directory(disk);
  writeImage(folder / "two.png", integerImage(1, 300, 300, ElementType::U8), FileFormat::Png);
  // One after another: side by side both may find the disk full.
  const Outcome run = banksideOnSmallDisk(
      {"filter", image, folder / "two.png", "--bank", "sobel", "--threads", "1", "-o", disk / "out"}, disk);
  if (run.exitCode < 0) GTEST_SKIP() << "no disk can be mounted here";
  EXPECT_EQ(run.exitCode, 75) << run.err;
  EXPECT_THAT(run.err, HasSubstr("No space left"));
  EXPECT_THAT(run.err, Not(HasSubstr("two.")));
}

/// Another command line runs the plan as it is.
TEST_F(Usage, AWrongDeviceIsNoFaultOfAPlan) {
  const std::string manifest = folder / "plan.jsonl";
  const std::filesystem::path study = folder / "study";
  std::filesystem::create_directory(study);
  std::filesystem::copy_file(image, study / "grey.png");
  const Outcome plan = bankside(
      {"batch", "plan", study, output, "--manifest", manifest, "--bank", "sobel", "--engine", "cpu"});
  ASSERT_EQ(plan.exitCode, 0) << plan.err;
  EXPECT_THAT(refused({"batch", "run", "--manifest", manifest, "--device", "0"}),
              HasSubstr("--device names GPUs"));
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_EQ(bankside({"batch", "run", "--manifest", manifest}).exitCode, 0);
  // Of the machine, and not of the engine that a plan without GPUs has.
  EXPECT_THAT(refused({"batch", study, folder / "others", "--bank", "sobel", "--device", "99"}),
              ::testing::AllOf(Not(HasSubstr("cpu")),
                               ::testing::AnyOf(HasSubstr("cuda:99"), HasSubstr("no CUDA kernels"))));
}

TEST_F(Usage, DevicesAreGpusThatThereAre) {
  const auto with = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = {"filter", image, "--bank", "sobel", "-o", output};
    all.insert(all.end(), words.begin(), words.end());
    const std::string said = refused(all);
    EXPECT_FALSE(std::filesystem::exists(output));
    return said;
  };
  for (const char* word : {"x", "-1", "cuda:", "cuda:x", "cpu", "0,x", ""})
    EXPECT_THAT(with({"--device", word}), HasSubstr("is none of 0, 1, ... or cuda:0, cuda:1, ...")) << word;
  EXPECT_THAT(with({"--device", "0", "--engine", "cpu"}),
              HasSubstr("--device names GPUs, which the engine cpu does not use"));
  for (const char* peer : {"cudnn:fma", "cufft", "npp"})
    EXPECT_THAT(with({"--device", "0", "--engine", peer}),
                HasSubstr(std::string("--device is for auto and cuda; the engine ") + peer +
                          " takes the first GPU that CUDA_VISIBLE_DEVICES shows"));
  EXPECT_THAT(with({"--device", "0", "--engine", "nobody"}), HasSubstr("nobody"));
  // Neither there nor on a machine without any.
  for (const char* word : {"99", "cuda:99", "cuda:99,0"})
    EXPECT_THAT(with({"--device", word}),
                ::testing::AnyOf(HasSubstr("cuda:99"), HasSubstr("no CUDA kernels")))
        << word;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"filter", "--help"}, {"batch", "run", "--help"}}) {
    std::string help = bankside(command).out;
    for (std::size_t at = 0; (at = help.find_first_of(" \n", at)) != std::string::npos; ++at)
      help.replace(at, std::min(help.find_first_not_of(" \n", at), help.size()) - at, " ");
    EXPECT_THAT(help,
                HasSubstr("--device N,... GPUs to use, as 0 or cuda:0,cuda:1 (default: all of one kind that "
                          "CUDA_VISIBLE_DEVICES shows; see: bankside devices)"));
  }
}

TEST_F(Usage, ReportsAreLookedAtBeforeTheWork) {
  const std::vector<std::string> filter = {"filter", image, "--bank", "sobel", "-o", output};
  for (const std::string option : {"--report", "--save-recipe"}) {
    for (const std::string file : {folder / "no" / "r.json", folder.path(), std::filesystem::path(image)}) {
      auto words = filter;
      words.insert(words.end(), {option, file, "--force"});
      EXPECT_THAT(refused(words), HasSubstr(file));
      EXPECT_FALSE(std::filesystem::exists(output));
    }
  }
  EXPECT_THAT(refused({"compare", image, "--bank", "sobel", "--json", image}), HasSubstr("is an input"));
  EXPECT_EQ(readImage(image).image.width(), 300);
}

TEST_F(Usage, ResultsDoNotGoAmongTheImages) {
  EXPECT_THAT(refused({"filter", folder.path(), "--bank", "sobel", "-o", folder.path()}),
              HasSubstr("is the folder of the images"));
  EXPECT_EQ(filesIn(folder.path()).size(), 1u);
}

TEST_F(Usage, UnknownCommandsAndPagesAreNamed) {
  EXPECT_THAT(refused({"filtre", image}),
              HasSubstr("there is no command \"filtre\"; did you mean filter? There are filter, "));
  EXPECT_THAT(refused({"filter", image, "--bank", "sobel", "-o", output, "--page", "0"}),
              HasSubstr("1 to 1000000"));
}

TEST_F(Usage, ExportReplacesOnlyWithForce) {
  const std::string file = folder / "bank.json";
  EXPECT_EQ(bankside({"banks", "export", "sobel", file}).exitCode, 0);
  EXPECT_THAT(refused({"banks", "export", "kirsch", file}), HasSubstr("--force"));
  EXPECT_EQ(bankside({"banks", "export", "kirsch", file, "--force"}).exitCode, 0);
  EXPECT_THAT(fileText(file), HasSubstr("Kirsch"));
}

TEST_F(Usage, DecimalCommasAreNotGuessed) {
  for (const std::string line : {"0,5;0,25\n", "0,5\t0,25\n", "0,5 0,25\n"}) {
    std::ofstream(folder / "k.csv") << line;
    EXPECT_THAT(refused({"banks", "show", folder / "k.csv"}), HasSubstr("k.csv:1:1: found commas"));
  }
  for (const std::string line : {"1,2,3\n", "1, 2, 3\n", "1;2;3\r\n", "1.5 2 3 \n", "1,2, 3 # one, two\n"}) {
    std::ofstream(folder / "k.csv") << line;
    const Outcome run = bankside({"banks", "show", folder / "k.csv"});
    EXPECT_EQ(run.exitCode, 0) << line << run.err;
    EXPECT_THAT(run.out, HasSubstr("1 x 3"));
  }
}

TEST_F(Usage, BanksAsTextComeFromAnySystem) {
  for (const std::string text : {"\xef\xbb\xbf"
                                 "1,2,3\n4,5,6\n",
                                 "1,2,3\r4,5,6\r", "1,2,3\r\n4,5,6"}) {
    std::ofstream(folder / "k.csv") << text;
    const Outcome run = bankside({"banks", "show", folder / "k.csv"});
    EXPECT_EQ(run.exitCode, 0) << text << run.err;
    EXPECT_THAT(run.out, HasSubstr("2 x 3"));
  }
}

TEST_F(Usage, ASeedIsNotClamped) {
  for (const std::string seed : {"18446744073709551616", "-1", "1.5", "0x7", ""})
    EXPECT_THAT(refused({"phantom", "--size", "64", "--seed=" + seed, "-o", output}),
                HasSubstr("is no whole number from 0 to 18446744073709551615"));
  EXPECT_EQ(bankside({"phantom", "--size", "64", "--seed", "18446744073709551615", "-o", output}).exitCode,
            0);
}

TEST_F(Usage, TheCommandInAReportCanBeRepeatedAndTheProcessorIsNamed) {
  const std::string spaced = folder / "my scan's.png";
  std::filesystem::copy_file(image, spaced);
  const std::string report = folder / "r.json";
  ASSERT_EQ(bankside({"filter", spaced, "--bank", "sobel", "-o", output, "--report", report}).exitCode, 0);
  const auto filtered = nlohmann::json::parse(fileText(report));
  EXPECT_THAT(filtered["command"].get<std::string>(), HasSubstr("my scan'\\''s.png' --bank sobel"));
  const std::string comparison = folder / "c.json";
  ASSERT_EQ(bankside({"compare", image, "--bank", "sobel", "--threads", "1", "--rounds", "1", "--seconds",
                      "0", "--json", comparison})
                .exitCode,
            0);
  const auto compared = nlohmann::json::parse(fileText(comparison));
  EXPECT_EQ(compared["environment"]["processor"], filtered["environment"]["processor"]);
  EXPECT_THAT(compared["environment"]["cpu"].get<std::string>(), HasSubstr("Highway")) << "the engine";
}

TEST_F(Usage, AReaderThatLeavesIsNoError) {
  const std::string script = "set -o pipefail; '" + std::string(BANKSIDE_PROGRAM) +
                             "' banks show vessel-matched:orientations=180 --taps 2>'" +
                             (folder / "err").string() + "' | head -c 1 >/dev/null";
  const int status = std::system(("bash -c \"" + script + "\"").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 141);
  EXPECT_EQ(fileText(folder / "err"), "");
}

std::set<std::string> longOptions(const std::string& text) {
  std::set<std::string> found;
  const std::regex option("(^|[ ,])(--[a-z][a-z-]+)");
  for (std::sregex_iterator i(text.begin(), text.end(), option), end; i != end; ++i) found.insert((*i)[2]);
  return found;
}

/// The option column of a command's help: lines that start with two blanks and a dash.
std::set<std::string> helpOptions(const std::vector<std::string>& command) {
  auto words = command;
  words.push_back("--help");
  std::istringstream help(bankside(words).out);
  std::string column;
  for (std::string line; std::getline(help, line);) {
    EXPECT_EQ(line.find("{false}"), std::string::npos) << line;
    EXPECT_EQ(line.find(" :"), std::string::npos) << line;
    if (line.rfind("  -", 0) == 0) column += line.substr(0, line.find("  ", 2)) + "\n ";
  }
  return longOptions(column);
}

TEST_F(Usage, CompletionOffersWhatTheHelpLists) {
  const std::string script = folder / "script";
  std::ofstream(script) << bankside({"completion"}).out;
  for (const std::string command : {"filter", "evaluate", "compare", "verify", "phantom", "devices"}) {
    const std::string offered = folder / "offered";
    const std::string line = "source '" + script + "'; COMP_WORDS=(bankside " + command +
                             " --); COMP_CWORD=2; _bankside; echo ${COMPREPLY[@]} > '" + offered + "'";
    ASSERT_EQ(std::system(("bash -c \"" + std::regex_replace(line, std::regex("\\$"), "\\$") + "\"").c_str()),
              0);
    EXPECT_EQ(longOptions(fileText(offered)), helpOptions({command})) << command;
  }
}

/// Those that there are, to who takes some.
TEST_F(Usage, CompletionOffersDevicesThatThereAre) {
  const std::filesystem::path path = folder / "path";
  std::filesystem::create_directory(path);
  std::ofstream(path / "bankside") << "#!/bin/sh\necho 'engine here\ncuda:fft available\n\ndevice use\n"
                                      "cuda:0 in use\ncuda:11 left out\n\ncuda:5: what'\n";
  std::filesystem::permissions(path / "bankside", std::filesystem::perms::owner_all);
  const std::string script = folder / "script";
  std::ofstream(script) << bankside({"completion"}).out;
  const auto offered = [&](const std::string& words, int at) {
    const std::string file = folder / "offered";
    std::ofstream(folder / "ask") << "PATH='" << path.string() << "':$PATH; source '" << script
                                  << "'; COMP_WORDS=(" << words << "); COMP_CWORD=" << at
                                  << "; _bankside; echo ${COMPREPLY[@]} > '" << file << "'\n";
    EXPECT_EQ(std::system(("bash '" + (folder / "ask").string() + "'").c_str()), 0);
    return fileText(file);
  };
  EXPECT_EQ(offered("bankside filter --device ''", 3), "cuda:0 0 cuda:11 11\n");
  EXPECT_THAT(offered("bankside batch run --", 3), HasSubstr("--device"));
  EXPECT_THAT(offered("bankside batch plan --", 3), Not(HasSubstr("--device")));
}

}  // namespace
}  // namespace bankside::testing

/// Result files are those of one image and of one run, and nothing else is touched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/imageio/image_io.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Results : public ::testing::Test {
 protected:
  Results() { std::filesystem::create_directory(in); }

  /// A picture in the folder of the inputs.
  std::string picture(const std::string& name, int channels = 1, std::uint64_t seed = 1) {
    const std::filesystem::path path = in / name;
    const bool tiff = path.extension() == ".tiff";
    writeImage(path, randomImage(channels, 40, 50, ElementType::U8, seed),
               tiff ? FileFormat::Tiff : FileFormat::Png);
    return path;
  }

  static std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const std::string& name : filesIn(folder)) files[name] = fileText(folder / name);
    return files;
  }

  TemporaryFolder folder;
  std::filesystem::path in = folder / "in";
  std::string out = folder / "out";
};

/// The inputs that a run says it has done.
std::set<std::string> done(const Outcome& run) {
  std::set<std::string> inputs;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) inputs.insert(line.substr(0, line.find(": ")));
  return inputs;
}

TEST_F(Results, OfTwoRunsAtOnceBelongToOneOfThem) {
  for (std::uint64_t i = 0; i < 40; ++i) picture("p" + std::to_string(i) + ".png", 1, i);
  const auto words = [&](const std::string& border, const std::string& output) {
    return std::vector<std::string>{"filter", in,   "--bank", "kirsch",   "--combine",
                                    "max",    "-o", output,   "--border", border};
  };
  ASSERT_EQ(bankside(words("wrap", folder / "wrap")).exitCode, 0);
  ASSERT_EQ(bankside(words("constant=9", folder / "constant")).exitCode, 0);
  const auto wrap = contents(folder / "wrap");
  const auto constant = contents(folder / "constant");
  for (int round = 0; round < 4; ++round) {
    const std::filesystem::path shared = folder / ("shared" + std::to_string(round));
    const auto [one, other] = banksideTwice(words("wrap", shared), words("constant=9", shared));
    const auto files = contents(shared);
    std::size_t expected = 0;
    for (const auto& [run, bytes] : {std::pair{&one, &wrap}, std::pair{&other, &constant}}) {
      for (const std::string& input : done(*run)) {
        const std::string stem = std::filesystem::path(input).stem().string() + ".";
        for (const auto& [name, text] : *bytes) {
          if (name.rfind(stem, 0) != 0) continue;
          ++expected;
          EXPECT_TRUE(files.contains(name) && files.at(name) == text) << name;
        }
      }
    }
    for (const std::string& input : done(one)) EXPECT_FALSE(done(other).contains(input)) << input;
    EXPECT_EQ(done(one).size() + done(other).size(), 40u) << "one of them has it";
    EXPECT_EQ(files.size(), expected) << "nothing else is there";
  }
}

TEST_F(Results, OfTheSameRunTwiceAtOnceAreThoseOfBoth) {
  for (std::uint64_t i = 0; i < 20; ++i) picture("p" + std::to_string(i) + ".png", 1, i);
  const std::vector<std::string> words = {"filter", in, "--bank", "kirsch", "-o", out};
  const auto [one, other] = banksideTwice(words, words);
  EXPECT_EQ(one.exitCode, 0) << one.err;
  EXPECT_EQ(other.exitCode, 0) << other.err;
  EXPECT_EQ(filesIn(out).size(), 160u);
}

TEST_F(Results, OfLongNamesAreRepeatedAsOthersAre) {
  for (const std::size_t length : {200u, 230u, 239u}) {
    const std::string image = picture(std::string(length, 'n') + ".png");
    const std::vector<std::string> words = {"filter", image, "--bank",       "laplacian",
                                            "-o",     out,   "--no-progress"};
    const Outcome first = bankside(words);
    ASSERT_EQ(first.exitCode, 0) << first.err;
    const Outcome second = bankside(words);
    EXPECT_EQ(second.exitCode, 0) << second.err;
  }
  EXPECT_EQ(filesIn(out).size(), 3u);
}

TEST_F(Results, ABandedRunInConflictLeavesNothing) {
  const std::string image = picture("a.png");
  std::vector<std::string> words = {"filter", image, "--bank", "kirsch", "-o", out};
  ASSERT_EQ(bankside(words).exitCode, 0);
  const auto before = contents(out);
  words.insert(words.end(), {"--border", "wrap", "--memory", "8K"});
  const Outcome run = bankside(words);
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_THAT(run.err, HasSubstr("exists and differs; use --force"));
  EXPECT_TRUE(contents(out) == before);
}

TEST_F(Results, HiddenFilesAreNoImagesOfAFolder) {
  picture("a.png");
  picture(".a.12.candidate.tiff");
  picture(".b.png");
  const Outcome run = bankside({"filter", in, "--bank", "laplacian", "-o", out});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_EQ(done(run), std::set<std::string>{(in / "a.png").string()});
  EXPECT_EQ(done(bankside({"filter", in / ".b.png", "--bank", "laplacian", "-o", out})).size(), 1u)
      << "asked for by name";
}

}  // namespace
}  // namespace bankside::testing

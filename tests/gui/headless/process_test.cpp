/// What the program is started with: descriptors, limits, signals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/imageio/image_io.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

class Process : public ::testing::Test {
 protected:
  Process() { writeImage(image, integerImage(1, 40, 50, ElementType::U8), FileFormat::Png); }

  TemporaryFolder folder;
  std::string image = folder / "grey.png";
  std::string output = folder / "out";
};

TEST_F(Process, NoFileTakesThePlaceOfAClosedStream) {
  const std::vector<std::string> words = {"filter",        image,       "--bank", "sobel",
                                          "--no-progress", "--threads", "1",      "-o"};
  const auto into = [&](const std::string& to) {
    auto all = words;
    all.push_back(to);
    return all;
  };
  ASSERT_EQ(bankside(into(output)).exitCode, 0);
  const std::string closed = folder / "closed";
  const Outcome run = banksideAfter(
      [] {
        for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(descriptor);
      },
      into(closed));
  EXPECT_EQ(run.exitCode, 0);
  ASSERT_EQ(filesIn(closed), filesIn(output));
  for (const std::string& name : filesIn(output))
    EXPECT_EQ(fileText(std::filesystem::path(closed) / name), fileText(std::filesystem::path(output) / name))
        << name;
}

TEST_F(Process, ABankThatNobodyWritesEndsWithTheFirstSignal) {
  const std::string bank = folder / "bank.json";
  ASSERT_EQ(mkfifo(bank.c_str(), 0600), 0);
  const Outcome run =
      banksideKilled({"filter", image, "--bank", bank, "-o", output}, SIGTERM, [] { return true; });
  EXPECT_EQ(run.exitCode, 143) << run.err;
  EXPECT_TRUE(filesIn(output).empty());
}

TEST_F(Process, FilesWithoutAnEndAreRefused) {
  const Outcome recipe = bankside({"filter", image, "--recipe", "/dev/zero", "-o", output});
  EXPECT_EQ(recipe.exitCode, 2);
  EXPECT_THAT(recipe.err, HasSubstr("/dev/zero: larger than the 1 MiB"));
  std::filesystem::create_symlink("/dev/zero", folder / "bank.json");
  const Outcome bank = bankside({"filter", image, "--bank", folder / "bank.json", "-o", output});
  EXPECT_EQ(bank.exitCode, 3);
  EXPECT_THAT(bank.err, HasSubstr("bank.json: larger than the 64 MiB"));
}

}  // namespace
}  // namespace bankside::testing

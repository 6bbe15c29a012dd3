/// What the program is started with: descriptors, limits, signals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
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

}  // namespace
}  // namespace bankside::testing

/// The pages of `bankside filter` where one request for memory fails, whichever it is: every one is done or
/// failed, or the run says that it does not know.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <streambuf>

#include "core/imageio/image_io.h"
#include "core/log.h"
#include "core/run/recipe_runner.h"
#include "gui/headless/filter_pages.h"
#include "kernels/engines.h"
#include "tests/core/run/stacking_engine.h"
#include "tests/faults/failing_memory.h"
#include "tests/support/made_images.h"

/// Nothing here depends on a disk, which would take most of the time.
extern "C" int fsync(int) { return 0; }

namespace bankside::testing {
namespace {

namespace fs = std::filesystem;
using namespace headless;

/// Of the standard output; asks for no memory.
class Nowhere final : public std::streambuf {
  int overflow(int letter) override { return letter == traits_type::eof() ? 0 : letter; }
};

std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().filename()] = {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  return files;
}

class FilterMemory : public ::testing::Test {
 protected:
  static constexpr int images = 3;

  FilterMemory() {
    std::cout.rdbuf(&nowhere_);
    for (int i = 0; i < images; ++i) {
      const fs::path path = folder / (std::to_string(i) + ".png");
      writeImage(path, randomImage(1, 16, 9, ElementType::U8, static_cast<std::uint64_t>(i)),
                 FileFormat::Png);
      inputs.push_back({path, path.stem(), ""});
    }
    command.output = folder / "out";
    command.recipe.stages.front().bank = "roberts";
    command.recipe.stages.front().combine = Combine::Max;
    command.progress = false;
  }
  ~FilterMemory() override { std::cout.rdbuf(before_); }

  /// Into an empty folder.
  void run(long failing) {
    fs::remove_all(command.output);
    fs::create_directory(command.output);
    report = {};
    RunFiles files;
    RunOptions options;
    options.plan.threads = command.threads;
    options.memoryBudget = command.memory / 2;
    options.writeBehind = true;
    Runner runner = makeRunner(command.recipe, openBanks(command.recipe), options, choose);
    failRequest(failing);
    try {
      tally = filterPages(command, inputs, runner, files, report, {});
    } catch (const std::bad_alloc&) {
      tally = {.lost = "thrown"};  // which ends the program with a sentence
    }
    requests = endFailing();
  }

  /// Whether files and report tell the same story. `good`: the files of a run where nothing fails.
  void expectBalanced(const std::map<std::string, std::string>& good) {
    const auto files = contents(command.output);
    for (const auto& [name, text] : files)
      EXPECT_TRUE(good.contains(name) && good.at(name) == text) << name << " is whole, and no part of a file";
    if (tally.lost.empty()) {
      EXPECT_EQ(tally.done + tally.failed, images);
      EXPECT_EQ(report.images.size(), std::size_t{images});
      EXPECT_LE(tally.failed, 1);
    }
    std::set<std::string> told;
    for (const ImageRun& image : report.images) {
      EXPECT_TRUE(told.insert(image.input).second) << image.input << " once";
      EXPECT_EQ(image.ok, image.error.empty());
      EXPECT_EQ(image.outputs.size(), image.ok ? good.size() / images : 0);
      for (const std::string& name : image.outputs) EXPECT_TRUE(files.contains(name)) << name;
      const std::string start = fs::path(image.input).stem().string() + ".";
      const bool there = std::any_of(files.begin(), files.end(),
                                     [&](const auto& file) { return file.first.starts_with(start); });
      EXPECT_EQ(there, image.ok) << image.input << ": " << image.error;
    }
  }

  void expectBalancedWhateverFails() {
    run(0);
    ASSERT_EQ(tally.done, images);
    const auto good = contents(command.output);
    const long all = requests;
    ASSERT_GT(all, 200);
    for (long number = 1; number <= all; ++number) {
      run(number);
      expectBalanced(good);
      ASSERT_FALSE(HasFailure()) << "request " << number << " of " << all << ": " << tally.lost;
    }
  }

  TemporaryFolder folder;
  FilterCommand command;
  std::vector<InputFile> inputs;
  FilterReport report;
  Tally tally;
  long requests = 0;
  ChooseEngine choose = [](const ConvolutionProblem& problem) -> const Engine& {
    return selectEngine("cpu", problem);
  };

 private:
  Nowhere nowhere_;
  std::streambuf* before_ = std::cout.rdbuf();
};

TEST_F(FilterMemory, IsAccountedForByOneThread) {
  command.threads = 1;
  command.recipe.format = FileFormat::Png;
  command.recipe.map = OutputMap::Stretch;
  expectBalancedWhateverFails();
}

TEST_F(FilterMemory, IsAccountedForByThreads) {
  command.threads = 2;
  expectBalancedWhateverFails();
}

/// One whose plans no two threads may run.
TEST_F(FilterMemory, IsAccountedForByADevice) {
  command.threads = 2;
  const StackingEngine engine;
  choose = always(engine);
  expectBalancedWhateverFails();
}

TEST_F(FilterMemory, IsAccountedForInBands) {
  command.threads = 2;
  command.memory = 1200;
  expectBalancedWhateverFails();
}

TEST_F(FilterMemory, IsAccountedForInChains) {
  command.threads = 2;
  command.recipe.stages.push_back(command.recipe.stages.front());
  command.recipe.stages.front().combine = Combine::None;
  command.recipe.stages.front().activation = Activation::Abs;
  expectBalancedWhateverFails();
}

}  // namespace
}  // namespace bankside::testing

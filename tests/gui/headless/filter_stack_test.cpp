/// Many files in one call: read, filtered and written beside each other, and nothing of it shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/imageio/image_io.h"
#include "core/text.h"
#include "gui/headless/page_memory.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

/// A folder of pictures of several sizes and types, two of which are none.
class FilterStack : public ::testing::Test {
 protected:
  FilterStack() {
    std::filesystem::create_directory(folder / "in");
    for (int i = 0; i < 24; ++i) {
      const std::string name = "in/" + std::string(i < 10 ? "0" : "") + std::to_string(i);
      if (i == 5 || i == 17) {
        std::ofstream(folder / (name + ".png")) << "no picture";
      } else if (i % 7 == 3) {
        writeImage(folder / (name + ".tiff"), randomImage(1, 300, 280, ElementType::F32, seed(i)),
                   FileFormat::Tiff);
      } else {
        const int width = i % 5 == 4 ? 64 : 50;
        writeImage(folder / (name + ".png"),
                   randomImage(i % 6 == 1 ? 3 : 1, 40, width, ElementType::U8, seed(i)), FileFormat::Png);
      }
    }
  }

  static std::uint64_t seed(int i) { return static_cast<std::uint64_t>(i); }

  /// What a run says and leaves behind.
  struct Result {
    Outcome outcome;
    std::map<std::string, std::string> files;
    std::vector<std::string> said;  ///< the input of every line on stdout
    nlohmann::json report;
  };

  Result run(const std::string& output, const std::vector<std::string>& more) {
    const std::string report = folder / (output + ".json");
    std::vector<std::string> words = {"filter", folder / "in",   "--combine", "max",
                                      "-o",     folder / output, "--report",  report};
    words.insert(words.end(), more.begin(), more.end());
    Result result{bankside(words), {}, {}, nlohmann::json::parse(fileText(report), nullptr, false)};
    for (const std::string& name : filesIn(folder / output))
      result.files[name] = fileText(folder / output / name);
    std::istringstream lines(result.outcome.out);
    for (std::string line; std::getline(lines, line);) result.said.push_back(line.substr(0, line.find(": ")));
    return result;
  }

  TemporaryFolder folder;
};

TEST_F(FilterStack, GivesWhatOneThreadGives) {
  // Filters of one size, of several sizes, two banks, and memory in which the larger pictures come in bands.
  const std::vector<std::vector<std::string>> cases = {
      {"--bank", "kirsch"},
      {"--bank", "kirsch", "--no-responses", "--format", "png", "--map", "stretch"},
      {"--bank", "vessel-bar:sigma=0.5/1,along=2,orientations=2", "--no-responses"},
      {"--bank", "sobel", "--then", "laplacian", "--activation", "abs"},
      {"--bank", "kirsch", "--memory", "2M"},
      {"--bank", "sobel", "--verify", "all"}};
  int number = 0;
  for (std::vector<std::string> words : cases) {
    const std::string name = "case" + std::to_string(number++);
    const Result together = run(name, words);
    words.insert(words.end(), {"--threads", "1"});
    const Result apart = run(name + "-apart", words);
    words.back() = "8";
    const Result more = run(name + "-more", words);
    EXPECT_EQ(more.said, apart.said);
    EXPECT_TRUE(more.files == apart.files) << name;
    EXPECT_EQ(together.outcome.exitCode, 3) << together.outcome.err;
    EXPECT_EQ(apart.outcome.exitCode, 3) << apart.outcome.err;
    EXPECT_EQ(together.said.size(), 22u) << together.outcome.out;
    EXPECT_EQ(together.said, apart.said) << "in the order of the files";
    EXPECT_THAT(together.outcome.err, HasSubstr("2 of 24 images failed"));
    ASSERT_EQ(together.report["images"].size(), 24u);
    for (std::size_t i = 0; i < 24; ++i) {
      const auto& a = together.report["images"][i];
      const auto& b = apart.report["images"][i];
      for (const char* field : {"input", "page", "ok", "error", "shape", "notes", "outputs", "bands"})
        EXPECT_EQ(a[field], b[field]) << name << ", image " << i << ", " << field;
    }
    EXPECT_GT(together.files.size(), 21u);
    EXPECT_TRUE(together.files == apart.files) << name;
  }
}

TEST_F(FilterStack, SaysWhatItWasBusyWith) {
  const Result result = run("out", {"--bank", "kirsch"});
  const auto& stages = result.report["stages"];
  double shares = 0;
  std::string busiest;
  double most = -1;
  for (const auto& stage : stages["busy"]) {
    const double share = stage["share"];
    const double busy = stage["busy_us"];
    EXPECT_GT(busy, 0) << stage;
    EXPECT_NEAR(share, busy / (stages["wall_us"].get<double>() * stages["threads"].get<double>()), 1e-9);
    shares += share;
    if (busy > most) busiest = stage["stage"];
    most = std::max(most, busy);
  }
  EXPECT_EQ(stages["busy"].size(), 3u);
  EXPECT_LE(shares, 1.0001);
  EXPECT_EQ(stages["bottleneck"], busiest);
  EXPECT_THAT(result.outcome.err, HasSubstr(busiest + " is the bottleneck"));
}

TEST_F(FilterStack, StopsOnASignalWithWholeFilesOnly) {
  for (int i = 0; i < 200; ++i) {
    writeImage(folder / ("in/more" + std::to_string(i) + ".png"),
               randomImage(1, 400, 400, ElementType::U8, seed(i)), FileFormat::Png);
  }
  const Outcome outcome = banksideKilled({"filter", folder / "in", "--bank", "kirsch", "-o", folder / "out"},
                                         SIGTERM, [&] { return !filesIn(folder / "out").empty(); });
  EXPECT_EQ(outcome.exitCode, 143) << outcome.err;
  int lines = 0;
  for (const char c : outcome.out) lines += c == '\n' ? 1 : 0;
  const auto files = filesIn(folder / "out");
  EXPECT_EQ(files.size(), static_cast<std::size_t>(8 * lines)) << "every picture whole or not there";
  EXPECT_LT(lines, 200);
}

TEST_F(FilterStack, AFullDiskStopsAllOfIt) {
  std::filesystem::create_directory(folder / "small");
  const Outcome outcome = banksideOnSmallDisk(
      {"filter", folder / "in", "--bank", "kirsch", "-o", folder / "small"}, folder / "small");
  if (outcome.exitCode == -1) GTEST_SKIP() << "a small disk cannot be made here";
  EXPECT_EQ(outcome.exitCode, 75) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("nothing more fits"));
}

/// Limits from where the program cannot start on; with how many threads ask for memory when, it ends
/// anywhere.
TEST_F(FilterStack, LosesNoImageWhereMemoryEnds) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve address space of their own";
#endif
  for (long megabytes = 120; megabytes < 340; megabytes += 4) {
    const std::string out = folder / ("out" + std::to_string(megabytes));
    const Outcome run = banksideWithMemoryLimit(
        {"filter", folder / "in", "--bank", "kirsch", "--combine", "max", "--no-responses", "-o", out},
        megabytes << 20);
    const auto done = static_cast<std::size_t>(std::count(run.out.begin(), run.out.end(), '\n'));
    if (run.exitCode != 0 && run.exitCode != 3) continue;
    EXPECT_EQ(run.exitCode, 3) << "two of them are no pictures";
    EXPECT_THAT(run.err, HasSubstr(std::to_string(24 - done) + " of 24 images failed")) << megabytes;
    EXPECT_EQ(filesIn(out).size(), done) << megabytes;
  }
}

/// What stays of an image, its lines in the report, must not keep the memory of its pixels.
TEST(FilterMemory, ALongRunHoldsNoMoreThanAShortOne) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep what is freed";
#endif
  const TemporaryFolder folder;
  const auto peakOf = [&](int images) {
    const std::string name = std::to_string(images);
    std::filesystem::create_directory(folder / name);
    for (int i = 0; i < images; ++i) {
      const int side = i % 3 == 0 ? 450 : 500;
      writeImage(folder / (name + "/" + std::to_string(i) + ".png"),
                 integerImage(3, side, side, ElementType::U8), FileFormat::Png);
    }
    const Outcome run =
        bankside({"filter", folder / name, "--bank", "sobel", "--combine", "magnitude", "--no-responses",
                  "--channel", "green", "--threads", "2", "--memory", "64M", "-o", folder / ("of" + name)});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return run.peakBytes;
  };
  // Long enough that all threads have been at work at the same time.
  EXPECT_LT(peakOf(120), peakOf(36) + (long{16} << 20));
}

TEST(PageMemory, LetsInWhatFitsAndLargePagesAlone) {
  headless::PageMemory memory(1000, {}, 8);
  EXPECT_TRUE(memory.fits(250, 4));
  EXPECT_FALSE(memory.fits(251, 4));
  EXPECT_TRUE(memory.fits(251, 2));
  std::vector<headless::PageMemory::Share> shares;
  for (int i = 0; i < 4; ++i) shares.push_back(memory.take(250).value());
  EXPECT_EQ(memory.pages(), 4);
  EXPECT_FALSE(memory.take(1));
  while (!shares.empty()) {
    EXPECT_FALSE(memory.take(5000)) << "a large page waits for all others";
    shares.pop_back();
  }
  {
    const auto all = memory.take(5000);
    EXPECT_TRUE(all);
    EXPECT_FALSE(memory.take(1));
  }
  for (int i = 0; i < 8; ++i) shares.push_back(memory.take(1).value());
  EXPECT_FALSE(memory.take(1)) << "more than eight help nobody";
}

/// A device's pinned memory, which grows once it is set up.
TEST(PageMemory, LeavesRoomForWhatOthersTake) {
  std::int64_t others = 0;
  headless::PageMemory memory(1000, [&] { return others; });
  std::vector<headless::PageMemory::Share> shares;
  for (int i = 0; i < 2; ++i) shares.push_back(memory.take(300).value());
  others = 200;
  EXPECT_FALSE(memory.take(300));
  shares.push_back(memory.take(200).value());
  others = 5000;
  EXPECT_FALSE(memory.take(1));
  shares.resize(1);
  EXPECT_TRUE(memory.take(200)) << "half is the pages'";
  EXPECT_FALSE(memory.take(201));
}

TEST(PageMemory, LetsMoreInWhileSomeWait) {
  headless::PageMemory memory(1000);
  std::vector<headless::PageMemory::Share> shares;
  const auto take = [&] {
    auto share = memory.take(250);
    if (share) shares.push_back(std::move(*share));
    return share.has_value();
  };
  while (take()) shares.back().keep(50);
  EXPECT_EQ(shares.size(), 11u) << "a quarter is left for what they gave back";
  EXPECT_TRUE(shares[0].restore(false));
  EXPECT_TRUE(shares[0].restore(false)) << "it has all";
  EXPECT_TRUE(shares[1].restore(false));
  EXPECT_FALSE(shares[2].restore(false));
  EXPECT_TRUE(shares[2].restore(true)) << "one always may";
  EXPECT_FALSE(take());
  shares.erase(shares.begin(), shares.begin() + 3);
  EXPECT_TRUE(shares.front().restore(false));
  shares.clear();
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(take()) << "nobody waits: all of it is theirs";
}

TEST(PageMemory, KeepsPlanesWhileThereIsRoom) {
  headless::PageMemory memory(4096);
  const auto give = [&](int rows) {
    std::vector<Image> planes;
    planes.emplace_back(1, rows, 16, ElementType::F32);  // 64 bytes a row
    memory.give(std::move(planes));
  };
  EXPECT_TRUE(memory.spare().empty());
  give(65);
  EXPECT_TRUE(memory.spare().empty()) << "there is no room for it";
  give(32);
  give(32);
  give(1);
  EXPECT_EQ(memory.spare().size(), 1u);
  const auto share = memory.take(1024);
  EXPECT_EQ(memory.spare().size(), 1u) << "a page may take what the other had";
  EXPECT_TRUE(memory.spare().empty());
}

}  // namespace
}  // namespace bankside::testing

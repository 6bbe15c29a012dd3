/// What people get wrong with batches, and what they are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>

#include "core/imageio/image_io.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class BatchMistakes : public ::testing::Test {
 protected:
  BatchMistakes() {
    fs::create_directory(in_);
    for (int i = 0; i < 4; ++i)
      writeImage(in_ / (std::to_string(i) + ".png"), integerImage(1, 12, 16, ElementType::U8),
                 FileFormat::Png);
  }
  Outcome plan(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"batch",      "plan",    in_,      folder_ / "out",
                                      "--manifest", manifest_, "--bank", "scharr"};
    words.insert(words.end(), more.begin(), more.end());
    return bankside(words);
  }
  static std::string refused(const std::vector<std::string>& words) {
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 2) << run.err;
    return run.err;
  }

  TemporaryFolder folder_;
  fs::path in_ = folder_ / "in";
  std::string manifest_ = folder_ / "study.jsonl";
};

TEST_F(BatchMistakes, AFileThatIsNotThereIsAWrongCommand) {
  for (const char* action : {"merge", "audit"})
    EXPECT_THAT(refused({"batch", action, "--manifest", manifest_}),
                HasSubstr("study.jsonl: there is no such file"));
  EXPECT_THAT(refused({"batch", "emit", "slurm", "--manifest", manifest_, "--shards", "2"}),
              HasSubstr("study.jsonl: there is no such file"));
  const Outcome listed = plan({"--list", folder_ / "l.csv"});
  EXPECT_EQ(listed.exitCode, 2);
  EXPECT_THAT(listed.err, HasSubstr("l.csv: there is no such file"));
  EXPECT_THAT(listed.err, Not(HasSubstr("GPU"))) << "what is refused needs no remark";
  // To a scheduler: no other try helps.
  EXPECT_EQ(bankside({"batch", "run", "--manifest", manifest_}).exitCode, 42);
}

/// A mount is another way to a folder, and no link says so.
TEST_F(BatchMistakes, ResultsAreNotPutAmongTheImagesThroughAMount) {
  constexpr int noMounts = 99;
  const fs::path there = folder_ / "there";
  fs::create_directory(there);
  for (const fs::path& output : {there, there / "new"}) {
    const Outcome run = banksideAfter(
        [&] {
          if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 ||
              mount(in_.c_str(), there.c_str(), nullptr, MS_BIND, nullptr) != 0)
            _exit(noMounts);
        },
        {"batch", in_, output, "--bank", "sobel"});
    if (run.exitCode == noMounts) GTEST_SKIP() << "nothing can be mounted here";
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, HasSubstr("lies in the folder of the images"));
    EXPECT_EQ(filesIn(in_).size(), 4u);
  }
}

TEST_F(BatchMistakes, UsageErrorsSayWhatIsWrong) {
  EXPECT_THAT(refused({"batch"}), HasSubstr("batch needs IN and OUT"));
  EXPECT_THAT(refused({"batch", in_, folder_ / "out"}), HasSubstr("needs --bank"));
  EXPECT_THAT(refused({"batch", in_, in_ / "out", "--bank", "sobel"}),
              HasSubstr("lies in the folder of the images"));
  EXPECT_FALSE(fs::exists(in_ / "out"));
  EXPECT_THAT(refused({"batch", "run", "--manifest", "m", "--shard", "3/3"}),
              HasSubstr("\"3/3\" is none of 0/N to N-1/N"));
  EXPECT_THAT(refused({"batch", "run", "--manifest", "m", "--max-failures", "many"}),
              HasSubstr("\"many\" is none of 0, 1, ... or 0% to 100%"));
  EXPECT_THAT(refused({"batch", "emit"}), HasSubstr("SCHEDULER is required"));
  EXPECT_THAT(refused({"batch", "emit", "cron", "--manifest", "m", "--shards", "2"}),
              HasSubstr("\"cron\" is none"));
  fs::copy_file(in_ / "0.png", in_ / "0.tif");
  const Outcome twice = plan();
  EXPECT_EQ(twice.exitCode, 2);
  EXPECT_THAT(twice.err, HasSubstr("0.png and 0.tif would both give results"));
  EXPECT_FALSE(fs::exists(manifest_));
  fs::remove_all(in_);
  fs::create_directory(in_);
  EXPECT_EQ(plan().exitCode, 5);
}

TEST_F(BatchMistakes, APatternThatNothingMatchesIsNamed) {
  const Outcome none = plan({"--glob", "*.bmp", "--glob", "*.gif"});
  EXPECT_EQ(none.exitCode, 5);
  EXPECT_THAT(none.err, HasSubstr("match *.bmp and *.gif"));
}

TEST_F(BatchMistakes, WhatIsNoManifestIsNone) {
  std::ofstream(manifest_) << "no plan";
  const Outcome none = bankside({"batch", "run", "--manifest", manifest_});
  EXPECT_EQ(none.exitCode, 42);
  EXPECT_THAT(none.err, HasSubstr("is no manifest of bankside batch plan"));
}

TEST_F(BatchMistakes, WhatPodsWillNotFindIsSaid) {
  ASSERT_EQ(plan().exitCode, 0);
  const auto emitted = [&](const std::string& mount) {
    const Outcome run = bankside({"batch", "emit", "kubernetes", "--manifest", manifest_, "--shards", "2",
                                  "--image", "i", "--volume", "v", "--mount", mount});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return run.err;
  };
  EXPECT_EQ(emitted(folder_.path()), "");
  EXPECT_EQ(emitted(folder_.path().string() + "/"), "");
  EXPECT_EQ(emitted("/"), "");
  const std::string elsewhere = emitted("/data");
  for (const char* name : {"study.jsonl", "in", "out"})
    EXPECT_THAT(elsewhere, HasSubstr((folder_ / name).string() + ": does not lie below --mount /data"));
}

/// As where it is mounted elsewhere, or not yet: worth another try, and no image is said to be bad.
TEST_F(BatchMistakes, AFolderOfImagesThatIsNotThereIsWorthAnotherTry) {
  ASSERT_EQ(plan().exitCode, 0);
  fs::rename(in_, folder_ / "away");
  const Outcome away = bankside({"batch", "run", "--manifest", manifest_});
  EXPECT_EQ(away.exitCode, 75);
  EXPECT_THAT(away.err, HasSubstr("in: no images here: No such file or directory"));
  EXPECT_THAT(bankside({"batch", "merge", "--manifest", manifest_}).out, HasSubstr("failed 0, untried 4"));
  EXPECT_EQ(bankside({"batch", "run", "--manifest", manifest_, "--input", folder_ / "away"}).exitCode, 0);
}

}  // namespace
}  // namespace bankside::testing

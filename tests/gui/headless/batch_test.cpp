/// Batches as a lab runs them: in shards, killed, gone on with.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "core/imageio/image_io.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class Batch : public ::testing::Test {
 protected:
  /// Images in three folders.
  void makeImages(int count) {
    for (int i = 0; i < count; ++i) {
      const fs::path file = in /
                            (i % 3 == 0   ? "left"
                             : i % 3 == 1 ? "right"
                                          : ".") /
                            (std::to_string(i) + ".png");
      fs::create_directories(file.parent_path());
      writeImage(file, integerImage(1, 12 + i % 5, 16, ElementType::U8), FileFormat::Png);
    }
  }
  std::vector<std::string> planWords(const fs::path& to) {
    return {"batch", "plan", in, to, "--manifest", manifest, "--bank", "sobel", "--combine", "magnitude"};
  }
  void plan(const fs::path& to) {
    const Outcome run = bankside(planWords(to));
    ASSERT_EQ(run.exitCode, 0) << run.err;
  }
  std::vector<std::string> runWords(const std::string& shard = "0/1") {
    return {"batch", "run", "--manifest", manifest, "--shard", shard, "--no-progress"};
  }
  Outcome run(const std::string& shard = "0/1", const std::vector<std::string>& more = {}) {
    auto words = runWords(shard);
    words.insert(words.end(), more.begin(), more.end());
    return bankside(words);
  }
  Outcome audit() { return bankside({"batch", "audit", "--manifest", manifest}); }
  Outcome merge() { return bankside({"batch", "merge", "--manifest", manifest}); }

  /// Every file below a folder with its bytes.
  static std::map<std::string, std::string> tree(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files[entry.path().lexically_relative(folder)] = fileText(entry.path());
    }
    return files;
  }
  static std::map<std::string, fs::file_time_type> times(const fs::path& folder) {
    std::map<std::string, fs::file_time_type> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files[entry.path()] = entry.last_write_time();
    }
    return files;
  }
  std::vector<fs::path> journals() {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(manifest + ".journals", none)) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
    return files;
  }
  int entries() {
    int lines = 0;
    for (const fs::path& file : journals()) {
      for (const char letter : fileText(file)) lines += letter == '\n' ? 1 : 0;
    }
    return lines;
  }

  TemporaryFolder folder;
  fs::path in = folder / "in";
  fs::path out = folder / "out";
  std::string manifest = folder / "study.jsonl";
};

TEST_F(Batch, IsOneCommandThatGoesOn) {
  makeImages(7);
  std::ofstream(in / "left" / "broken.png") << "no picture";
  const std::vector<std::string> words = {
      "batch", in, out, "--bank", "sobel", "--csv", folder / "report.csv", "--json", folder / "report.json"};
  const Outcome first = bankside(words);
  EXPECT_EQ(first.exitCode, 3) << first.err;
  EXPECT_THAT(first.err, HasSubstr("left/broken.png: is not an image"));
  EXPECT_THAT(first.out, HasSubstr("done 7 of 8 images, failed 1, untried 0; 14 results"));
  EXPECT_EQ(filesIn(out / "right").size(), 4u);
  const auto report = nlohmann::json::parse(fileText(folder / "report.json"));
  EXPECT_EQ(report["failures"][0]["id"], "left/broken.png");
  EXPECT_EQ(report["failures"][0]["class"], "bad input");
  EXPECT_THAT(fileText(folder / "report.csv"), HasSubstr("\nright/1.png,done,1,"));
  const auto before = times(out / "right");

  // The file is replaced by a good one, which is no longer the one that was planned.
  const Outcome again = bankside(words);
  EXPECT_EQ(again.exitCode, 3);
  EXPECT_THAT(again.out, HasSubstr("7 of 8 images done, 7 of them before; 1 failed"));
  writeImage(in / "left" / "broken.png", integerImage(1, 9, 9, ElementType::U8), FileFormat::Png);
  const Outcome other = bankside(words);
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_THAT(other.err, HasSubstr("is a plan of other images or settings"));
  auto anew = words;
  anew.push_back("--plan-anew");
  const Outcome whole = bankside(anew);
  EXPECT_EQ(whole.exitCode, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("done 8 of 8 images"));
  EXPECT_EQ(times(out / "right"), before) << "results that stand are not touched";
}

TEST_F(Batch, APlanThatComesBackDoesNotTakeAnothersResultsForItsOwn) {
  makeImages(2);
  const auto with = [&](const char* bank) {
    return bankside({"batch", in, out, "--bank", bank, "--plan-anew", "--force"});
  };
  const auto results = [&] {
    auto files = tree(out);
    std::erase_if(files, [](const auto& file) { return !file.first.ends_with(".tiff"); });
    return files;
  };
  ASSERT_EQ(with("gaussian:sigma=2").exitCode, 0);
  const auto expected = results();
  ASSERT_EQ(with("gaussian:sigma=3").exitCode, 0);
  ASSERT_NE(results(), expected) << "of the same names";
  EXPECT_EQ(with("gaussian:sigma=2").exitCode, 0);
  EXPECT_EQ(results(), expected);
}

TEST_F(Batch, AContactSheetShowsTheRun) {
  makeImages(3);
  std::ofstream(in / "left" / "broken.png") << "no picture";
  const std::string sheet = folder / "sheet.html";
  EXPECT_EQ(bankside({"batch", in, out, "--bank", "sobel", "--sheet", sheet}).exitCode, 3);
  const std::string whole = fileText(sheet);
  EXPECT_LT(whole.find("<h2>left/broken.png</h2>"), whole.find("<h2>2.png</h2>"));
  manifest = out / "manifest.jsonl";
  const std::string again = folder / "again.html";
  EXPECT_EQ(bankside({"batch", "merge", "--manifest", manifest, "--sheet", again}).exitCode, 3);
  EXPECT_EQ(fileText(again), whole);
}

TEST_F(Batch, ShardsAndThreadsChangeNoByte) {
  makeImages(20);
  plan(folder / "one");
  ASSERT_EQ(run("0/1", {"--threads", "1"}).exitCode, 0);
  EXPECT_EQ(audit().exitCode, 0) << audit().out;
  const auto expected = tree(folder / "one");
  EXPECT_EQ(expected.size(), 60u);
  for (const int count : {2, 5}) {
    const fs::path to = folder / std::to_string(count);
    manifest = folder / ("study" + std::to_string(count) + ".jsonl");
    plan(to);
    for (int i = count - 1; i >= 0; --i)
      ASSERT_EQ(run(std::to_string(i) + "/" + std::to_string(count), {"--threads", "2", "--memory", "64M"})
                    .exitCode,
                0);
    EXPECT_EQ(audit().exitCode, 0) << audit().out;
    EXPECT_EQ(tree(to), expected) << count;
  }
}

TEST_F(Batch, AnotherCountOfShardsGoesOn) {
  makeImages(20);
  plan(out);
  ASSERT_EQ(run("1/3").exitCode, 0);
  const int before = entries();
  const Outcome rest = run("0/1");
  EXPECT_EQ(rest.exitCode, 0);
  EXPECT_THAT(rest.out, HasSubstr("20 of 20 images done, " + std::to_string(before) + " of them before"));
  EXPECT_EQ(entries(), 20);
  EXPECT_EQ(audit().exitCode, 0);
}

/// Killed with no warning at random entries of its journal, ever again, until it comes to an end.
TEST_F(Batch, KilledAnywhereItEndsWithTheSameTree) {
  const int images = 120;
  makeImages(images);
  plan(folder / "undisturbed");
  ASSERT_EQ(run().exitCode, 0);
  const auto expected = tree(folder / "undisturbed");

  manifest = folder / "killed.jsonl";
  plan(out);
  std::mt19937 random(7);
  // Entry after entry, however many threads there are.
  std::vector<std::string> words = runWords();
  words.insert(words.end(), {"--threads", "1"});
  int kills = 0;
  for (int code = -SIGKILL; code == -SIGKILL; ++kills) {
    const int wanted = entries() + static_cast<int>(random() % 16);
    code = banksideKilled(words, SIGKILL, [&] { return entries() >= wanted; }).exitCode;
  }
  EXPECT_GT(kills, 5);
  ASSERT_EQ(run().exitCode, 0);
  EXPECT_EQ(merge().exitCode, 0);
  EXPECT_EQ(audit().exitCode, 0) << audit().out;
  EXPECT_EQ(tree(out), expected);
}

TEST_F(Batch, AStopFinishesWhatIsUnderWay) {
  makeImages(60);
  plan(out);
  for (const int signal : {SIGTERM, SIGINT}) {
    const int wanted = entries() + 5;
    const Outcome stopped = banksideKilled(runWords(), signal, [&] { return entries() >= wanted; });
    if (stopped.exitCode == 0) continue;  // it was faster
    EXPECT_EQ(stopped.exitCode, 128 + signal) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("what is finished is kept, and the same command goes on"));
    EXPECT_THAT(audit().out, Not(HasSubstr("part:")));
    EXPECT_THAT(audit().out, Not(HasSubstr("unexpected:"))) << "whatever is there is in the journal";
  }
  EXPECT_EQ(run().exitCode, 0);
  EXPECT_EQ(audit().exitCode, 0);
}

TEST_F(Batch, AShardIsLockedWhileItRuns) {
  makeImages(2);
  plan(out);
  ASSERT_EQ(run("0/1").exitCode, 0);
  const int held = open(journals().front().c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  const Outcome second = run("0/1");
  EXPECT_EQ(second.exitCode, 75);
  EXPECT_THAT(second.err, HasSubstr("another run has shard 0/1"));
  close(held);
  EXPECT_EQ(run("0/1").exitCode, 0);
}

TEST_F(Batch, OnlyWhatWasPlannedRuns) {
  makeImages(3);
  const std::string bank = folder / "bank.json";
  ASSERT_EQ(bankside({"banks", "export", "sobel", bank}).exitCode, 0);
  const auto planned = bankside({"batch", "plan", in, out, "--manifest", manifest, "--bank", bank});
  ASSERT_EQ(planned.exitCode, 0) << planned.err;
  const std::string text = fileText(manifest);
  std::ofstream(manifest) << text.substr(0, text.size() / 2);
  EXPECT_EQ(run().exitCode, 42);
  std::ofstream(manifest) << text;
  ASSERT_EQ(bankside({"banks", "export", "kirsch", bank, "--force"}).exitCode, 0);
  const Outcome other = run();
  EXPECT_EQ(other.exitCode, 42);
  EXPECT_THAT(other.err, HasSubstr("is not what it was when this was planned"));
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(Batch, ImagesThatChangeOrGoAreFailures) {
  makeImages(6);
  plan(out);
  fs::remove(in / "left" / "0.png");
  writeImage(in / "left" / "3.png", integerImage(1, 30, 31, ElementType::U8), FileFormat::Png);
  const Outcome first = run();
  EXPECT_EQ(first.exitCode, 3);
  EXPECT_THAT(first.err, HasSubstr("0.png: cannot open: No such file"));
  EXPECT_THAT(first.err, HasSubstr("3.png: changed after it was planned"));
  writeImage(in / "right" / "1.png", integerImage(1, 30, 31, ElementType::U8), FileFormat::Png);
  EXPECT_THAT(audit().out, HasSubstr("stale: 1\n  right/1.png\n"));
}

TEST_F(Batch, AuditFindsWhatIsNotAsItShouldBe) {
  makeImages(6);
  plan(out);
  ASSERT_EQ(run("0/1", {"--verify-done", "hash"}).exitCode, 0);
  const auto audited = [&](const std::string& how) {
    return bankside({"batch", "audit", "--manifest", manifest, "--verify-done", how});
  };
  EXPECT_EQ(audited("hash").exitCode, 0);
  const fs::path result = out / "left" / "0.magnitude.tiff";
  const std::string bytes = fileText(result);
  std::string changed = bytes;
  changed.back() = static_cast<char>(changed.back() + 1);
  std::ofstream(result, std::ios::binary) << changed;
  EXPECT_EQ(audited("size").exitCode, 0);
  EXPECT_THAT(audited("hash").out, HasSubstr("torn: 1\n  left/0.png\n"));
  fs::resize_file(result, bytes.size() - 1);
  EXPECT_THAT(audited("size").out, HasSubstr("torn: 1\n"));
  // It is not ours to replace what somebody changed; what is gone is made again.
  EXPECT_EQ(run().exitCode, 3);
  fs::remove(result);
  EXPECT_THAT(audited("size").out, HasSubstr("failed: 1\n"));
  EXPECT_EQ(run().exitCode, 0);
  EXPECT_EQ(fileText(result), bytes);
  EXPECT_THAT(audited("hash").out, HasSubstr("not verified: 3 results"));
  std::ofstream(out / "right" / "other.tiff") << "x";
  EXPECT_THAT(audited("size").out, HasSubstr("unexpected: 1\n  right/other.tiff\n"));
}

TEST_F(Batch, GivesUpWhereItIsAskedTo) {
  makeImages(3);
  for (int i = 0; i < 40; ++i) std::ofstream(in / ("bad" + std::to_string(i) + ".png")) << "no picture";
  plan(out);
  const Outcome some = run("0/1", {"--max-failures", "5", "--threads", "1"});
  EXPECT_EQ(some.exitCode, 3);
  EXPECT_THAT(some.err, HasSubstr("gave up, as more than 5 images failed"));
  EXPECT_LT(entries(), 43);
  EXPECT_EQ(run("0/1", {"--max-failures", "95%"}).exitCode, 3);
  EXPECT_THAT(merge().out, HasSubstr("done 3 of 43 images, failed 40, untried 0"));
}

TEST_F(Batch, AFullDiskIsWorthAnotherTry) {
  makeImages(30);
  const fs::path disk = folder / "disk";
  fs::create_directory(disk);
  plan(disk / "out");
  const Outcome full = banksideOnSmallDisk(runWords(), disk);
  if (full.exitCode < 0) GTEST_SKIP() << "no disk can be mounted here";
  EXPECT_EQ(full.exitCode, 75) << full.err;
  EXPECT_THAT(full.err, HasSubstr("No space left"));
  EXPECT_THAT(full.out, HasSubstr("; 0 failed"));
  // That disk went with its process, and with it results that the journal has.
  EXPECT_EQ(run().exitCode, 0);
  EXPECT_EQ(audit().exitCode, 0) << audit().out;
}

TEST_F(Batch, EveryImageHasItsScale) {
  makeImages(4);
  std::ofstream(folder / "list.csv") << "fundus,pixels_per_degree\nleft/0.png,10\nleft/3.png,20\n2.png,10\n";
  std::ofstream(folder / "recipe.json") << R"({"bankside": "recipe", "version": 4, "steps": [
    {"do": "unit"}, {"do": "resample", "scale": 10}, {"bank": "box:size=3"}, {"do": "restore"}]})";
  const Outcome planned = bankside({"batch", "plan", in, out, "--manifest", manifest, "--recipe",
                                    folder / "recipe.json", "--list", folder / "list.csv"});
  ASSERT_EQ(planned.exitCode, 0) << planned.err;
  std::ofstream(folder / "part.csv") << "fundus,pixels_per_degree\nleft/0.png,10\n2.png,\n";
  EXPECT_THAT(bankside({"batch", "plan", in, out, "--manifest", folder / "part.jsonl", "--recipe",
                        folder / "recipe.json", "--list", folder / "part.csv"})
                  .err,
              HasSubstr("say how many the image has (--scale; in Python scale=, in C pixels_per_degree)"));
  EXPECT_EQ(run().exitCode, 0);
  EXPECT_EQ(audit().exitCode, 0);
  for (const auto& [image, scale] : {std::pair{"left/0", "10"}, {"left/3", "20"}}) {
    const fs::path alone = folder / "alone";
    ASSERT_EQ(bankside({"filter", in / (std::string(image) + ".png"), "--recipe", folder / "recipe.json",
                        "--scale", scale, "-o", alone})
                  .exitCode,
              0);
  }
  for (const std::string& name : filesIn(folder / "alone"))
    EXPECT_EQ(fileText(folder / "alone" / name), fileText(out / "left" / name)) << name;
}

TEST_F(Batch, ASampleIsVerified) {
  makeImages(30);
  auto words = planWords(out);
  words.insert(words.end(), {"--verify", "reference", "--sample", "30%"});
  ASSERT_EQ(bankside(words).exitCode, 0);
  ASSERT_EQ(run().exitCode, 0);
  ASSERT_EQ(bankside({"batch", "merge", "--manifest", manifest, "--json", folder / "r.json"}).exitCode, 0);
  const auto report = nlohmann::json::parse(fileText(folder / "r.json"));
  EXPECT_GT(report["verified"].get<int>(), 0);
  EXPECT_LT(report["verified"].get<int>(), 30);
  EXPECT_FALSE(report["worst"].empty());
}

TEST_F(Batch, ScriptsAreWhatTheirEnginesRead) {
  makeImages(2);
  plan(out);
  fs::rename(manifest, folder / "a study's.jsonl");
  manifest = folder / "a study's.jsonl";
  const auto emitted = [&](const std::string& engine, const std::string& checker) {
    const Outcome script = bankside({"batch", "emit", engine, "--manifest", manifest, "--shards", "3",
                                     "--image", "bankside:1", "--volume", "study", "--mount", "/study"});
    EXPECT_EQ(script.exitCode, 0) << script.err;
    const std::string file = folder / ("script-" + engine);
    std::ofstream(file) << script.out;
    EXPECT_EQ(std::system((checker + " " + file + " > /dev/null 2>&1").c_str()), 0) << script.out;
    return script.out;
  };
  EXPECT_THAT(emitted("slurm", "bash -n"), HasSubstr("#SBATCH --array=0-2\n"));
  EXPECT_THAT(emitted("parallel", "bash -n"), HasSubstr("seq 0 2 | parallel"));
  EXPECT_THAT(emitted("snakemake", "true"), HasSubstr("SHARDS = 3\n"));
  EXPECT_THAT(emitted("nextflow", "true"), HasSubstr("params.shards = 3\n"));
  EXPECT_THAT(emitted("dask", "python3 -m py_compile"), HasSubstr("SHARDS = 3\n"));
  EXPECT_THAT(emitted("ray", "python3 -m py_compile"), HasSubstr("SHARDS = 3\n"));
  const bool yaml = std::system("/usr/bin/python3 -c 'import yaml' > /dev/null 2>&1") == 0;
  EXPECT_THAT(
      emitted("kubernetes",
              yaml ? "/usr/bin/python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))'" : "true"),
      HasSubstr("completions: 3\n"));
}

}  // namespace
}  // namespace bankside::testing

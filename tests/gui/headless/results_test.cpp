/// Result files are those of one image and of one run, and nothing else is touched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/imageio/image_io.h"
#include "tests/core/imageio/image_files.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
  for (std::uint64_t i = 0; i < 30; ++i) picture("p" + std::to_string(i) + ".png", 1, i);
  const auto words = [&](const std::string& border, const std::string& output) {
    return std::vector<std::string>{"filter", in,   "--bank", "kirsch",   "--combine",
                                    "max",    "-o", output,   "--border", border};
  };
  ASSERT_EQ(bankside(words("wrap", folder / "wrap")).exitCode, 0);
  ASSERT_EQ(bankside(words("constant=9", folder / "constant")).exitCode, 0);
  const auto wrap = contents(folder / "wrap");
  const auto constant = contents(folder / "constant");
  for (int round = 0; round < 2; ++round) {
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
    EXPECT_EQ(done(one).size() + done(other).size(), 30u) << "one of them has it";
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

/// A bank of filters of one tap with these labels, as a file.
void writeLabels(const std::filesystem::path& file, const std::vector<std::string>& labels) {
  std::string filters;
  int tap = 0;
  for (const std::string& label : labels) {
    filters += (filters.empty() ? "" : ", ") + std::string("{\"label\": \"") + label +
               "\", \"height\": 1, \"width\": 1, \"taps\": [" + std::to_string(++tap) + "]}";
  }
  std::ofstream(file) << "{\"schemaVersion\": 1, \"filters\": [" << filters << "]}";
}

void writePages(const std::filesystem::path& file, int pages) {
  for (int page = 0; page < pages; ++page)
    writeTiff(
        file, {.width = 20, .height = 10}, [&](int, int y, int x) { return 7 * y + x + page; },
        page == 0 ? "w" : "a");
}

TEST_F(Results, OfOneNameAreRefusedBeforeTheWork) {
  writePages(in / "scan.tif", 3);
  const std::string bank = folder / "bank.json";
  writeLabels(bank, {"x.y", "y", "max"});
  const std::string colour = picture("eye.png", 3);
  const std::vector<std::vector<std::string>> cases = {
      {in / "scan.tif", picture("scan.page1.png"), "--bank", "laplacian"},
      {colour, picture("eye.green.png"), "--bank", "laplacian", "--channel", "all"},
      {picture("a.x.png"), picture("a.png"), "--bank", bank},
      {picture("b.png"), "--bank", bank, "--combine", "max"}};
  const auto before = contents(in);
  for (std::vector<std::string> words : cases) {
    words.insert(words.begin(), "filter");
    words.insert(words.end(), {"-o", out});
    for (int force = 0; force < 2; ++force) {
      const Outcome run = bankside(words);
      EXPECT_EQ(run.exitCode, 2) << run.err;
      EXPECT_THAT(run.err, HasSubstr("a result of " + words[1]));
      EXPECT_FALSE(std::filesystem::exists(out));
      words.push_back("--force");
    }
  }
  EXPECT_TRUE(contents(in) == before);
  EXPECT_EQ(bankside({"filter", colour, in / "eye.green.png", "--bank", "laplacian", "-o", out}).exitCode, 0)
      << "luma has no colour's name";
}

TEST_F(Results, OfOneNameAreRefusedOnTheWay) {
  writePages(in / "scan.tif", 3);
  const std::string other = picture("scan.page1.png");
  writePages(in / "scan.page1.tif", 1);
  const Outcome run = bankside({"filter", in / "scan.tif", in / "scan.page1.tif", "--channel", "pages",
                                "--bank", "laplacian", "--force", "-o", out});
  EXPECT_EQ(run.exitCode, 3) << run.err;
  EXPECT_THAT(run.err, HasSubstr("scan.page1.laplacian4.tiff: is a result of " + (in / "scan.tif").string()));
  EXPECT_THAT(run.err, HasSubstr("1 of 2 images failed"));
  EXPECT_EQ(filesIn(out).size(), 3u);
}

TEST_F(Results, ReportsReplaceNothingOfTheRun) {
  const std::string image = picture("a.png");
  const std::string bank = folder / "bank.json";
  writeLabels(bank, {"x"});
  const std::string recipe = folder / "recipe.json";
  ASSERT_EQ(bankside({"filter", image, "--bank", bank, "-o", out, "--save-recipe", recipe}).exitCode, 0);
  const std::string result = std::filesystem::path(out) / "a.x.tiff";
  const std::string link = folder / "link";
  std::filesystem::create_symlink(bank, link);
  const std::string fresh = folder / "fresh";
  const std::vector<std::string> filter = {"filter", in, "--recipe", recipe, "-o", out, "--force"};
  const std::vector<std::string> compare = {"compare", image, "--bank", bank};
  const std::string truth = folder / "a_truth.png";
  std::filesystem::copy_file(image, truth);
  const std::vector<std::string> evaluate = {"evaluate", "--images", image, "--recipe",
                                             recipe,     "--truth",  truth};
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> cases = {
      {filter, {"--report", bank}},
      {filter, {"--report", link}},
      {filter, {"--report", recipe}},
      {filter, {"--report", image}},
      {filter, {"--report", result}},
      {filter, {"--report", in / "new.png"}},
      {filter, {"--report", folder / "somebodys.png"}},
      {filter, {"--save-recipe", recipe}},
      {filter, {"--save-recipe", bank}},
      {filter, {"--report", fresh, "--save-recipe", fresh}},
      {evaluate, {"--json", bank}},
      {evaluate, {"--csv", recipe}},
      {evaluate, {"--plot", bank}},
      {evaluate, {"--plot", truth}},
      {compare, {"--json", bank}},
      {compare, {"--csv", image}},
      {compare, {"--markdown", link}},
      {compare, {"--json", fresh, "--csv", fresh}},
      {{"bench", "cpu", "--with-rows", recipe}, {"--json", recipe}},
      {{"banks", "export"}, {bank, bank, "--force"}}};
  const auto files = [&] {
    return std::tuple(contents(in), contents(out), fileText(bank), fileText(recipe));
  };
  const auto before = files();
  for (const auto& [start, more] : cases) {
    auto words = start;
    words.insert(words.end(), more.begin(), more.end());
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 2) << more.back() << run.err;
    EXPECT_THAT(run.err, HasSubstr(more[1] == bank ? bank + ": is" : more.back() + ": is"));
    EXPECT_TRUE(files() == before) << more.back();
    EXPECT_FALSE(std::filesystem::exists(fresh));
  }
}

/// Neither before the work nor behind it.
TEST_F(Results, ReportsOfABatchReplaceNothingThatItNeeds) {
  const std::string image = picture("a.png");
  const std::string bank = folder / "bank.json";
  const std::string recipe = folder / "recipe.json";
  const std::string list = folder / "list.csv";
  const std::string manifest = folder / "study.jsonl";
  writeLabels(bank, {"x"});
  ASSERT_EQ(
      bankside({"filter", image, "--bank", bank, "-o", folder / "one", "--save-recipe", recipe}).exitCode, 0);
  std::ofstream(list) << "image\na.png\n";
  const std::vector<std::string> whole = {"batch",  in,   out,          "--recipe", recipe,
                                          "--list", list, "--manifest", manifest,   "--no-progress"};
  const auto refused = [](std::vector<std::string> words, const std::string& option,
                          const std::string& file) {
    const std::string before = fileText(file);
    words.insert(words.end(), {option, file});
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 2) << option << run.err;
    EXPECT_THAT(run.err, HasSubstr(file + ": is"));
    EXPECT_EQ(fileText(file), before) << option;
  };
  for (const std::string option : {"--json", "--csv", "--sheet"}) {
    for (const std::string& file : {bank, recipe, list, image}) refused(whole, option, file);
  }
  EXPECT_FALSE(std::filesystem::exists(manifest)) << "before the work";
  ASSERT_EQ(bankside(whole).exitCode, 0);
  const std::filesystem::path journals = manifest + ".journals";
  ASSERT_FALSE(filesIn(journals).empty());
  const std::string journal = journals / filesIn(journals).front();
  for (const std::string& file : {bank, manifest, journal}) {
    for (const std::string option : {"--json", "--csv", "--sheet"})
      refused({"batch", "merge", "--manifest", manifest}, option, file);
    refused({"batch", "audit", "--manifest", manifest}, "--json", file);
  }
  EXPECT_EQ(bankside({"batch", "audit", "--manifest", manifest}).exitCode, 0);
}

TEST_F(Results, ReplaceNoInputOfTheRun) {
  const std::string image = picture("a.png");
  const std::string other = picture("b.png", 1, 2);
  ASSERT_EQ(bankside({"filter", image, "--bank", "laplacian", "-o", out}).exitCode, 0);
  const std::filesystem::path result = std::filesystem::path(out) / "a.laplacian4.tiff";
  const std::string text = fileText(result);
  const Outcome run =
      bankside({"filter", image, result, "--bank", "laplacian", "--border", "wrap", "--force", "-o", out});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_THAT(run.err, HasSubstr(result.string() + ": is an input; a result of " + image));
  EXPECT_EQ(fileText(result), text);
  // Through a link, from an image of which nobody would think so before it is opened.
  std::filesystem::remove(result);
  std::filesystem::create_symlink(other, result);
  const std::string before = fileText(other);
  const Outcome linked =
      bankside({"filter", other, image, "--bank", "laplacian", "--force", "-o", out, "--no-progress"});
  EXPECT_EQ(linked.exitCode, 3);
  EXPECT_THAT(linked.err, HasSubstr("is an input"));
  EXPECT_EQ(fileText(other), before);
}

TEST_F(Results, ALinkThatLeadsNowhereStays) {
  const std::string image = picture("a.png");
  std::filesystem::create_symlink(folder / "nowhere", out);
  const Outcome run = bankside({"filter", image, "--bank", "laplacian", "-o", out});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_THAT(run.err, HasSubstr(out + ": cannot be made a folder"));
  EXPECT_TRUE(std::filesystem::is_symlink(out));
  const Outcome report =
      bankside({"filter", image, "--bank", "laplacian", "-o", folder / "results", "--report", out});
  EXPECT_EQ(report.exitCode, 2);
  EXPECT_THAT(report.err, HasSubstr(out + ": cannot write here, this link leads nowhere"));
  EXPECT_TRUE(std::filesystem::is_symlink(out));
  EXPECT_FALSE(std::filesystem::exists(folder / "results"));
}

TEST_F(Results, UnfinishedOnesOfAKilledRunAreRemovedByTheNext) {
  writeImage(in / "large.tiff", randomImage(1, 2000, 2000, ElementType::F32), FileFormat::Tiff);
  const auto unfinished = [&] {
    std::vector<std::string> names = filesIn(out);
    std::erase_if(names, [](const std::string& name) { return !name.ends_with(".part"); });
    return names;
  };
  const Outcome killed = banksideKilled(
      {"filter", in / "large.tiff", "--bank", "kirsch", "--memory", "8M", "--engine", "reference", "-o", out},
      SIGKILL, [&] { return !unfinished().empty(); });
  ASSERT_EQ(killed.exitCode, -SIGKILL) << killed.err;
  const std::vector<std::string> left = unfinished();
  ASSERT_FALSE(left.empty());
  const Outcome next = bankside({"filter", picture("a.png"), "--bank", "laplacian", "-o", out});
  EXPECT_EQ(next.exitCode, 0) << next.err;
  for (const std::string& name : left)
    EXPECT_THAT(next.err, HasSubstr((std::filesystem::path(out) / name).string() + ": removed"));
  EXPECT_THAT(filesIn(out), ElementsAre("a.laplacian4.tiff"));
}

}  // namespace
}  // namespace bankside::testing

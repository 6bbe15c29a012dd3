/// Every file that a command line names for writing is looked at before the work, and none that is not of
/// bankside's making is replaced.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/imageio/image_io.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Words = std::vector<std::string>;

class Outputs : public ::testing::Test {
 protected:
  Outputs() {
    for (const std::filesystem::path& made : {in, truth}) std::filesystem::create_directory(made);
    writeImage(image, randomImage(1, 40, 50, ElementType::U8, 1), FileFormat::Png);
    writeImage(truth / "a_truth.png", randomImage(1, 40, 50, ElementType::U8, 2), FileFormat::Png);
  }

  struct Command {
    Words words;
    Words reports;  ///< options that name one
    bool force;     ///< whether it has --force
    int code = 0;   ///< with which it ends
  };
  /// All that write a report, and end at once.
  std::vector<Command> commands() const {
    const Words bench = {"bench",     "cpu",       "--sizes",    "16",          "--filter-sizes",
                         "3",         "--filters", "1",          "--types",     "u8",
                         "--threads", "1",         "--rounds",   "1",           "--seconds",
                         "0",         "--engines", "cpu:direct", "--no-limits", "--no-progress"};
    const Words all = {"batch", in, out, "--bank", "sobel", "--manifest", manifest, "--no-progress"};
    return {{{"filter", in, "--bank", "sobel", "-o", out, "--no-progress"}, {"--report"}, true},
            {all, {"--json", "--csv", "--sheet"}, true},
            {{"batch", "merge", "--manifest", manifest}, {"--json", "--csv", "--sheet"}, false},
            {{"batch", "audit", "--manifest", manifest}, {"--json"}, false},
            {{"evaluate", "--images", in, "--truth", truth, "--bank", "laplacian", "--no-progress"},
             {"--json", "--csv", "--markdown", "--plot"},
             true},
            {{"compare", image, "--bank", "sobel", "--engines", "cpu:direct", "--threads", "1", "--rounds",
              "1", "--seconds", "0", "--no-progress"},
             {"--json", "--csv", "--markdown"},
             false},
            {bench, {"--json", "--csv", "--markdown"}, false},
            {{"bench", "device", "--with-rows", BANKSIDE_RESULTS_DIR "/h200/figure7-12.json"},
             {"--json", "--csv", "--markdown"},
             false},
            {{"banks", "analyze", "sobel"}, {"--json"}, false}};
  }
  static Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static void fill(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::trunc) << text;
  }
  /// Before the work: nothing is said of it, and nothing is there.
  static std::string refused(const Words& words) {
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 2) << words[0] << " " << words[1] << ": " << run.err;
    EXPECT_EQ(run.out, "");
    return run.err;
  }

  TemporaryFolder folder;
  std::filesystem::path in = folder / "in";
  std::filesystem::path truth = folder / "truth";
  std::string image = in / "a.png";
  std::string out = folder / "out";
  std::string manifest = folder / "study.jsonl";
};

TEST_F(Outputs, AReportReplacesItsLikeAndNothingElse) {
  const std::string recipe = folder / "recipe.json";
  ASSERT_EQ(
      bankside({"filter", image, "--bank", "sobel", "-o", folder / "one", "--save-recipe", recipe}).exitCode,
      0);
  const std::vector<std::string> foreign = {"mine, of no program\n",
                                            "{\"a\": [1]}\n",
                                            fileText(recipe),
                                            "id,status\n",
                                            "# Notes\n",
                                            "<svg xmlns=\"x\"></svg>\n",
                                            "{",
                                            "<!DOCTYPE html>\n<html lang=\"en\"></html>\n",
                                            " \n"};
  ASSERT_EQ(bankside(commands()[1].words).exitCode, 0) << "there is a plan";
  for (const Command& command : commands()) {
    for (const std::string& option : command.reports) {
      SCOPED_TRACE(command.words[0] + " " + command.words[1] + " " + option);
      const std::string file = folder / "report";
      const Words words = with(command.words, {option, file});
      for (const std::string& text : foreign) {
        fill(file, text);
        const std::string sentence = refused(words);
        EXPECT_THAT(sentence, HasSubstr(file + ": is no earlier report of this kind"));
        EXPECT_EQ(sentence.find("--force") != std::string::npos, command.force) << sentence;
        EXPECT_EQ(fileText(file), text);
      }
      if (command.force) {
        EXPECT_EQ(bankside(with(words, {"--force"})).exitCode, command.code);
        EXPECT_NE(fileText(file), foreign.back());
      }
      fill(file, "");  // as mktemp leaves it
      for (const char* round : {"nobody's", "its own"}) {
        const Outcome run = bankside(words);
        EXPECT_EQ(run.exitCode, command.code) << round << ": " << run.err;
        EXPECT_GT(fileText(file).size(), 20u);
      }
      const std::string report = fileText(file);
      // That of another command, or another form of it, is not its like.
      const Words other = command.words[0] == "compare"
                              ? Words{"banks", "analyze", "sobel", "--json", file}
                              : Words{"compare", image, "--bank", "sobel", "--json", file};
      EXPECT_THAT(refused(other), HasSubstr("is no earlier report of this kind"));
      EXPECT_EQ(fileText(file), report);
    }
  }
}

/// A plan that is made anew replaces plans.
TEST_F(Outputs, APlanReplacesPlansAlone) {
  const std::string notes = "{\"images\": \"mine\"}\n";
  for (const Words& words : {Words{"batch", "plan", in, out, "--bank", "sobel", "--force"},
                             Words{"batch", in, out, "--bank", "sobel", "--plan-anew", "--force"}}) {
    fill(manifest, notes);
    EXPECT_THAT(refused(with(words, {"--manifest", manifest})),
                HasSubstr(manifest + ": is no earlier report"));
    EXPECT_EQ(fileText(manifest), notes);
    EXPECT_FALSE(std::filesystem::exists(out));
  }
}

/// Where nobody can write, or it would be in vain, or what is there is a tuning table of the run.
TEST_F(Outputs, ArePlacesWhereAFileCanBe) {
  ASSERT_EQ(bankside(commands()[1].words).exitCode, 0) << "there is a plan";
  const std::string table = folder / "table.json";
  fill(table, "{}");
  std::filesystem::create_directory(folder / "folder");
  std::filesystem::create_directory_symlink(folder / "nowhere", folder / "link");
  const std::pair<std::string, std::string> places[] = {
      {"/dev/full", "not a regular file"},           {"/dev/null", "not a regular file"},
      {"/proc/report", "cannot create the file"},    {folder / "no" / "report", "cannot create the file"},
      {image + "/report", "cannot create the file"}, {folder / std::string(300, 'a'), "too long"},
      {folder / "folder", "this is a folder"},       {folder / "link", "leads nowhere"}};
  for (const Command& command : commands()) {
    for (const std::string& option : command.reports) {
      for (const auto& [place, why] : places) {
        SCOPED_TRACE(command.words[0] + " " + command.words[1] + " " + option + " " + place);
        EXPECT_THAT(refused(with(command.words, {option, place})), HasSubstr(why));
      }
    }
  }
  const Outcome run =
      banksideAfter([&] { setenv("BANKSIDE_TUNING", table.c_str(), 1); },
                    {"filter", in, "--bank", "sobel", "-o", out, "--force", "--report", table});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_THAT(run.err, HasSubstr(table + ": is the tuning table; the report would replace it"));
  EXPECT_EQ(fileText(table), "{}");
}

TEST_F(Outputs, OfOtherCommandsTooAreLookedAtBeforeTheWork) {
  for (const std::string place : {"/dev/full", "/proc/1/bank.json"})
    EXPECT_THAT(refused({"banks", "export", "sobel", place, "--format", "json", "--force"}),
                HasSubstr(place));
  EXPECT_THAT(refused({"filter", in, "--bank", "sobel", "-o", out, "--save-recipe", "/dev/full"}),
              HasSubstr("/dev/full"));
  EXPECT_FALSE(std::filesystem::exists(out));
  const std::string width = folder / "phantom" / "phantom_width.tiff";
  std::filesystem::create_directories(width);
  EXPECT_THAT(refused({"phantom", "-o", folder / "phantom"}),
              HasSubstr(width + ": cannot write a file here"));
  EXPECT_EQ(filesIn(folder / "phantom").size(), 1u);
  const std::string mosaic = folder / "phantom" / "mosaic.tiff";
  std::filesystem::create_directories(mosaic);
  EXPECT_THAT(refused({"phantom", "-o", folder / "phantom", "--mosaic", "900x900"}), HasSubstr(mosaic));
  const Words evaluate = {"evaluate", "--images", in,          "--truth",
                          truth,      "--bank",   "laplacian", "--no-progress"};
  for (const std::string place : {"/dev/full", "/proc/1", "/proc/overlays"})
    EXPECT_THAT(refused(with(evaluate, {"--overlays", place})), HasSubstr(place));
  const std::string overlay = folder / "overlays" / "a.overlay.png";
  std::filesystem::create_directories(overlay);
  EXPECT_THAT(refused(with(evaluate, {"--overlays", folder / "overlays"})), HasSubstr(overlay));
  for (const std::string place : {"/proc/1", "/dev/full"}) {
    EXPECT_THAT(refused({"filter", in, "--bank", "sobel", "-o", place}), HasSubstr(place));
    EXPECT_THAT(refused({"batch", in, place, "--bank", "sobel"}), HasSubstr(place));
  }
}

/// In the folder of the results, which is made for both.
TEST_F(Outputs, AReportMayLieAmongTheResults) {
  const Words words = {"filter", in, "--bank", "sobel", "-o", out, "--report", out + "/report.json"};
  EXPECT_EQ(bankside(words).exitCode, 0);
  EXPECT_EQ(nlohmann::json::parse(fileText(out + "/report.json"))["images"].size(), 1u);
  EXPECT_EQ(bankside(words).exitCode, 0);
}

/// However the same file is spelled, before it is there and after.
TEST_F(Outputs, OfOneRunAreSeveralFiles) {
  ASSERT_EQ(bankside(commands()[1].words).exitCode, 0) << "there is a plan";
  const auto there = [&](Words words) {
    return banksideAfter([&] { std::filesystem::current_path(folder / ""); }, words);
  };
  std::filesystem::create_directory(folder / "here");
  std::filesystem::create_directory_symlink(folder / "here", folder / "link");
  const std::string absolute = folder / "here" / "report";
  const std::pair<std::string, Words> spellings[] = {
      {"report", {"./report", "report", ".//report", "here/../report", folder / "report"}},
      {"here/report", {"link/report", "link//report", "link/../here/report", absolute}}};
  for (const Command& command : commands()) {
    const std::string other = command.words[0] == "filter" ? "--save-recipe" : command.reports.back();
    if (other == command.reports.front()) continue;
    for (const auto& [first, others] : spellings) {
      for (const std::string& second : others) {
        for (const bool swapped : {false, true}) {
          SCOPED_TRACE(command.words[0] + " " + command.words[1] + " " + first + " " + second);
          const Outcome run = there(with(command.words, {command.reports.front(), swapped ? second : first,
                                                         other, swapped ? first : second}));
          EXPECT_EQ(run.exitCode, 2) << run.err;
          EXPECT_THAT(run.err, HasSubstr("report: is the "));
          EXPECT_EQ(run.out, "");
          EXPECT_FALSE(std::filesystem::exists(folder / "report") || std::filesystem::exists(absolute));
        }
      }
    }
    fill(folder / "report", "");
    std::filesystem::create_hard_link(folder / "report", folder / "other");
    EXPECT_THAT(there(with(command.words, {command.reports.front(), "report", other, "other"})).err,
                HasSubstr("other: is the "));
    std::filesystem::remove(folder / "report");
    std::filesystem::remove(folder / "other");
  }
}

/// What a run reads is not replaced by force either.
TEST_F(Outputs, AreNothingThatIsRead) {
  const std::string bank = folder / "bank.json";
  ASSERT_EQ(bankside({"banks", "export", "sobel", bank}).exitCode, 0);
  const std::string text = fileText(bank);
  std::filesystem::create_hard_link(bank, folder / "same.json");
  const Command commandsOfABank[] = {
      {{"filter", in, "-o", out, "--force"}, {"--report", "--save-recipe"}, true},
      {{"batch", in, out, "--force"}, {"--json", "--csv", "--sheet", "--manifest"}, true},
      {{"evaluate", "--images", in, "--truth", truth, "--combine", "magnitude", "--force"},
       {"--json", "--csv", "--markdown", "--plot"},
       true},
      {{"compare", image}, {"--json", "--csv", "--markdown"}, false},
      {{"banks", "export", "bank.json"}, {""}, true}};
  for (const Command& command : commandsOfABank) {
    for (const std::string& option : command.reports) {
      for (const std::string& name : {std::string("bank.json"), std::string("./bank.json"), bank,
                                      std::string("same.json"), std::string("in/../bank.json")}) {
        Words words = command.words;
        if (option.empty())
          words = with(words, {name, "--force"});
        else
          words = with(words, {"--bank", "bank.json", option, name});
        const Outcome run = banksideAfter([&] { std::filesystem::current_path(folder / ""); }, words);
        EXPECT_EQ(run.exitCode, 2) << words[0] << option << name << ": " << run.err;
        EXPECT_THAT(run.err, HasSubstr("bank")) << words[0] << option << name;
        EXPECT_EQ(fileText(bank), text);
      }
    }
  }
}

/// As a variable of the shell gives one that is not set.
TEST_F(Outputs, HaveNames) {
  ASSERT_EQ(bankside(commands()[1].words).exitCode, 0) << "there is a plan";
  for (const Command& command : commands())
    for (const std::string& option : command.reports)
      EXPECT_THAT(refused(with(command.words, {option, ""})), HasSubstr(option + ": \"\" is no value"));
}

TEST_F(Outputs, OfAnEmptyFolderAreARemark) {
  const std::string empty = folder / "empty";
  std::filesystem::create_directory(empty);
  const std::string report = folder / "report.json";
  const std::string remark = empty + ": there are no images in it";
  const Words filter = {"filter", empty, in, "--bank", "sobel", "-o", out, "--report", report};
  const Words evaluate = {"evaluate", "--images", in,          empty,    "--truth",
                          truth,      "--bank",   "laplacian", "--json", report};
  for (const Words& words : {filter, evaluate}) {
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("warning: " + remark));
    EXPECT_EQ(nlohmann::json::parse(fileText(report))["notes"], nlohmann::json({remark}));
    std::filesystem::remove(report);
  }
  EXPECT_EQ(bankside({"filter", empty, "--bank", "sobel", "-o", out}).exitCode, 5);
  const Outcome full = bankside({"filter", in, "--bank", "sobel", "-o", out, "--report", report});
  EXPECT_EQ(nlohmann::json::parse(fileText(report))["notes"], nlohmann::json::array());
  EXPECT_THAT(full.err, Not(HasSubstr("warning")));
}

}  // namespace
}  // namespace bankside::testing

/// Nothing is silent: what a run leaves out, takes otherwise or cannot know, it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/imageio/image_io.h"
#include "tests/core/imageio/image_files.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

class Remarks : public ::testing::Test {
 protected:
  Remarks() {
    fs::create_directory(in);
    write("a.png", 1);
  }
  void write(const std::string& name, std::uint64_t seed) const {
    writeImage(in / name, randomImage(1, 40, 50, ElementType::U8, seed), FileFormat::Png);
  }
  static Outcome good(const Words& words) {
    Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    return run;
  }
  static std::string refused(const Words& words) {
    const Outcome run = bankside(words);
    EXPECT_EQ(run.exitCode, 2) << run.err;
    return run.err;
  }
  Words filter(const Words& more) const {
    Words words = {"filter", in, "-o", out};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Words batch(const Words& more = {}) const {
    Words words = {"batch", in, out, "--bank", "sobel"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Json jsonOf(const std::string& name) const { return Json::parse(fileText(folder / name)); }

  TemporaryFolder folder;
  fs::path in = folder / "in";
  std::string image = in / "a.png";
  std::string out = folder / "out";
  std::string manifest = folder.path() / "out" / "manifest.jsonl";
  std::string report = folder / "r.json";
};

TEST_F(Remarks, SayThatAnImageHasNothingInIt) {
  Image black(1, 300, 300, ElementType::U8);
  for (int y = 0; y < 300; ++y) std::fill_n(black.view<std::uint8_t>(0).row(y), 300, std::uint8_t{0});
  writeImage(image, black, FileFormat::Png);
  const Outcome run = good(filter({"--recipe", "vessels", "--scale", "10", "--map", "binary", "--format",
                                   "png", "--channel", "luma", "--report", report}));
  EXPECT_THAT(run.err, HasSubstr("a.png: there is no contrast in its field of view"));
  EXPECT_THAT(jsonOf("r.json").at("images").at(0).at("notes").dump(), HasSubstr("no contrast"));
  const Outcome sheet = good({"batch", in, folder / "b", "--recipe", "vessels", "--scale", "10", "--channel",
                              "luma", "--sheet", folder / "s.html"});
  EXPECT_THAT(sheet.out, HasSubstr("1 image: there is no contrast"));
  EXPECT_THAT(fileText(folder / "s.html"), HasSubstr("empty"));
}

TEST_F(Remarks, SayThatAScaleIsUnlikely) {
  ASSERT_EQ(bankside({"phantom", "-o", folder / "phantom"}).exitCode, 0);
  const std::string picture = folder.path() / "phantom" / "phantom.png";
  const auto run = [&](const std::string& scale) {
    return bankside({"filter", picture, "--recipe", "vessels", "--scale", scale, "-o", out, "--force",
                     "--report", report});
  };
  EXPECT_THAT(run("14").err, Not(HasSubstr("degrees wide")));
  EXPECT_EQ(jsonOf("r.json").at("images").at(0).at("pixels_per_degree"), 14);
  const Outcome typo = run("140");
  EXPECT_EQ(typo.exitCode, 0) << typo.err;
  EXPECT_THAT(typo.err, HasSubstr("degrees wide at 140 pixels per degree"));
  const Outcome hopeless = run("10000");
  EXPECT_EQ(hopeless.exitCode, 3);
  EXPECT_THAT(hopeless.err, HasSubstr("would be left with 1 x 1 of its 512 x 512 pixels"));
}

TEST_F(Remarks, SayWhichImagesOfAFolderAreNotRead) {
  for (const char* name : {"b.bmp", "c.gif", "d.WEBP", "g.dcm", "notes.txt"}) std::ofstream(in / name) << "x";
  const std::string sentence = "4 files are left out, as not read here: 1 BMP, 1 DICOM, 1 GIF, 1 WebP";
  const Outcome run = good(filter({"--bank", "sobel", "--report", report}));
  EXPECT_THAT(run.err, HasSubstr(sentence));
  EXPECT_THAT(jsonOf("r.json").at("notes").dump(), HasSubstr(sentence));
  out = folder / "b";
  const Outcome planned = good(batch({"--json", folder / "b.json"}));
  EXPECT_THAT(planned.err, HasSubstr(sentence));
  EXPECT_THAT(planned.out, HasSubstr(sentence));
  EXPECT_EQ(jsonOf("b.json").at("left_out").at("GIF"), 1);
}

TEST_F(Remarks, NameWhatAStoppedRunDidNotComeTo) {
  for (int i = 0; i < 40; ++i)
    writeImage(in / ("b" + std::to_string(i) + ".png"), randomImage(1, 600, 600, ElementType::U8, 3),
               FileFormat::Png);
  const Outcome run =
      banksideKilled(filter({"--bank", "vessel-gabor:orientations=60", "--threads", "1", "--report", report}),
                     SIGINT, [&] { return fs::exists(folder.path() / "out" / "a.theta000.tiff"); });
  if (run.exitCode == 0) GTEST_SKIP() << "it was done before it was stopped";
  ASSERT_EQ(run.exitCode, 130) << run.err;
  const Json told = jsonOf("r.json");
  EXPECT_EQ(told.at("images").size() + told.at("untried").size(), 41u);
  EXPECT_GT(told.at("untried").size(), 0u);
  EXPECT_THAT(told.at("notes").dump(), HasSubstr("not tried"));
}

TEST_F(Remarks, OfABatchSayWhatBecameOfColours) {
  writeImage(image, randomImage(3, 40, 50, ElementType::U8, 1), FileFormat::Png);
  const Outcome run = good(batch({"--json", report, "--csv", folder / "r.csv"}));
  EXPECT_THAT(run.err, HasSubstr("1 image: colour mixed to luma"));
  EXPECT_THAT(run.out, HasSubstr("done 1 of 1 image, failed 0, untried 0; 2 results"));
  EXPECT_THAT(jsonOf("r.json").at("notes").dump(), HasSubstr("colour mixed to luma"));
  EXPECT_THAT(fileText(folder / "r.csv"), AllOf(HasSubstr(",notes\n"), HasSubstr("colour mixed to luma")));
}

TEST_F(Remarks, SayWhichPageIsTaken) {
  const std::string stack = folder / "stack.tif";
  for (const char* mode : {"w", "a", "a"})
    writeTiff(
        stack, {.width = 20, .height = 20},
        [](int, int y, int x) { return static_cast<std::uint64_t>(x * y % 200); }, mode);
  EXPECT_THAT(good({"compare", stack, "--bank", "sobel", "--engines", "cpu:direct", "--threads", "1",
                    "--rounds", "1", "--seconds", "0"})
                  .err,
              HasSubstr("page 1 of 3 is taken"));
  EXPECT_THAT(good({"banks", "analyze", "sobel", "--image", stack, "--at", "3,3"}).err,
              HasSubstr("has 3 pages; the first is taken"));
}

TEST_F(Remarks, AreUsageErrorsWhereNothingIsCompared) {
  const std::string said = refused({"compare", image, "--bank", "sobel", "--engines", "onednn:no-such"});
  EXPECT_THAT(said, HasSubstr("onednn:no-such"));
  const Outcome none = bankside({"compare", image, "--bank", "sobel", "--engines", "cuda:fft", "--threads",
                                 "1", "--rounds", "1", "--seconds", "0"});
  if (none.out.find("UNSUPPORTED") == std::string::npos) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_THAT(none.err, HasSubstr("nothing was compared"));
}

TEST_F(Remarks, VerifyOneImageAtLeast) {
  for (int i = 0; i < 3; ++i) write("b" + std::to_string(i) + ".png", 1);
  EXPECT_THAT(good(batch({"--verify", "reference", "--sample", "1%"})).out,
              HasSubstr("verified 1 of 4 images"));
  EXPECT_THAT(refused({"batch", in, out, "--bank", "sobel", "--sample", "1%"}), HasSubstr("--verify"));
}

TEST_F(Remarks, FindAnImageThatChangedAfterItWasDone) {
  good(batch());
  write("a.png", 9);
  const Outcome run = bankside({"batch", "run", "--manifest", manifest});
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_THAT(run.err, HasSubstr("changed after it was planned"));
}

TEST_F(Remarks, TakeACopyOfTheImagesAsTheyAre) {
  good({"batch", "plan", in, out, "--manifest", folder / "m.jsonl", "--bank", "sobel"});
  const fs::path copy = folder / "copy";
  fs::create_directory(copy);
  fs::copy(image, copy / "a.png");
  good({"batch", "run", "--manifest", folder / "m.jsonl", "--input", copy});
  good({"batch", "audit", "--manifest", folder / "m.jsonl", "--input", copy});
  std::ofstream(copy / "a.png", std::ios::app) << "more";
  EXPECT_EQ(bankside({"batch", "audit", "--manifest", folder / "m.jsonl", "--input", copy}).exitCode, 3);
}

TEST_F(Remarks, TryWhatWasNotTriedBeforeWhatFailed) {
  for (const char* name : {"a.png", "b.png"}) std::ofstream(in / name) << "no image";
  write("c.png", 1);
  good({"batch", "plan", in, out, "--manifest", folder / "m.jsonl", "--bank", "sobel"});
  const Words run = {"batch",          "run", "--manifest", folder / "m.jsonl",
                     "--max-failures", "0",   "--threads",  "1"};
  EXPECT_EQ(bankside(run).exitCode, 3);
  bankside(run);
  EXPECT_THAT(bankside(run).out, HasSubstr("1 of 3 images done"));
}

TEST_F(Remarks, CallADamagedResultDamaged) {
  good(batch({"--verify-done", "hash"}));
  {
    std::fstream file(folder.path() / "out" / "a.dx.tiff", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(300);
    file.write("\1\2\3\4", 4);
  }
  const Outcome run = bankside({"batch", "run", "--manifest", manifest, "--verify-done", "hash"});
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_THAT(run.err + fileText(manifest), Not(HasSubstr("unexpected")));
  const Outcome audit = bankside({"batch", "audit", "--manifest", manifest, "--verify-done", "hash"});
  EXPECT_EQ(audit.exitCode, 3);
  EXPECT_THAT(audit.out, AllOf(HasSubstr("is damaged"), Not(HasSubstr("unexpected"))));
}

TEST_F(Remarks, AuditIsNotCleanWhereItCouldNotLook) {
  good(batch());
  good({"batch", "audit", "--manifest", manifest});
  const Outcome audit = bankside({"batch", "audit", "--manifest", manifest, "--verify-done", "hash"});
  EXPECT_EQ(audit.exitCode, 3);
  EXPECT_THAT(audit.out, AllOf(HasSubstr("not verified: 2 results"), Not(HasSubstr("clean"))));
}

TEST_F(Remarks, SayWhichChannelAGreyImageHas) {
  EXPECT_THAT(bankside(filter({"--bank", "sobel", "--channel", "green"})).err,
              HasSubstr("it has grey, which is taken as it is where no channel is chosen (--channel auto)"));
}

TEST_F(Remarks, SayWhatAnOptionDoesNotDo) {
  EXPECT_THAT(good(filter({"--bank", "sobel", "--threshold", "3"})).err,
              HasSubstr("--threshold changes nothing"));
  EXPECT_THAT(good(filter({"--bank", "sobel", "--scale", "3"})).err, HasSubstr("--scale changes nothing"));
  EXPECT_THAT(refused(filter({"--recipe", "vessels", "--scale", "31deg"})),
              AllOf(HasSubstr("--scale"), HasSubstr("31deg\" is neither a number")));
}

TEST_F(Remarks, TellBanksRecipesAndFilesApart) {
  EXPECT_THAT(refused(filter({"--bank", "vessels"})), HasSubstr("is a recipe and no bank; give --recipe"));
  EXPECT_THAT(refused(filter({"--recipe", "sobel"})), HasSubstr("is a bank and no recipe; give --bank"));
  EXPECT_THAT(refused(filter({"--recipe", "vessel"})), HasSubstr("nearest names are vessels"));
  EXPECT_THAT(refused(filter({"--recipe", image})), HasSubstr("is no recipe: "));
  EXPECT_THAT(refused({"batch", "merge", "--manifest", image}), HasSubstr("is no manifest"));
  good({"banks", "export", "sobel", folder / "S.json"});
  fs::rename(folder / "S.json", folder / "S.JSON");
  good(filter({"--bank", folder / "S.JSON"}));
  std::ofstream(folder / "K.CSV") << "1,2,1\n";
  good({"banks", "show", folder / "K.CSV"});
  std::ofstream(folder / "k.dat") << "1,2,1\n";
  EXPECT_THAT(refused({"banks", "show", folder / "k.dat"}), HasSubstr("say FORMAT:"));
}

TEST_F(Remarks, NameWhatWasMeant) {
  EXPECT_THAT(refused(filter({"--bnak", "sobel", "--other", "3"})),
              HasSubstr("not expected: --bnak --other; did you mean --bank?"));
  EXPECT_THAT(refused({"fliter", image}), HasSubstr("did you mean filter?"));
  EXPECT_THAT(good({"help"}).out, HasSubstr("Examples:"));
  EXPECT_THAT(good({"help", "filter"}).out, HasSubstr("--bank"));
}

TEST_F(Remarks, OfHelpFitATerminal) {
  for (const char* command : {"filter", "batch", "evaluate", "compare", "bench", "banks", "phantom"}) {
    std::istringstream lines(good({command, "--help"}).out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 115u) << command << ": " << line;
  }
}

TEST_F(Remarks, SayThatImagesAreFiles) {
  EXPECT_THAT(bankside({"filter", "-", "--bank", "sobel", "-o", out}).err,
              HasSubstr("-: images are not read from the standard input"));
}

TEST_F(Remarks, AmountsOfMemoryAreReadAsPeopleWriteThem) {
  for (const char* amount : {"1GB", "1.5G", "1GiB"}) good(filter({"--bank", "sobel", "--memory", amount}));
  for (const char* amount : {"1", "12B", "G", "-1G"})
    EXPECT_THAT(refused(filter({"--bank", "sobel", "--memory", amount})), HasSubstr("no amount of memory"));
  EXPECT_THAT(refused(filter({"--bank", "sobel", "--threads", "100000"})), HasSubstr("from 1 to 4096"));
}

}  // namespace
}  // namespace bankside::testing

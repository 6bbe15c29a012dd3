/// bankside evaluate, as a user runs it. What its figures are is in tests/core/evaluate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/imageio/image_io.h"
#include "tests/core/imageio/image_files.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using Json = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Words = std::vector<std::string>;

/// Two small eyes with their truth and their fields of view, in one folder.
class Evaluate : public ::testing::Test {
 protected:
  Evaluate() {
    for (const char* name : {"images", "truth"}) std::filesystem::create_directory(folder / name);
    eye("eye_1", 1);
    eye("eye_1_2", 2);  // whose name begins as that of the other one
  }

  void eye(const std::string& name, int seed) {
    const std::filesystem::path made = folder / "made";
    EXPECT_EQ(
        bankside({"phantom", "-o", made, "--size", "96", "--seed", std::to_string(seed), "--force"}).exitCode,
        0);
    std::filesystem::rename(made / "phantom.png", images / (name + ".png"));
    std::filesystem::rename(made / "phantom_vessels.png", truth / (name + "_1st.png"));
    std::filesystem::rename(made / "phantom_fov.png", truth / (name + "-fov.png"));
  }

  Words words(const Words& more = {}) const {
    Words all = {"evaluate", "--images",          images,   "--truth",        truth / "*_1st.png",
                 "--fov",    truth / "*-fov.png", "--bank", "vessel-matched", "--combine",
                 "max",      "--channel",         "green",  "--json",         report};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  /// The report of a run that has to end with `code`.
  Json evaluated(const Words& all, int code = 0) const {
    std::filesystem::remove(report);
    const Outcome run = bankside(all);
    EXPECT_EQ(run.exitCode, code) << run.err;
    return std::filesystem::exists(report) ? Json::parse(fileText(report)) : Json();
  }

  std::string refused(const Words& all) const {
    const Outcome run = bankside(all);
    EXPECT_EQ(run.exitCode, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_FALSE(std::filesystem::exists(report));
    return run.err;
  }

  static Json score(const Json& read, const std::string& point, const std::string& image = "pooled") {
    for (const Json& row : read["scores"])
      if (row["point"] == point && row["image"] == image) return row;
    return {};
  }

  TemporaryFolder folder;
  std::filesystem::path images = folder / "images";
  std::filesystem::path truth = folder / "truth";
  std::string report = folder / "r.json";
};

TEST_F(Evaluate, FindsTheVesselsOfThePhantom) {
  const std::string assets = BANKSIDE_ASSETS;
  const Outcome run =
      bankside({"evaluate", "--images", assets + "/images/phantom.png", "--truth",
                assets + "/images/phantom_vessels.png", "--fov", assets + "/images/phantom_fov.png", "--bank",
                "vessel-matched", "--channel", "green", "--combine", "max", "--json", report});
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const Json read = Json::parse(fileText(report));
  EXPECT_GT(read["auc"]["pooled"]["value"].get<double>(), 0.9);
  EXPECT_TRUE(read["auc"]["pooled"]["low"].is_null()) << "of one image";
  const Json best = score(read, "best-mcc");
  const Json otsu = score(read, "otsu");
  EXPECT_GE(best["mcc"].get<double>(), otsu["mcc"].get<double>());
  EXPECT_EQ(best["true_positives"].get<int>() + best["false_positives"].get<int>() +
                best["false_negatives"].get<int>() + best["true_negatives"].get<int>(),
            read["images"][0]["pixels"].get<int>());
  EXPECT_THAT(run.out, HasSubstr("best-mcc"));
}

TEST_F(Evaluate, MasksAreFoundByTheNamesOfTheirImages) {
  const Json read = evaluated(words({"--observer2", truth / "*_1st.png"}));
  ASSERT_EQ(read["images"].size(), 2u);
  EXPECT_EQ(read["images"][0]["truth"], (truth / "eye_1_1st.png").string());
  EXPECT_EQ(read["images"][1]["truth"], (truth / "eye_1_2_1st.png").string());
  EXPECT_EQ(score(read, "observer2")["mcc"], 1);
  EXPECT_EQ(score(read, "observer2")["cldice"], 1);
  EXPECT_LT(read["auc"]["pooled"]["low"], read["auc"]["pooled"]["high"]);

  auto one = words();
  one[4] = truth;
  std::filesystem::remove(report);
  EXPECT_THAT(refused(one), HasSubstr("eye_1.png: --truth has several files of it"));
  one[4] = truth / "*_3rd.png";
  EXPECT_THAT(refused(one), HasSubstr("no file has such a name"));
  std::filesystem::rename(truth / "eye_1-fov.png", truth / "eye_1-fov.gif");
  one[4] = truth / "*_1st.png";
  one[6] = truth / "*-fov.*";
  EXPECT_THAT(refused(one), HasSubstr("eye_1-fov.gif: GIF is not read"));
}

TEST_F(Evaluate, OneImageOfAFolderHasTheMasksThatItHasAmongAll) {
  auto one = words();
  one[2] = images / "eye_1.png";
  EXPECT_EQ(evaluated(one)["images"][0]["truth"], (truth / "eye_1_1st.png").string());
  std::filesystem::remove(truth / "eye_1_1st.png");
  std::filesystem::remove(report);
  EXPECT_THAT(refused(one), HasSubstr("has no file whose name begins with \"eye_1\""))
      << "what is left is its neighbour's";
}

TEST_F(Evaluate, AnImageThatNobodyMarkedIsLeftOutAndSaid) {
  auto one = words();
  one[4] = truth / "eye_1_1st.png";
  const Outcome run = bankside(one);
  EXPECT_EQ(run.exitCode, 3) << run.err;
  const char* const said = "eye_1_2.png: --truth has no file whose name begins with \"eye_1_2\"";
  EXPECT_THAT(run.err, HasSubstr(said));
  const Json read = Json::parse(fileText(report));
  ASSERT_EQ(read["images"].size(), 2u);
  EXPECT_EQ(read["images"][0]["error"], "");
  EXPECT_THAT(read["images"][1]["error"].get<std::string>(), HasSubstr(said));
  // Nor is it asked how large it is.
  const std::string scales = folder / "scales.csv";
  std::ofstream(scales) << "image,pixels_per_degree\neye_1.png,22\n";
  const Words scaled = {"evaluate", "--images",      images,    "--truth", truth / "eye_1_1st.png",
                        "--recipe", "line-detector", "--scale", scales,    "--json",
                        report};
  std::filesystem::remove(report);
  const Outcome withScales = bankside(scaled);
  EXPECT_EQ(withScales.exitCode, 3) << withScales.err;
  EXPECT_THAT(withScales.err, HasSubstr(said));
  // Of no image at all: a folder of other images.
  std::filesystem::copy(truth / "eye_1_1st.png", truth / "other.png");
  one[4] = truth / "other.png";
  std::filesystem::remove(report);
  EXPECT_THAT(refused(one), HasSubstr("eye_1.png: --truth has no file whose name begins with \"eye_1\""));
}

TEST_F(Evaluate, ReadyMadeResponsesGiveTheSameFigures) {
  const Json made = evaluated(words());
  const std::string out = folder / "out";
  ASSERT_EQ(bankside({"filter", images, "--bank", "vessel-matched", "--combine", "max", "--channel", "green",
                      "--no-responses", "-o", out})
                .exitCode,
            0);
  const Json read = evaluated({"evaluate", "--responses", out, "--truth", truth / "*_1st.png", "--fov",
                               truth / "*-fov.png", "--json", report});
  EXPECT_EQ(read["scores"], made["scores"]);
  EXPECT_EQ(read["auc"], made["auc"]);
  EXPECT_TRUE(read["recipe"].is_null());
  // So do a recipe, one thread, and little memory.
  const std::string recipe = folder / "recipe.json";
  ASSERT_EQ(bankside({"filter", images, "--bank", "vessel-matched", "--combine", "max", "--channel", "green",
                      "--no-responses", "-o", out, "--save-recipe", recipe})
                .exitCode,
            0);
  for (const Words& more : {Words{}, Words{"--threads", "1"}, Words{"--memory", "700K"}}) {
    Words all = {"evaluate", "--images",          images,     "--truth", truth / "*_1st.png",
                 "--fov",    truth / "*-fov.png", "--recipe", recipe,    "--json",
                 report};
    all.insert(all.end(), more.begin(), more.end());
    EXPECT_EQ(evaluated(all)["scores"], made["scores"]);
  }
}

TEST_F(Evaluate, OneBadImageDoesNotEndTheRun) {
  std::ofstream(images / "eye_0.png") << "no picture";
  writeImage(truth / "eye_0_1st.png", integerImage(1, 96, 96, ElementType::U8), FileFormat::Png);
  std::filesystem::copy_file(truth / "eye_1-fov.png", truth / "eye_0-fov.png");
  eye("eye_3", 3);
  writeImage(truth / "eye_3_1st.png", integerImage(1, 90, 96, ElementType::U8), FileFormat::Png);
  const Json read = evaluated(words(), 3);
  ASSERT_EQ(read["images"].size(), 4u);
  EXPECT_THAT(read["images"][0]["error"].get<std::string>(), HasSubstr("eye_0.png"));
  EXPECT_EQ(read["images"][1]["error"], "");
  EXPECT_EQ(read["images"][2]["error"], "");
  EXPECT_THAT(read["images"][3]["error"].get<std::string>(),
              HasSubstr("eye_3.png: the truth is 96 x 90 pixels, the response 96 x 96"));
  auto missing = words();
  missing.insert(missing.begin() + 3, images / "eye_4.png");
  EXPECT_THAT(evaluated(missing, 3)["images"][4]["error"].get<std::string>(),
              HasSubstr("eye_4.png: there is no such file or folder"));
  std::filesystem::remove(images / "eye_3.png");
  std::filesystem::remove(images / "eye_0.png");
  EXPECT_EQ(evaluated(words())["scores"], read["scores"]) << "the good ones are judged as if alone";
}

TEST_F(Evaluate, ResponsesThatAreNotFiniteAreCounted) {
  Image response(1, 96, 96, ElementType::F32);
  auto view = response.view<float>(0);
  for (int y = 0; y < 96; ++y)
    for (int x = 0; x < 96; ++x) view.at(x, y) = std::numeric_limits<float>::quiet_NaN();
  for (int x = 0; x < 96; ++x) view.at(x, 48) = 1;
  std::filesystem::create_directory(folder / "maps");
  writeImage(folder / "maps" / "eye_1.max.npy", response, FileFormat::Npy);
  const Outcome run = bankside(
      {"evaluate", "--responses", folder / "maps", "--truth", truth / "eye_1_1st.png", "--json", report});
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_THAT(run.err,
              HasSubstr("eye_1.max.npy: 9120 of 9216 responses inside the field of view are not finite"));
  EXPECT_THAT(run.err, HasSubstr("nothing is left to evaluate"));
  EXPECT_EQ(run.out, "");
  const Json read = Json::parse(fileText(report));
  EXPECT_THAT(read["images"][0]["error"].get<std::string>(), HasSubstr("are not finite"));
  EXPECT_TRUE(read["auc"]["pooled"]["value"].is_null());
  EXPECT_TRUE(read["average_precision"]["pooled"]["value"].is_null());
  EXPECT_TRUE(read["scores"].empty());
}

TEST_F(Evaluate, WrongUseIsRefusedBeforeTheWork) {
  EXPECT_THAT(refused({"evaluate", "--images", images, "--bank", "sobel"}), HasSubstr("--truth"));
  EXPECT_THAT(refused({"evaluate", "--images", images, "--truth", truth}), HasSubstr("--bank"));
  EXPECT_THAT(refused({"evaluate", "--truth", truth, "--bank", "sobel"}), HasSubstr("--images"));
  EXPECT_THAT(refused({"evaluate", "--responses", images, "--truth", truth, "--channel", "green"}),
              HasSubstr("ready-made"));
  EXPECT_THAT(refused({"evaluate", "--responses", images, "--truth", truth, "--device", "99"}),
              HasSubstr("--device goes with --images"));
  auto several = words();
  several[10] = "none";
  EXPECT_THAT(refused(several), HasSubstr("gives 12 maps an image, and one is evaluated"));
  several[10] = "argmax";
  EXPECT_THAT(refused(several), HasSubstr("argmax"));
  auto colours = words();
  colours[12] = "all";
  EXPECT_THAT(refused(colours), HasSubstr("gives 3 maps"));
  EXPECT_THAT(refused(words({"--threshold", "high"})), HasSubstr("is no number"));
  EXPECT_THAT(refused(words({"--plot", images / "eye_1.png"})), HasSubstr("is an input"));
  EXPECT_THAT(refused(words({"--csv", truth / "eye_1_1st.png"})), HasSubstr("is a mask"));
  EXPECT_THAT(refused(words({"--overlays", images})), HasSubstr("is the folder of the images"));
  std::filesystem::create_directory(folder / "seen");
  for (const char* name : {"eye_1", "eye_1_2"})
    std::filesystem::copy_file(truth / (std::string(name) + "_1st.png"),
                               folder / "seen" / (std::string(name) + ".png"));
  EXPECT_THAT(refused(words({"--observer2", folder / "seen", "--overlays", folder / "seen"})),
              HasSubstr("is the folder of the images"));
  const TiffOptions page{.width = 96, .height = 96};
  for (const char* mode : {"w", "a"})
    writeTiff(
        images / "pages.tiff", page, [](int, int, int) { return 1; }, mode);
  writeImage(truth / "pages_1st.png", integerImage(1, 96, 96, ElementType::U8), FileFormat::Png);
  writeImage(truth / "pages-fov.png", integerImage(1, 96, 96, ElementType::U8), FileFormat::Png);
  EXPECT_THAT(evaluated(words(), 3)["images"][2]["error"].get<std::string>(),
              HasSubstr("has 2 pages, and an image to be evaluated has one"));
  const Outcome room = bankside(words({"--memory", "100K"}));
  EXPECT_EQ(room.exitCode, 2) << "nothing was begun";
  EXPECT_THAT(room.err, HasSubstr("more than --memory leaves room for; give --memory 1G"));
}

TEST_F(Evaluate, AThresholdIsCarriedFromATuningSet) {
  const std::string tuned = folder / "tuned.json";
  auto tuning = words();
  tuning[2] = images / "eye_1.png";
  tuning[4] = truth / "eye_1_1st.png";
  tuning[6] = truth / "eye_1-fov.png";
  tuning.back() = tuned;
  ASSERT_EQ(bankside(tuning).exitCode, 0);
  const Json best = score(Json::parse(fileText(tuned)), "best-mcc");
  const Json read = evaluated(
      words({"--threshold-from", tuned, "--threshold", std::to_string(best["threshold"].get<double>() + 1)}));
  EXPECT_EQ(score(read, "carried")["threshold"], best["threshold"]);
  Json same = score(read, "carried", "eye_1");
  EXPECT_EQ(same["mcc"], best["mcc"]);
  EXPECT_LT(score(read, "threshold")["sensitivity"], score(read, "carried")["sensitivity"]);

  auto other = words({"--threshold-from", tuned});
  other[8] = "vessel-gabor";
  const Outcome warned = bankside(other);
  EXPECT_EQ(warned.exitCode, 0);
  EXPECT_THAT(warned.err, HasSubstr("is of another recipe"));
  EXPECT_THAT(bankside(words({"--threshold-from", tuned})).err, Not(HasSubstr("another recipe")));
  std::filesystem::remove(report);
  EXPECT_THAT(refused(words({"--threshold-from", images / "eye_1.png"})), HasSubstr("eye_1.png"));
}

TEST_F(Evaluate, TablesPlotAndOverlaysAreWritten) {
  const std::filesystem::path overlays = folder / "overlays";
  const Words files = {"--csv",          folder / "r.csv", "--markdown", folder / "r.md", "--plot",
                       folder / "r.svg", "--overlays",     overlays,     "--threshold"};
  auto low = words(files);
  low.push_back("-100000");
  const Json read = evaluated(low);
  EXPECT_THAT(fileText(folder / "r.csv"), HasSubstr("point,image,threshold,sensitivity"));
  EXPECT_THAT(fileText(folder / "r.md"), HasSubstr("|---|"));
  EXPECT_THAT(fileText(folder / "r.svg"), HasSubstr("</svg>"));
  EXPECT_THAT(filesIn(overlays), ElementsAre("eye_1.overlay.png", "eye_1_2.overlay.png"));
  const Image picture = readImage(overlays / "eye_1.overlay.png").image;
  int found = 0;
  int wrong = 0;
  for (int y = 0; y < 96; ++y) {
    for (int x = 0; x < 96; ++x) {
      found += picture.view<std::uint8_t>(0).at(x, y) == 255;
      wrong += picture.view<std::uint8_t>(0).at(x, y) == 86;
    }
  }
  const Json here = score(read, "threshold", "eye_1");
  EXPECT_EQ(found, here["true_positives"]);
  EXPECT_EQ(wrong, here["false_positives"]);
  EXPECT_EQ(here["false_negatives"], 0);

  auto high = words(files);
  high.push_back("100000");
  const Outcome kept = bankside(high);
  EXPECT_EQ(kept.exitCode, 2);
  EXPECT_THAT(kept.err, HasSubstr("--force"));
  high.push_back("--force");
  EXPECT_EQ(bankside(high).exitCode, 0);
}

}  // namespace
}  // namespace bankside::testing

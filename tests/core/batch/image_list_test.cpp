/// Which images a batch has, and its manifest.
#include "core/batch/image_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/batch/manifest.h"
#include "core/error.h"
#include "core/log.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ImageList : public ::testing::Test {
 protected:
  void make(const std::string& id, const std::string& text = "x") {
    fs::create_directories((in / id).parent_path());
    std::ofstream(in / id) << text;
  }
  std::string listOf(const std::string& text) {
    std::ofstream(folder / "list.csv") << text;
    return folder / "list.csv";
  }
  std::vector<std::string> scan(const std::vector<std::string>& patterns = {}) {
    std::vector<std::string> ids;
    suspects = scanFolder(in, patterns, [&](const ManifestEntry& entry) { ids.push_back(entry.id); });
    return ids;
  }
  std::vector<ManifestEntry> read(const std::string& text) {
    std::vector<ManifestEntry> entries;
    suspects = readImageList(listOf(text), in, [&](const ManifestEntry& entry) { entries.push_back(entry); });
    return entries;
  }
  template <class Action>
  std::string refusal(Action action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder;
  fs::path in = folder / "in";
  Suspects suspects;
};

TEST_F(ImageList, FoldersComeInByteOrderOfIds) {
  for (const char* id : {"b/2.png", "b.png", "b-1.png", "a/z/1.tif", "a/b.jpg", ".hidden/1.png", "a/.2.png",
                         "notes.txt", "Z.png"})
    make(id);
  const auto ids = scan();
  EXPECT_THAT(ids, ElementsAre("Z.png", "a/b.jpg", "a/z/1.tif", "b-1.png", "b.png", "b/2.png"));
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_THAT(scan({"b*.png"}), ElementsAre("b-1.png", "b.png"));
  EXPECT_THAT(scan({"b/*", "*.txt"}), ElementsAre("b/2.png", "notes.txt"));
}

TEST_F(ImageList, LinksAreFollowedButNotInCircles) {
  make("a/1.png");
  fs::create_directory_symlink("a", in / "b");
  fs::create_directory_symlink("..", in / "a" / "up");
  fs::create_symlink("nowhere", in / "dangling.png");
  EXPECT_THAT(scan(), ElementsAre("a/1.png", "b/1.png", "dangling.png"));
}

/// Nor is the rest of the folder lost with them.
TEST_F(ImageList, NamesThatNoManifestHoldsAreLeftOutWithARemark) {
  for (const char* id : {"a.png", "b\xff.png", "c\xff/d.png", "e\xff.txt", "f\x1b.png"}) make(id);
  std::string said;
  setLogSink([&](LogLevel, const std::string& sentence) { said += sentence + "\n"; });
  EXPECT_THAT(scan(), ElementsAre("a.png", "f\x1b.png"));
  setLogSink({});
  EXPECT_EQ(said, (in / "b\xff.png").string() +
                      ": its name is no UTF-8, which no manifest holds; it is left out\n" +
                      (in / "c\xff/").string() +
                      ": its name is no UTF-8, which no manifest holds; it is left out\n");
}

TEST_F(ImageList, ResultsOfOneNameAreRefused) {
  make("a/1.png");
  make("b/1.tif");
  EXPECT_EQ(scan().size(), 2u);
  make("b/1.png");
  EXPECT_THAT(refusal([&] { scan(); }), HasSubstr("b/1.png and b/1.tif would both give results"));
  EXPECT_THAT(refusal([&] { read("b/1.tif\nb/1.png\n"); }), HasSubstr("would both give results"));
  EXPECT_EQ(scan({"*.png"}).size(), 2u);
}

TEST_F(ImageList, NamesThatMayMeetAreSuspects) {
  for (const char* id : {"a/1.png", "a/1.page1.png", "a/2.png", "b/1.x.png"}) make(id);
  scan();
  EXPECT_THAT(suspects, ElementsAre("a/1.page1.png", "a/1.png"));
}

TEST_F(ImageList, ATableMayHaveAScaleAnImage) {
  make("left/1.png");
  make("two, three.png");
  const auto entries = read(
      "\xef\xbb\xbf"
      "Fundus,other,pixels_per_degree\r\n\r\n\"two, three.png\",1, 22.5\r\n"
      "left/../left/1.png,2,\r\n");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].id, "left/1.png");
  EXPECT_EQ(entries[0].pixelsPerDegree, 0);
  EXPECT_EQ(entries[0].bytes, 1);
  EXPECT_EQ(entries[1].id, "two, three.png");
  EXPECT_EQ(entries[1].pixelsPerDegree, 22.5);
  EXPECT_EQ(read("left/1.png\n").size(), 1u);
  EXPECT_EQ(read("image;pixels_per_degree\nleft/1.png;31\n").front().pixelsPerDegree, 31);
  EXPECT_EQ(read((in / "left/1.png").string() + "\n").front().id, "left/1.png");
}

TEST_F(ImageList, AScaleMayBeTheWidthOfTheWidestVessels) {
  for (const char* name : {"1.png", "2.png", "3.png"}) make(name);
  const auto entries = read("image,vessel_width,pixels_per_degree\n1.png,12.9,\n2.png,,31\n3.png,,\n");
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_DOUBLE_EQ(entries[0].pixelsPerDegree, 30);
  EXPECT_EQ(entries[1].pixelsPerDegree, 31);
  EXPECT_EQ(entries[2].pixelsPerDegree, 0);
  EXPECT_DOUBLE_EQ(readScales(listOf("file;vessel_width\na/1.png;4.3\n")).at("1.png"), 10);
  EXPECT_THAT(refusal([&] { read("image,vessel_width\n1.png,-3\n"); }),
              HasSubstr(":2: \"-3\" is no width in pixels of the widest vessels"));
  for (const char* width : {"0.04", "4301", "width:13"})
    EXPECT_THAT(refusal([&] { read(std::string("image,vessel_width\n1.png,") + width + "\n"); }),
                HasSubstr("\"" + std::string(width) +
                          "\" is no width in pixels of the widest vessels from 0.043 to 4300"));
  EXPECT_THAT(refusal([&] { read("image,pixels_per_degree\n1.png,width:13\n"); }),
              HasSubstr("\"width:13\" is no number of pixels per degree from 0.1 to 10000"));
  EXPECT_THAT(refusal([&] { read("image,vessel_width,pixels_per_degree\n1.png,13,31\n"); }),
              HasSubstr(":2: gives both pixels_per_degree and vessel_width"));
  EXPECT_THAT(refusal([&] { readScales(listOf("image,vessel_width\n1.png,\n")); }),
              HasSubstr(":2: has no cell for image or scale"));
  EXPECT_THAT(refusal([&] { readScales(listOf("image,width\n1.png,3\n")); }),
              HasSubstr("and pixels_per_degree or vessel_width"));
}

TEST_F(ImageList, LinesEndAsOnAnySystem) {
  make("1.png");
  make("2\r3.png");
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const std::string head = "\xef\xbb\xbf" + std::string("image;pixels_per_degree") + end + end;
    const auto entries = read(head + "1.png;31" + end + "\"2\r3.png\";32");
    ASSERT_EQ(entries.size(), 2u) << end;
    EXPECT_EQ(entries[0].pixelsPerDegree, 31);
    EXPECT_EQ(entries[1].id, "2\r3.png");
    EXPECT_EQ(entries[1].pixelsPerDegree, 32);
    EXPECT_EQ(readScales(listOf(head + "1.png;31" + end)).at("1.png"), 31);
    EXPECT_THAT(refusal([&] { read(head + "\"2\r3.png\";1" + end + "1.png;x"); }),
                HasSubstr("list.csv:5: \"x\""))
        << "one of the lines is in a name";
  }
}

TEST_F(ImageList, CellsLoseBlanksAndNoLetters) {
  make("train/tr.png");
  const auto entries = read("image, pixels_per_degree\n\ttrain/tr.png \t, 31\t\r\n");
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].id, "train/tr.png");
  EXPECT_EQ(entries[0].pixelsPerDegree, 31);
}

TEST_F(ImageList, TablesAreRefusedByTheLine) {
  make("1.png");
  EXPECT_THAT(refusal([&] { read("image\n1.png\n2.png\n"); }), HasSubstr("list.csv:3: 2.png: No such file"));
  EXPECT_THAT(refusal([&] { read("image\n../list.csv\n"); }), HasSubstr("is no file below"));
  EXPECT_THAT(refusal([&] { read("image\n" + std::string(80'000, '[') + "\n"); }),
              HasSubstr("list.csv:2: the name of an image has 80000 bytes"));
  EXPECT_THAT(refusal([&] { readScales("/dev/zero"); }), HasSubstr("larger than the 64 MiB"));
  EXPECT_THAT(refusal([&] { read("image,pixels_per_degree\n1.png,wide\n"); }),
              HasSubstr(":2: \"wide\" is no number"));
  EXPECT_THAT(refusal([&] { read("image\n1.png\n./1.png\n"); }), HasSubstr("names 1.png twice"));
  EXPECT_THAT(refusal([&] { read("picture,res\n1.png,2\n"); }), HasSubstr("no column is called image"));
}

TEST_F(ImageList, AManifestIsWholeOrRefused) {
  const fs::path file = folder / "m.jsonl";
  ManifestHead head{.program = "p", .input = "/in", .output = "/out"};
  head.recipe.stages = {{.bank = "sobel"}};
  ManifestWriter writer(file, head);
  writer.add({.id = "a \"quoted\".png", .bytes = 7, .modified = 1690000000123456789});
  writer.add({.id = "b.png", .bytes = 8, .modified = 2, .pixelsPerDegree = 31.5});
  EXPECT_THAT(refusal([&] { writer.add({.id = "c\xff.png"}); }), HasSubstr("is no UTF-8"));
  writer.finish(Existing::Keep);
  const Manifest manifest(file);
  EXPECT_EQ(manifest.images(), 2);
  EXPECT_EQ(manifest.head().output, "/out");
  EXPECT_EQ(manifest.head().recipe, head.recipe);
  std::vector<ManifestEntry> entries;
  manifest.forEach([&](std::int64_t number, const ManifestEntry& entry) {
    EXPECT_EQ(number, static_cast<std::int64_t>(entries.size()));
    entries.push_back(entry);
    return true;
  });
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].modified, 1690000000123456789);
  EXPECT_EQ(entries[1].pixelsPerDegree, 31.5);

  std::ifstream written(file);
  const std::string text((std::istreambuf_iterator<char>(written)), {});
  const auto refused = [&](const std::string& other) {
    std::ofstream(folder / "other.jsonl") << other;
    return refusal([&] { Manifest(folder / "other.jsonl"); });
  };
  EXPECT_EQ(refused(text), "");
  // Wherever it is cut, nobody takes it for the whole.
  for (std::size_t size = 0; size + 1 < text.size(); size += 11)
    EXPECT_NE(refused(text.substr(0, size)), "") << size;
  std::string changed = text;
  changed[changed.find("b.png")] = 'c';
  EXPECT_THAT(refused(changed), HasSubstr("was changed after it was planned"));
  EXPECT_THAT(refused("{\"bankside\": \"recipe\"}\n"), HasSubstr("expected a manifest"));
}

}  // namespace
}  // namespace bankside::testing

/// The page that shows a run's outcome: order, words, pictures.
#include "core/batch/contact_sheet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

#include "core/batch/journal.h"
#include "core/imageio/image_io.h"
#include "core/imageio/png_bytes.h"
#include "core/thumbnail.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

Image flat(int height, int width, ElementType type, float value) {
  Image image(1, height, width, ElementType::F32);
  for (int y = 0; y < height; ++y) std::fill_n(image.view<float>(0).row(y), width, value);
  return convert(image, type);
}

class ContactSheet : public ::testing::Test {
 protected:
  /// An image, and what became of it.
  struct Made {
    std::string id;
    std::optional<Image> response;  ///< none: it failed
    std::string error;
    Image input = integerImage(1, 30, 40, ElementType::U8);
  };
  std::string sheet(std::vector<Made> images, std::size_t most = 500) {
    std::sort(images.begin(), images.end(), [](const Made& a, const Made& b) { return a.id < b.id; });
    fs::create_directories(folder / "in");
    fs::create_directories(folder / "out");
    ManifestHead head;
    head.input = folder / "in";
    ManifestWriter writer(folder / "m.jsonl", head);
    for (const Made& image : images) writer.add({.id = image.id, .bytes = 1, .modified = 1});
    writer.finish(Existing::Replace);
    const Manifest manifest(folder / "m.jsonl");
    {
      JournalWriter journal(manifest, {0, 1});
      std::int64_t number = 0;
      for (const Made& image : images) {
        writeImage(folder / "in" / image.id, image.input, FileFormat::Png);
        JournalEntry entry{.number = number++, .done = image.response.has_value(), .id = image.id};
        entry.pages = 1;
        entry.error = image.error;
        if (image.response) {
          entry.outputs = {{.file = stemOf(image.id) + ".tiff", .bytes = 1}};
          writeImage(folder / "out" / entry.outputs[0].file, *image.response, FileFormat::Tiff);
        }
        if (image.id != "untried.png") journal.append(entry);
      }
    }
    return contactSheet(manifest, Ledger(manifest), folder / "in", folder / "out", most);
  }
  static std::vector<std::string> order(const std::string& html) {
    std::vector<std::string> ids;
    for (std::size_t at = html.find("<h2>"); at != std::string::npos; at = html.find("<h2>", at + 4))
      ids.push_back(html.substr(at + 4, html.find("</h2>", at) - at - 4));
    return ids;
  }
  static Image response() { return convert(integerImage(1, 30, 40, ElementType::U8), ElementType::F32); }

  TemporaryFolder folder;
};

TEST_F(ContactSheet, ShowsWhatLooksOddFirst) {
  std::vector<Made> images;
  images.push_back({"a.png", response(), ""});
  images.push_back({"bright.png", response(), "", flat(30, 40, ElementType::U8, 255)});
  images.push_back({"empty.png", flat(30, 40, ElementType::F32, 3), ""});
  images.push_back({"failed.png", {}, "failed.png: <b>is cut short</b>"});
  images.push_back({"untried.png", {}, ""});
  images.push_back({"z.png", response(), ""});
  const std::string html = sheet(std::move(images));
  EXPECT_THAT(order(html), ::testing::ElementsAre("failed.png", "untried.png", "empty.png", "bright.png",
                                                  "a.png", "z.png"));
  EXPECT_THAT(
      html,
      HasSubstr("6 images, 1 failed, 1 not tried, 1 empty response, 1 overexposed input, 2 nothing odd"));
  EXPECT_THAT(html, HasSubstr("failed.png: &lt;b&gt;is cut short&lt;/b&gt;"))
      << "text of strangers stays text";
  EXPECT_THAT(
      html,
      HasSubstr(
          "alt=\"response of a.png\" width=\"40\" height=\"30\" src=\"data:image/png;base64,iVBORw0KGgo"));
  EXPECT_THAT(html, Not(HasSubstr("<script"))) << "and nothing runs in it";
  EXPECT_THAT(html, Not(HasSubstr("http"))) << "nor asks a network";
}

TEST_F(ContactSheet, AResponseUnlikeAllOthersStandsOut) {
  std::vector<Made> images;
  for (int i = 0; i < 9; ++i) {
    Image like = response();
    like.view<float>(0).at(0, 0) += static_cast<float>(i * 120);
    images.push_back({std::to_string(i) + ".png", std::move(like), ""});
  }
  Image other = response();
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) other.view<float>(0).at(x, y) *= 9;
  images.push_back({"other.png", std::move(other), ""});
  const std::string html = sheet(std::move(images), 3);
  EXPECT_EQ(order(html).size(), 3u);
  EXPECT_EQ(order(html).front(), "other.png");
  EXPECT_THAT(html, HasSubstr("1 unlike the others"));
  EXPECT_THAT(html, HasSubstr("the first 3 are shown"));
}

TEST_F(ContactSheet, AResultThatIsGoneIsSaid) {
  std::vector<Made> images;
  images.push_back({"a.png", response(), ""});
  images.push_back({"b.png", response(), ""});
  sheet(std::move(images));
  fs::remove(folder / "out" / "b.tiff");
  const Manifest manifest(folder / "m.jsonl");
  const std::string html = contactSheet(manifest, Ledger(manifest), folder / "in", folder / "out");
  EXPECT_THAT(order(html), ::testing::ElementsAre("b.png", "a.png"));
  EXPECT_THAT(html, HasSubstr("1 result cannot be read"));
}

TEST(Thumbnail, AveragesBoxesAndStretchesWhatIsNoByte) {
  Image ramp(1, 4, 8, ElementType::F32);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x) ramp.view<float>(0).at(x, y) = static_cast<float>(x / 2);
  const Image small = thumbnailOf(ramp, false, 4);
  ASSERT_EQ(small.width(), 4);
  ASSERT_EQ(small.height(), 2);
  for (int x = 0; x < 4; ++x) EXPECT_EQ(small.view<std::uint8_t>(0).at(x, 1), 85 * x) << x;
  const Image bytes = thumbnailOf(flat(5, 5, ElementType::U8, 7), false, 100);
  EXPECT_EQ(bytes.width(), 5) << "never larger";
  EXPECT_EQ(bytes.view<std::uint8_t>(0).at(2, 2), 7);
}

TEST(Thumbnail, OfPngBytesIsReadBack) {
  TemporaryFolder folder;
  const Image image = randomImage(3, 20, 31, ElementType::U8);
  writeFileAtomically(folder / "a.png", pngBytes(image));
  EXPECT_TRUE(samePixels(readImage(folder / "a.png").image, image));
}

TEST(Thumbnail, KeepsEveryPixelOfABoxInOneBox) {
  // 7 pixels on 3 places: 2, 2 and 3 of them.
  Image ramp(1, 1, 7, ElementType::U8);
  for (int x = 0; x < 7; ++x) ramp.view<std::uint8_t>(0).at(x, 0) = static_cast<std::uint8_t>(10 * x);
  const Image small = thumbnailOf(ramp, false, 3);
  ASSERT_EQ(small.width(), 3);
  ASSERT_EQ(small.height(), 1) << "never nothing";
  EXPECT_EQ(small.view<std::uint8_t>(0).at(0, 0), 5);
  EXPECT_EQ(small.view<std::uint8_t>(0).at(1, 0), 25);
  EXPECT_EQ(small.view<std::uint8_t>(0).at(2, 0), 50);
  const Image high = thumbnailOf(Image(1, 7, 2, ElementType::U8), false, 4);
  EXPECT_EQ(high.height(), 4);
  EXPECT_EQ(high.width(), 1);
}

TEST(Thumbnail, HasColoursAndNoStrangeNumbers) {
  Image colours(4, 1, 3, ElementType::F32);
  for (int c = 0; c < 4; ++c)
    for (int x = 0; x < 3; ++x) colours.view<float>(c).at(x, 0) = static_cast<float>(c);
  colours.view<float>(1).at(1, 0) = INFINITY;
  colours.view<float>(1).at(2, 0) = std::nanf("");
  const Image small = thumbnailOf(colours, true, 9);
  ASSERT_EQ(small.channels(), 3) << "alpha is no colour";
  EXPECT_EQ(small.view<std::uint8_t>(0).at(0, 0), 0);
  EXPECT_EQ(small.view<std::uint8_t>(1).at(0, 0), 128) << "from the least to the largest of all three";
  EXPECT_EQ(small.view<std::uint8_t>(2).at(0, 0), 255);
  EXPECT_EQ(small.view<std::uint8_t>(1).at(1, 0), 0);
  EXPECT_EQ(small.view<std::uint8_t>(1).at(2, 0), 0);
  EXPECT_EQ(thumbnailOf(colours, false, 9).channels(), 1);
  EXPECT_EQ(thumbnailOf(flat(2, 2, ElementType::F32, 7), false, 9).view<std::uint8_t>(0).at(0, 0), 0);
}

/// Both sides of what counts as odd: five in a hundred pixels as bright as they can be, one value in a
/// hundred clipped.
TEST_F(ContactSheet, OddIsWhatPassesItsShare) {
  std::vector<Made> images;
  for (const int bright : {60, 61}) {  // of 1200
    Image input = integerImage(1, 30, 40, ElementType::U8);
    for (int i = 0; i < bright; ++i) input.view<std::uint8_t>(0).at(i % 40, i / 40) = 255;
    images.push_back({"bright" + std::to_string(bright) + ".png", response(), "", std::move(input)});
  }
  const std::string html = sheet(std::move(images));
  EXPECT_THAT(order(html), ::testing::ElementsAre("bright61.png", "bright60.png"));
  EXPECT_THAT(html, HasSubstr("2 images, 1 overexposed input, 1 nothing odd"));
  EXPECT_THAT(html, HasSubstr("input, 0 to 255"));
}

}  // namespace
}  // namespace bankside::testing

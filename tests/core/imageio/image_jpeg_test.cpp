#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::TemporaryFolder;
using testing::writeJpeg;
using Names = std::vector<std::string>;

/// Smooth and different along both sides, so that every orientation has its own picture.
int smooth(int c, int y, int x) { return 20 + 5 * x + 2 * y + 20 * c; }

TEST(JpegRead, GreyAndColour) {
  const TemporaryFolder folder;
  for (const bool progressive : {false, true}) {
    for (const int components : {1, 3}) {
      writeJpeg(folder / "a.jpg",
                {.width = 19, .height = 13, .components = components, .progressive = progressive}, smooth);
      const LoadedImage loaded = readImage(folder / "a.jpg");
      EXPECT_EQ(loaded.info.format, "JPEG");
      EXPECT_EQ(loaded.info.channelNames, components == 1 ? Names{"grey"} : (Names{"red", "green", "blue"}));
      ASSERT_EQ(loaded.image.height(), 13);
      ASSERT_EQ(loaded.image.width(), 19);
      for (int c = 0; c < components; ++c) {
        for (int y = 0; y < 13; ++y) {
          for (int x = 0; x < 19; ++x) {
            EXPECT_NEAR(loaded.image.view<std::uint8_t>(c).at(x, y), smooth(c, y, x), 12);
          }
        }
      }
    }
  }
}

TEST(JpegRead, AllExifOrientationsAreApplied) {
  const TemporaryFolder folder;
  const int height = 10, width = 24;
  writeJpeg(folder / "up.jpg", {.width = width, .height = height}, smooth);
  const Image stored = readImage(folder / "up.jpg").image;
  for (int orientation = 1; orientation <= 8; ++orientation) {
    for (const bool bigEndian : {false, true}) {
      writeJpeg(
          folder / "a.jpg",
          {.width = width, .height = height, .exif = testing::exifWithOrientation(orientation, bigEndian)},
          smooth);
      const LoadedImage loaded = readImage(folder / "a.jpg");
      const ImageInfo info = readImageInfo(folder / "a.jpg");
      EXPECT_EQ(info.height, loaded.image.height());
      EXPECT_EQ(info.width, loaded.image.width());
      EXPECT_EQ(
          loaded.info.notes,
          orientation == 1 ? Names{} : Names{"EXIF orientation " + std::to_string(orientation) + " applied"});
      const auto from = stored.view<std::uint8_t>(0);
      const auto to = loaded.image.view<std::uint8_t>(0);
      ASSERT_EQ(to.width, orientation <= 4 ? width : height);
      // EXIF's words: where the stored row 0 and column 0 belong.
      for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
          const int right = width - 1 - column, bottom = height - 1 - row;
          const std::pair<int, int> xy[] = {{column, row},    {right, row},  {right, bottom},
                                            {column, bottom}, {row, column}, {bottom, column},
                                            {bottom, right},  {row, right}};
          const auto [x, y] = xy[orientation - 1];
          ASSERT_EQ(to.at(x, y), from.at(column, row)) << orientation << " " << row << " " << column;
        }
      }
    }
  }
}

TEST(JpegRead, NonsenseInExifIsNoReasonToRefuse) {
  const TemporaryFolder folder;
  std::string endless = testing::exifWithOrientation(6);
  endless[10] = '\x7f';  // the directory lies beyond the end
  std::string many = testing::exifWithOrientation(6);
  many[14] = '\xff';
  many[16] = '\x00';  // 255 entries, none of them an orientation
  for (const std::string& exif : {std::string("Exif\0\0", 6), std::string("Exif\0\0II*\0", 10), endless, many,
                                  testing::exifWithOrientation(0), testing::exifWithOrientation(9)}) {
    writeJpeg(folder / "a.jpg", {.exif = exif}, smooth);
    EXPECT_TRUE(readImage(folder / "a.jpg").info.notes.empty());
  }
}

TEST(JpegRead, CmykIsRefusedWithAdvice) {
  const TemporaryFolder folder;
  for (const bool ycck : {false, true}) {
    writeJpeg(folder / "a.jpg", {.components = 4, .ycck = ycck}, smooth);
    const auto refusal = testing::readRefusal(folder / "a.jpg");
    EXPECT_EQ(refusal.code, ErrorCode::Unsupported);
    EXPECT_EQ(refusal.sentence,
              (folder / "a.jpg").string() +
                  ": is a CMYK JPEG, made for printing; convert it to RGB with its colour profile first");
  }
}

TEST(JpegRead, MissingEndIsAnError) {
  const TemporaryFolder folder;
  writeJpeg(folder / "a.jpg", {.width = 64, .height = 64}, smooth);
  const std::string bytes = testing::readBytes(folder / "a.jpg");
  for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2}) {
    testing::writeBytes(folder / "a.jpg", bytes.substr(0, size));
    const auto refusal = testing::readRefusal(folder / "a.jpg");
    EXPECT_EQ(refusal.code, ErrorCode::BadInput);
    EXPECT_EQ(refusal.sentence,
              (folder / "a.jpg").string() + ": JPEG data is damaged: Premature end of JPEG file");
  }
}

TEST(JpegRead, LimitsHoldBeforeDecoding) {
  const TemporaryFolder folder;
  writeJpeg(folder / "a.jpg", {.width = 300, .height = 20}, smooth);
  EXPECT_EQ(testing::readRefusal(folder / "a.jpg", 0, {.maxSide = 299}).code, ErrorCode::Limit);
  EXPECT_EQ(testing::readRefusal(folder / "a.jpg", 0, {.maxBytes = 320 * 20 - 1}).code, ErrorCode::Limit);
  EXPECT_EQ(testing::readRefusal(folder / "a.jpg", 1).sentence,
            (folder / "a.jpg").string() + ": has 1 page, page 1 (counted from 0) is not among them");
}

}  // namespace
}  // namespace bankside

#include <gtest/gtest.h>

#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::PngOptions;
using testing::TemporaryFolder;
using testing::values;
using testing::writePng;
using Names = std::vector<std::string>;

int pngPattern(int c, int y, int x) { return (x * 7 + y * 31 + c * 101 + x * y) & 0xffff; }

TEST(PngRead, EveryKindOfPixelKeepsItsValues) {
  const TemporaryFolder folder;
  for (const bool interlaced : {false, true}) {
    for (const int colour : {0, 2, 4, 6}) {
      for (const int bits : {8, 16}) {
        for (const auto& [height, width] : {std::pair{1, 1}, {3, 2}, {8, 8}, {13, 21}, {2, 4}, {9, 5}}) {
          const int mask = bits == 8 ? 0xff : 0xffff;
          writePng(
              folder / "a.png",
              {.width = width, .height = height, .bits = bits, .colour = colour, .interlaced = interlaced},
              [&](int c, int y, int x) { return pngPattern(c, y, x) & mask; });
          const LoadedImage loaded = readImage(folder / "a.png");
          ASSERT_EQ(loaded.info.channels, colour == 0 ? 1 : colour == 2 ? 3 : colour == 4 ? 2 : 4);
          ASSERT_EQ(loaded.image.type(), bits == 8 ? ElementType::U8 : ElementType::U16);
          EXPECT_TRUE(loaded.info.notes.empty());
          for (int c = 0; c < loaded.info.channels; ++c) {
            std::vector<int> expected;
            for (int y = 0; y < height; ++y) {
              for (int x = 0; x < width; ++x) expected.push_back(pngPattern(c, y, x) & mask);
            }
            EXPECT_EQ(values(loaded.image, c), expected) << colour << " " << bits << " " << interlaced;
          }
        }
      }
    }
  }
}

TEST(PngRead, NamesChannels) {
  const TemporaryFolder folder;
  const std::pair<int, Names> cases[] = {{0, {"grey"}},
                                         {4, {"grey", "alpha"}},
                                         {2, {"red", "green", "blue"}},
                                         {6, {"red", "green", "blue", "alpha"}}};
  for (const auto& [colour, names] : cases) {
    writePng(folder / "a.png", {.width = 2, .height = 2, .colour = colour}, [](int, int, int) { return 1; });
    EXPECT_EQ(readImageInfo(folder / "a.png").channelNames, names);
  }
}

TEST(PngRead, FewBitsOfGreySpreadExactly) {
  const TemporaryFolder folder;
  for (const bool interlaced : {false, true}) {
    for (const int bits : {1, 2, 4}) {
      const int count = 1 << bits;
      writePng(folder / "a.png", {.width = 11, .height = 5, .bits = bits, .interlaced = interlaced},
               [&](int, int y, int x) { return (x + y) % count; });
      const LoadedImage loaded = readImage(folder / "a.png");
      std::vector<int> expected;
      for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 11; ++x) expected.push_back((x + y) % count * 255 / (count - 1));
      }
      EXPECT_EQ(values(loaded.image), expected);
      EXPECT_EQ(loaded.info.notes, Names{std::to_string(bits) + "-bit pixels expanded to 0..255"});
    }
  }
}

TEST(PngRead, PaletteBecomesColourAndItsTransparencyAlpha) {
  const TemporaryFolder folder;
  for (const bool interlaced : {false, true}) {
    for (const int bits : {1, 2, 4, 8}) {
      PngOptions options{.width = 5, .height = 3, .bits = bits, .colour = 3, .interlaced = interlaced};
      options.palette = {10, 20, 30, 200, 100, 50};
      const auto index = [](int, int y, int x) { return (x + y) % 2; };
      writePng(folder / "a.png", options, index);
      const LoadedImage opaque = readImage(folder / "a.png");
      EXPECT_EQ(opaque.info.channelNames, (Names{"red", "green", "blue"}));
      EXPECT_EQ(opaque.info.notes, Names{"palette expanded to RGB"});
      EXPECT_EQ(opaque.image.view<std::uint8_t>(0).at(0, 0), 10);
      EXPECT_EQ(opaque.image.view<std::uint8_t>(1).at(1, 0), 100);
      EXPECT_EQ(opaque.image.view<std::uint8_t>(2).at(2, 1), 50);

      options.paletteAlpha = {77};
      writePng(folder / "a.png", options, index);
      const LoadedImage transparent = readImage(folder / "a.png");
      ASSERT_EQ(transparent.info.channelNames, (Names{"red", "green", "blue", "alpha"}));
      EXPECT_EQ(transparent.image.view<std::uint8_t>(3).at(0, 0), 77);
      EXPECT_EQ(transparent.image.view<std::uint8_t>(3).at(1, 0), 255);
    }
  }
}

TEST(PngRead, PaletteIndexBeyondThePaletteIsDamage) {
  const TemporaryFolder folder;
  PngOptions options{.width = 3, .height = 1, .bits = 4, .colour = 3};
  options.palette = {1, 2, 3, 4, 5, 6};
  writePng(folder / "a.png", options, [](int, int, int x) { return x; });
  const auto refusal = testing::readRefusal(folder / "a.png");
  EXPECT_EQ(refusal.sentence,
            (folder / "a.png").string() + ": is damaged: a pixel has colour 2 of a palette of 2");
}

TEST(PngRead, TransparentColourBecomesAlpha) {
  const TemporaryFolder folder;
  PngOptions options{.width = 3, .height = 1, .bits = 16};
  options.transparent = {513};
  writePng(folder / "a.png", options, [](int, int, int x) { return 512 + x; });
  const LoadedImage grey = readImage(folder / "a.png");
  EXPECT_EQ(values(grey.image, 0), (std::vector<int>{512, 513, 514}));
  EXPECT_EQ(values(grey.image, 1), (std::vector<int>{65535, 0, 65535}));
  EXPECT_EQ(grey.info.notes, Names{"transparent colour made an alpha channel"});

  options = {.width = 2, .height = 1, .colour = 2};
  options.transparent = {9, 8, 7};
  writePng(folder / "a.png", options, [](int c, int, int x) { return x == 0 ? 9 - c : 9; });
  EXPECT_EQ(values(readImage(folder / "a.png").image, 3), (std::vector<int>{0, 255}));

  options = {.width = 4, .height = 1, .bits = 2};
  options.transparent = {2};
  writePng(folder / "a.png", options, [](int, int, int x) { return x; });
  const LoadedImage two = readImage(folder / "a.png");
  EXPECT_EQ(values(two.image, 0), (std::vector<int>{0, 85, 170, 255}));
  EXPECT_EQ(values(two.image, 1), (std::vector<int>{255, 255, 0, 255}));
}

TEST(PngRead, HeaderThatPromisesTooMuchIsRefusedAtOnce) {
  const TemporaryFolder folder;
  writePng(folder / "a.png", {.width = 1, .height = 1}, [](int, int, int) { return 0; });
  // 1,000,000 x 1,000,000 16-bit RGBA: width and height, depth and colour, then the chunk's checksum.
  std::string bytes = testing::readBytes(folder / "a.png");
  const std::string header("\x00\x0f\x42\x40\x00\x0f\x42\x40\x10\x06\x00\x00\x00", 13);
  bytes.replace(16, 13, header);
  std::uint32_t crc = 0xffffffffu;
  for (std::size_t i = 12; i < 29; ++i) {
    crc ^= static_cast<unsigned char>(bytes[i]);
    for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
  }
  crc = ~crc;
  for (std::size_t i = 0; i < 4; ++i) bytes[29 + i] = static_cast<char>(crc >> (24 - 8 * i));
  testing::writeBytes(folder / "a.png", bytes);
  EXPECT_EQ(testing::readRefusal(folder / "a.png").code, ErrorCode::Limit);
  const auto short_ =
      testing::readRefusal(folder / "a.png", 0, {.maxPixels = INT64_MAX, .maxBytes = INT64_MAX / 8});
  EXPECT_EQ(short_.code, ErrorCode::BadInput);
  EXPECT_NE(short_.sentence.find("is cut short: its header promises 8000000000000 bytes"), std::string::npos)
      << short_.sentence;
}

}  // namespace
}  // namespace bankside

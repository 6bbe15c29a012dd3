/// What is written is what is read, to the bit.
#include <gtest/gtest.h>

#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::anyBits;
using testing::TemporaryFolder;

struct Shape {
  int channels, height, width;
};
constexpr Shape shapes[] = {{1, 1, 1},  {1, 7, 5},  {1, 1, 65536}, {1, 65536, 1}, {2, 3, 4},
                            {3, 5, 7},  {3, 4, 3},  {3, 9, 1},     {4, 6, 3},     {4, 11, 130},
                            {12, 5, 3}, {12, 9, 9}, {5, 600, 300}};

void expectRoundTrip(const std::filesystem::path& path, const Image& image, FileFormat format) {
  SCOPED_TRACE(std::string(toString(format)) + " " + toString(image.type()) + " " +
               std::to_string(image.channels()) + "x" + std::to_string(image.height()) + "x" +
               std::to_string(image.width()));
  writeImage(path, image, format);
  const LoadedImage back = readImage(path);
  EXPECT_TRUE(samePixels(image, back.image));
  EXPECT_EQ(back.info.channels, image.channels());
  EXPECT_EQ(back.info.height, image.height());
  EXPECT_EQ(back.info.width, image.width());
  EXPECT_EQ(back.info.type, image.type());
  EXPECT_EQ(back.info.pages, 1);
  EXPECT_EQ(back.image.channelNames(), back.info.channelNames);
}

TEST(ImageRoundTrip, TiffAndNpyHoldEveryTypeAndChannelCount) {
  const TemporaryFolder folder;
  for (const FileFormat format : {FileFormat::Tiff, FileFormat::Npy}) {
    for (const ElementType type : allElementTypes) {
      for (const Shape& s : shapes) {
        expectRoundTrip(folder / "a", anyBits(s.channels, s.height, s.width, type), format);
      }
    }
  }
}

TEST(ImageRoundTrip, PngHoldsIntegersOfUpToFourChannels) {
  const TemporaryFolder folder;
  for (const ElementType type : {ElementType::U8, ElementType::U16}) {
    for (const Shape& s : shapes) {
      if (s.channels <= 4) {
        expectRoundTrip(folder / "a", anyBits(s.channels, s.height, s.width, type), FileFormat::Png);
      }
    }
  }
}

TEST(ImageRoundTrip, PfmHoldsFloatsOfOneAndThreeChannels) {
  const TemporaryFolder folder;
  for (const Shape& s : shapes) {
    if (s.channels != 1 && s.channels != 3) continue;
    expectRoundTrip(folder / "a", anyBits(s.channels, s.height, s.width, ElementType::F32), FileFormat::Pfm);
  }
}

TEST(ImageRoundTrip, PfmWidensExactly) {
  const TemporaryFolder folder;
  for (const ElementType type : {ElementType::U8, ElementType::U16}) {
    const Image image = anyBits(3, 20, 30, type);
    writeImage(folder / "a.pfm", image, FileFormat::Pfm);
    EXPECT_TRUE(samePixels(readImage(folder / "a.pfm").image, convert(image, ElementType::F32)));
  }
}

TEST(ImageRoundTrip, TiffKeepsTheNamesThatItKnows) {
  const TemporaryFolder folder;
  const std::vector<std::vector<std::string>> known = {{"grey"},
                                                       {"grey", "alpha"},
                                                       {"red", "green", "blue"},
                                                       {"red", "green", "blue", "alpha"},
                                                       {"channel0", "channel1", "channel2"},
                                                       {"channel0", "channel1", "channel2", "channel3"},
                                                       {"red", "green", "blue", "alpha", "channel4"}};
  for (const auto& names : known) {
    Image image = anyBits(static_cast<int>(names.size()), 4, 6, ElementType::U16);
    image.setChannelNames(names);
    writeImage(folder / "a.tiff", image, FileFormat::Tiff);
    const LoadedImage back = readImage(folder / "a.tiff");
    EXPECT_TRUE(samePixels(back.image, image));
    EXPECT_EQ(back.info.channelNames, names);
  }
}

TEST(ImageRoundTrip, FormatNamesReadBack) {
  for (const FileFormat format : fileFormats()) {
    EXPECT_EQ(parseFileFormat(toString(format)), format);
  }
  EXPECT_FALSE(parseFileFormat("jpeg").has_value());
  EXPECT_FALSE(parseFileFormat("").has_value());
}

TEST(ImageRoundTrip, WhatAFormatCannotHoldIsRefusedBeforeAFileIsMade) {
  const TemporaryFolder folder;
  const auto refusal = [&](int channels, ElementType type, FileFormat format) {
    return testing::refusalOf([&] { writeImage(folder / "a", anyBits(channels, 2, 2, type), format); });
  };
  const std::string path = (folder / "a").string();
  EXPECT_EQ(refusal(1, ElementType::F32, FileFormat::Png).sentence,
            path + ": PNG cannot hold float32; use tiff or npy, or ask for a mapping");
  EXPECT_EQ(refusal(1, ElementType::F16, FileFormat::Png).code, ErrorCode::Unsupported);
  EXPECT_EQ(refusal(5, ElementType::U8, FileFormat::Png).sentence,
            path + ": PNG cannot hold 5 channels; use tiff or npy, or one file a channel");
  EXPECT_EQ(refusal(2, ElementType::F32, FileFormat::Pfm).sentence,
            path + ": PFM holds 1 or 3 channels, not 2 channels; use tiff or npy, or one file a channel");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ImageRoundTrip, ExtensionsForScanning) {
  for (const char* name : {"a.png", "b.JPG", "c.jpeg", "d.tif", "e.TIFF", "f.pgm", "g.ppm", "h.pnm", "i.pbm",
                           "j.pfm", "k.npy", "some/folder/l.Png"}) {
    EXPECT_TRUE(looksLikeImageFile(name)) << name;
  }
  for (const char* name : {"png", ".png", "a.txt", "a", "a.png.part", "a.json", "some/.hidden.png"}) {
    EXPECT_FALSE(looksLikeImageFile(name)) << name;
  }
}

}  // namespace
}  // namespace bankside

/// Packed or not, a file gives back what was written, and is the same file however its rows came.
#include <gtest/gtest.h>
#include <tiffio.h>

#include "core/imageio/image_stream.h"
#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::anyBits;
using testing::Path;
using testing::TemporaryFolder;

/// A picture that compresses: a slope with some noise, black to the left.
Image slope(int channels, int height, int width, ElementType type) {
  Image values(channels, height, width, ElementType::F32);
  const Image noise = testing::randomImage(channels, height, width, ElementType::U8);
  for (int c = 0; c < channels; ++c) {
    for (int y = 0; y < height; ++y) {
      for (int x = width / 4; x < width; ++x)
        values.view<float>(c).at(x, y) =
            static_cast<float>(x / 4 + y / 8 + noise.view<std::uint8_t>(c).at(x, y) % 4);
    }
  }
  return convert(values, type);
}

/// A file of one plane whose rows come `band` at a time.
std::string writtenInBands(const Path& path, const Image& image, FileFormat format, Compression compression,
                           int band) {
  const auto sink = createSink({{path, image.type()}}, image.height(), image.width(), format, compression);
  for (int top = 0; top < image.height(); top += band) {
    ConstPlane rows = image.plane(0);
    rows.data = rows.row(top);
    rows.height = std::min(band, image.height() - top);
    sink->writeRows(0, top, rows);
  }
  sink->commit();
  return testing::readBytes(path);
}

TEST(Compression, EveryTypeComesBackFromEveryFormatThatTakesIt) {
  const TemporaryFolder folder;
  for (const FileFormat format : fileFormats()) {
    for (const Compression compression : allCompressions) {
      if (!takes(format, compression)) continue;
      for (const ElementType type : allElementTypes) {
        if (!testing::keeps(format, type)) continue;
        for (const int channels : {1, 3}) {
          for (const Image& image : {slope(channels, 301, 203, type), anyBits(channels, 301, 203, type)}) {
            writeImage(folder / "a", image, format, Existing::Replace, compression);
            EXPECT_TRUE(samePixels(readImage(folder / "a").image, image))
                << toString(format) << " " << toString(compression) << " " << toString(type) << " "
                << channels;
          }
        }
      }
    }
  }
}

TEST(Compression, FilesAreSmallerWhereItSaves) {
  const TemporaryFolder folder;
  const auto size = [&](FileFormat format, ElementType type, Compression compression) {
    writeImage(folder / "a", slope(1, 300, 400, type), format, Existing::Replace, compression);
    return std::filesystem::file_size(folder / "a");
  };
  for (const ElementType type : allElementTypes) {
    const auto plain = size(FileFormat::Tiff, type, Compression::None);
    EXPECT_GT(plain, 300 * 400 * sizeOf(type));
    EXPECT_LT(size(FileFormat::Tiff, type, Compression::Deflate), plain / 2) << toString(type);
    EXPECT_LT(size(FileFormat::Tiff, type, Compression::Zstd), plain / 2) << toString(type);
  }
  for (const ElementType type : {ElementType::U8, ElementType::U16}) {
    const auto plain = size(FileFormat::Png, type, Compression::None);
    EXPECT_GT(plain, 300 * 400 * sizeOf(type));
    EXPECT_LT(size(FileFormat::Png, type, Compression::Deflate), plain / 2) << toString(type);
  }
}

TEST(Compression, TheSameBytesHoweverRowsCome) {
  const TemporaryFolder folder;
  for (const FileFormat format : {FileFormat::Png, FileFormat::Tiff}) {
    for (const Compression compression : allCompressions) {
      if (!takes(format, compression)) continue;
      // More than a block of deflate, and a row that ends in the midst of one.
      const Image image = slope(1, 700, 333, ElementType::U16);
      const std::string whole = writtenInBands(folder / "a", image, format, compression, 700);
      for (const int band : {1, 7, 64, 699})
        EXPECT_EQ(writtenInBands(folder / "a", image, format, compression, band), whole)
            << toString(format) << " " << toString(compression) << " " << band;
      writeImage(folder / "b", image, format, Existing::Replace, compression);
      EXPECT_EQ(testing::readBytes(folder / "b"), whole) << toString(format) << " " << toString(compression);
    }
  }
}

TEST(Compression, PngIsDeflatedAndTheOthersAreNotUnlessAskedFor) {
  const TemporaryFolder folder;
  for (const FileFormat format : fileFormats()) {
    const Image held =
        slope(1, 300, 400, testing::keeps(format, ElementType::F32) ? ElementType::F32 : ElementType::U16);
    writeImage(folder / "a", held, format);
    writeImage(folder / "b", held, format, Existing::Replace, usualCompression(format));
    EXPECT_EQ(testing::readBytes(folder / "a"), testing::readBytes(folder / "b")) << toString(format);
  }
  EXPECT_EQ(usualCompression(FileFormat::Png), Compression::Deflate);
  EXPECT_EQ(usualCompression(FileFormat::Tiff), Compression::None);
}

TEST(Compression, TiffSaysHowItIsPacked) {
  const TemporaryFolder folder;
  struct Case {
    Compression compression;
    ElementType type;
    int scheme, predictor;
  };
  for (const Case& c :
       {Case{Compression::None, ElementType::F32, COMPRESSION_NONE, 0},
        Case{Compression::Deflate, ElementType::U16, COMPRESSION_ADOBE_DEFLATE, PREDICTOR_HORIZONTAL},
        Case{Compression::Zstd, ElementType::U8, COMPRESSION_ZSTD, PREDICTOR_HORIZONTAL},
        Case{Compression::Zstd, ElementType::F32, COMPRESSION_ZSTD, PREDICTOR_FLOATINGPOINT}}) {
    if (!takes(FileFormat::Tiff, c.compression)) continue;
    writeImage(folder / "a", slope(1, 30, 40, c.type), FileFormat::Tiff, Existing::Replace, c.compression);
    TIFF* tiff = TIFFOpen((folder / "a").c_str(), "r");
    ASSERT_NE(tiff, nullptr);
    std::uint16_t scheme = 0;
    std::uint16_t predictor = 0;
    TIFFGetField(tiff, TIFFTAG_COMPRESSION, &scheme);
    TIFFGetField(tiff, TIFFTAG_PREDICTOR, &predictor);
    TIFFClose(tiff);
    EXPECT_EQ(scheme, c.scheme) << toString(c.compression);
    EXPECT_EQ(predictor, c.predictor) << toString(c.compression) << " " << toString(c.type);
  }
}

TEST(Compression, WhatAFormatDoesNotTakeIsRefusedBeforeAFileIsMade) {
  const TemporaryFolder folder;
  const Path path = folder / "a";
  const auto refusal = testing::refusalOf([&] {
    writeImage(path, slope(1, 3, 4, ElementType::U8), FileFormat::Png, Existing::Replace, Compression::Zstd);
  });
  EXPECT_EQ(refusal.code, ErrorCode::Unsupported);
  EXPECT_EQ(refusal.sentence,
            path.string() + ": png files are not compressed by zstd here; " + compressionsTaken());
  EXPECT_NE(compressionsTaken().find(", png none and deflate, npy"), std::string::npos);
  for (const FileFormat format : {FileFormat::Npy, FileFormat::Pfm}) {
    EXPECT_EQ(testing::refusalOf([&] { createSink({{path}}, 3, 4, format, Compression::Deflate); }).code,
              ErrorCode::Unsupported);
    EXPECT_TRUE(takes(format, Compression::None));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Compression, NamesReadBack) {
  for (const Compression compression : allCompressions)
    EXPECT_EQ(parseCompression(toString(compression)), compression);
  EXPECT_FALSE(parseCompression("lzw").has_value());
  EXPECT_FALSE(parseCompression("").has_value());
}

TEST(Compression, APngIsWholeToLibpngAlone) {
  // The checks of its own that the reader has off in no case: sums of every chunk and of the stream.
  const TemporaryFolder folder;
  for (const Compression compression : {Compression::None, Compression::Deflate}) {
    writeImage(folder / "a", slope(3, 120, 400, ElementType::U16), FileFormat::Png, Existing::Replace,
               compression);
    const std::string good = testing::readBytes(folder / "a");
    ASSERT_TRUE(testing::readRefusal(folder / "a").sentence.empty());
    // Any changed bit behind the signature is seen, but for those of lengths, which are seen otherwise.
    for (std::size_t at = 8; at < good.size(); at += 1 + good.size() / 97) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 4);
      testing::writeBytes(folder / "b", bad);
      EXPECT_FALSE(testing::readRefusal(folder / "b").sentence.empty()) << toString(compression) << " " << at;
    }
    EXPECT_EQ(good.substr(good.size() - 12), std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12));
  }
}

}  // namespace
}  // namespace bankside

#include <gtest/gtest.h>
#include <tiffio.h>

#include <bit>
#include <cstring>

#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::TemporaryFolder;
using testing::TiffOptions;
using testing::values;
using testing::writeTiff;
using Names = std::vector<std::string>;

std::uint64_t tiffPattern(int c, int y, int x) {
  return static_cast<std::uint64_t>(x * 7 + y * 31 + c * 101 + x * y);
}

/// The bits that `sample` gives, as the image must hold them.
void expectStored(const LoadedImage& loaded, const TiffOptions& o,
                  const std::function<std::uint64_t(int, int, int)>& sample) {
  ASSERT_EQ(loaded.image.channels(), o.samples);
  ASSERT_EQ(loaded.image.height(), o.height);
  ASSERT_EQ(loaded.image.width(), o.width);
  const std::size_t size = sizeOf(loaded.image.type());
  ASSERT_EQ(size * 8, static_cast<std::size_t>(o.bits));
  for (int c = 0; c < o.samples; ++c) {
    for (int y = 0; y < o.height; ++y) {
      for (int x = 0; x < o.width; ++x) {
        const std::uint64_t expected = sample(c, y, x);
        ASSERT_EQ(
            std::memcmp(loaded.image.plane(c).row(y) + static_cast<std::size_t>(x) * size, &expected, size),
            0)
            << c << " " << y << " " << x;
      }
    }
  }
}

std::uint64_t sampleFor(const TiffOptions& o, int c, int y, int x) {
  const std::uint64_t value = tiffPattern(c, y, x);
  if (o.format == SAMPLEFORMAT_IEEEFP && o.bits == 32) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(value) * 0.37f - 50.0f);
  }
  return value & ((std::uint64_t{1} << o.bits) - 1);
}

TEST(TiffRead, EveryLayoutTypeByteOrderAndLosslessCompression) {
  const TemporaryFolder folder;
  int files = 0;
  for (const char* mode : {"w", "wb", "w8"}) {
    for (const int compression :
         {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
          COMPRESSION_PACKBITS, COMPRESSION_LZMA, COMPRESSION_ZSTD, COMPRESSION_LERC}) {
      if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(compression)) == 0) continue;
      for (const auto& [bits, format] : {std::pair{8, SAMPLEFORMAT_UINT},
                                         {16, SAMPLEFORMAT_UINT},
                                         {16, SAMPLEFORMAT_IEEEFP},
                                         {32, SAMPLEFORMAT_IEEEFP}}) {
        if (compression == COMPRESSION_LERC && bits == 16 && format == SAMPLEFORMAT_IEEEFP) continue;
        for (const int samples : {1, 3}) {
          for (const bool separate : {false, true}) {
            for (const int tile : {0, 16}) {
              TiffOptions o{.width = 37, .height = 21, .samples = samples, .bits = bits, .format = format};
              o.photometric = samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
              o.compression = compression;
              o.separate = separate;
              o.tileWidth = o.tileHeight = tile;
              o.rowsPerStrip = 8;
              const auto sample = [&](int c, int y, int x) { return sampleFor(o, c, y, x); };
              writeTiff(folder / "a.tiff", o, sample, mode);
              const LoadedImage loaded = readImage(folder / "a.tiff");
              SCOPED_TRACE(std::string(mode) + " " + std::to_string(compression) + " " +
                           std::to_string(bits) + " " + std::to_string(samples) + " " + std::to_string(tile));
              EXPECT_EQ(loaded.info.format, std::string(mode) == "w8" ? "BigTIFF" : "TIFF");
              expectStored(loaded, o, sample);
              ++files;
            }
          }
        }
      }
    }
  }
  EXPECT_GE(files, 3 * 5 * 4 * 8);  // none, LZW, both deflates and PackBits are in every libtiff
}

TEST(TiffRead, Predictors) {
  const TemporaryFolder folder;
  for (const auto& [bits, format, predictor] : {std::tuple{8, SAMPLEFORMAT_UINT, 2},
                                                {16, SAMPLEFORMAT_UINT, 2},
                                                {32, SAMPLEFORMAT_IEEEFP, 3},
                                                {16, SAMPLEFORMAT_IEEEFP, 3}}) {
    for (const char* mode : {"w", "wb"}) {
      // libtiff 4.5 itself writes predictor 3 wrongly in the other byte order.
      if (predictor == 3 && std::string(mode) == "wb") continue;
      TiffOptions o{.width = 33, .height = 9, .samples = 3, .bits = bits, .format = format, .photometric = 2};
      o.compression = COMPRESSION_LZW;
      o.predictor = predictor;
      o.rowsPerStrip = 4;
      const auto sample = [&](int c, int y, int x) { return sampleFor(o, c, y, x); };
      writeTiff(folder / "a.tiff", o, sample, mode);
      expectStored(readImage(folder / "a.tiff"), o, sample);
    }
  }
}

TEST(TiffRead, FewBitsPaletteAndWhiteIsZero) {
  const TemporaryFolder folder;
  for (const int tile : {0, 16}) {
    for (const int bits : {1, 2, 4}) {
      const int count = 1 << bits;
      for (const int photometric : {PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE}) {
        TiffOptions o{.width = 21, .height = 5, .bits = bits, .photometric = photometric};
        o.tileWidth = o.tileHeight = tile;
        o.rowsPerStrip = 2;
        writeTiff(folder / "a.tiff", o,
                  [&](int, int y, int x) { return static_cast<std::uint64_t>((x + y) % count); });
        const LoadedImage loaded = readImage(folder / "a.tiff");
        Names notes = {std::to_string(bits) + "-bit pixels expanded to 0..255"};
        if (photometric == PHOTOMETRIC_MINISWHITE) notes.push_back("white-is-zero inverted");
        EXPECT_EQ(loaded.info.notes, notes);
        for (int y = 0; y < 5; ++y) {
          for (int x = 0; x < 21; ++x) {
            const int grey = (x + y) % count * 255 / (count - 1);
            ASSERT_EQ(loaded.image.view<std::uint8_t>(0).at(x, y),
                      photometric == PHOTOMETRIC_MINISWHITE ? 255 - grey : grey);
          }
        }
      }
      TiffOptions o{.width = 21, .height = 5, .bits = bits, .photometric = PHOTOMETRIC_PALETTE};
      o.tileWidth = o.tileHeight = tile;
      for (int i = 0; i < 3 * count; ++i)
        o.palette.push_back(static_cast<std::uint16_t>((i * 5 % 256) * 257));
      writeTiff(folder / "a.tiff", o,
                [&](int, int y, int x) { return static_cast<std::uint64_t>((x + y) % count); });
      const LoadedImage loaded = readImage(folder / "a.tiff");
      EXPECT_EQ(loaded.info.notes, Names{"palette expanded to RGB"});
      EXPECT_EQ(loaded.info.channelNames, (Names{"red", "green", "blue"}));
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(loaded.image.view<std::uint8_t>(c).at(20, 4), ((c * count + 24 % count) * 5) % 256);
      }
    }
  }
  writeTiff(folder / "a.tiff", {.width = 2, .height = 1, .bits = 16, .photometric = PHOTOMETRIC_MINISWHITE},
            [](int, int, int x) { return x == 0 ? 1u : 65535u; });
  EXPECT_EQ(values(readImage(folder / "a.tiff").image), (std::vector<int>{65534, 0}));
}

TEST(TiffRead, FaxPagesAreBlackOnWhite) {
  const TemporaryFolder folder;
  for (const int compression : {COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4}) {
    TiffOptions o{.width = 64, .height = 10, .bits = 1, .photometric = PHOTOMETRIC_MINISWHITE};
    o.compression = compression;
    writeTiff(folder / "a.tiff", o,
              [](int, int y, int x) { return static_cast<std::uint64_t>(x / 5 + y) % 2; });
    const LoadedImage loaded = readImage(folder / "a.tiff");
    EXPECT_EQ(loaded.image.view<std::uint8_t>(0).at(0, 0), 255);
    EXPECT_EQ(loaded.image.view<std::uint8_t>(0).at(5, 0), 0);
    EXPECT_EQ(loaded.image.view<std::uint8_t>(0).at(63, 9), (63 / 5 + 9) % 2 == 1 ? 0 : 255);
  }
}

TEST(TiffRead, AllOrientationsAreApplied) {
  const TemporaryFolder folder;
  const int height = 45, width = 70;  // more than one square of the turning loop
  for (int orientation = 1; orientation <= 8; ++orientation) {
    TiffOptions o{.width = width, .height = height, .bits = 16, .orientation = orientation};
    writeTiff(folder / "a.tiff", o,
              [](int, int y, int x) { return static_cast<std::uint64_t>(100 * y + x); });
    const LoadedImage loaded = readImage(folder / "a.tiff");
    const auto to = loaded.image.view<std::uint16_t>(0);
    ASSERT_EQ(to.width, orientation <= 4 ? width : height);
    ASSERT_EQ(loaded.info.width, to.width);
    ASSERT_EQ(loaded.info.height, to.height);
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const int right = width - 1 - column, bottom = height - 1 - row;
        const std::pair<int, int> xy[] = {{column, row}, {right, row},     {right, bottom}, {column, bottom},
                                          {row, column}, {bottom, column}, {bottom, right}, {row, right}};
        const auto [x, y] = xy[orientation - 1];
        ASSERT_EQ(to.at(x, y), 100 * row + column) << orientation;
      }
    }
    EXPECT_EQ(loaded.info.notes.size(), orientation == 1 ? 0u : 1u);
  }
}

TEST(TiffRead, ExtraSamples) {
  const TemporaryFolder folder;
  const auto names = [&](int samples, int photometric, int extraSample, int extraCount) {
    TiffOptions o{.width = 3, .height = 2, .samples = samples, .photometric = photometric};
    o.extraSample = extraSample;
    o.extraCount = extraCount;
    writeTiff(folder / "a.tiff", o, [](int c, int, int) { return static_cast<std::uint64_t>(c); });
    return readImage(folder / "a.tiff").info.channelNames;
  };
  EXPECT_EQ(names(4, PHOTOMETRIC_RGB, EXTRASAMPLE_UNASSALPHA, 1), (Names{"red", "green", "blue", "alpha"}));
  EXPECT_EQ(names(4, PHOTOMETRIC_RGB, EXTRASAMPLE_ASSOCALPHA, 1), (Names{"red", "green", "blue", "alpha"}));
  EXPECT_EQ(readImageInfo(folder / "a.tiff").notes, Names{"colours are premultiplied by alpha"});
  EXPECT_EQ(names(4, PHOTOMETRIC_RGB, EXTRASAMPLE_UNSPECIFIED, 1),
            (Names{"red", "green", "blue", "channel3"}));
  EXPECT_EQ(names(2, PHOTOMETRIC_MINISBLACK, EXTRASAMPLE_UNASSALPHA, 1), (Names{"grey", "alpha"}));
  EXPECT_EQ(names(3, PHOTOMETRIC_MINISBLACK, EXTRASAMPLE_UNSPECIFIED, 2),
            (Names{"channel0", "channel1", "channel2"}));
}

TEST(TiffRead, PagesAreCountedAndChosen) {
  const TemporaryFolder folder;
  for (int page = 0; page < 3; ++page) {
    writeTiff(
        folder / "a.tiff", {.width = 4 + page, .height = 3, .bits = page == 1 ? 16 : 8},
        [page](int, int, int) { return static_cast<std::uint64_t>(page + 10); }, page == 0 ? "w" : "a");
  }
  for (int page = 0; page < 3; ++page) {
    const LoadedImage loaded = readImage(folder / "a.tiff", page);
    EXPECT_EQ(loaded.info.pages, 3);
    EXPECT_EQ(loaded.image.width(), 4 + page);
    EXPECT_EQ(loaded.image.type(), page == 1 ? ElementType::U16 : ElementType::U8);
    EXPECT_EQ(values(loaded.image), std::vector<int>(static_cast<std::size_t>(3 * (4 + page)), page + 10));
  }
  for (const int page : {-1, 3}) {
    EXPECT_EQ(testing::readRefusal(folder / "a.tiff", page).sentence,
              (folder / "a.tiff").string() + ": has 3 pages, page " + std::to_string(page) +
                  " (counted from 0) is not among them");
  }
}

/// Whoever takes one page after the other until the last would never end.
TEST(TiffRead, AFileWithoutAPageIsRefused) {
  using namespace std::string_view_literals;
  const TemporaryFolder folder;
  for (const std::string_view header :
       {"II*\0\0\0\0\0"sv, "MM\0*\0\0\0\0"sv, "II+\0\b\0\0\0\0\0\0\0\0\0\0\0"sv}) {
    testing::writeBytes(folder / "a.tiff", header);
    EXPECT_EQ(testing::readRefusal(folder / "a.tiff").sentence,
              (folder / "a.tiff").string() + ": has no page");
  }
}

TEST(TiffRead, JpegInside) {
  const TemporaryFolder folder;
  for (const int samples : {1, 3}) {
    TiffOptions o{.width = 40, .height = 24, .samples = samples};
    o.photometric = samples == 3 ? PHOTOMETRIC_YCBCR : PHOTOMETRIC_MINISBLACK;
    o.compression = COMPRESSION_JPEG;
    o.jpegRgb = samples == 3;
    o.rowsPerStrip = 16;
    writeTiff(folder / "a.tiff", o,
              [](int c, int y, int x) { return static_cast<std::uint64_t>(20 + 2 * x + y + 30 * c); });
    const LoadedImage loaded = readImage(folder / "a.tiff");
    ASSERT_EQ(loaded.info.channels, samples);
    for (int c = 0; c < samples; ++c) {
      EXPECT_NEAR(loaded.image.view<std::uint8_t>(c).at(30, 20), 20 + 60 + 20 + 30 * c, 15);
    }
  }
}

TEST(TiffRead, KindsThatAreNotReadAreNamed) {
  const TemporaryFolder folder;
  const auto refusal = [&](TiffOptions o) {
    o.width = o.height = 4;
    writeTiff(folder / "a.tiff", o, [](int, int, int) { return std::uint64_t{0}; });
    const auto result = testing::readRefusal(folder / "a.tiff");
    EXPECT_EQ(result.code, ErrorCode::Unsupported);
    const std::string start = (folder / "a.tiff").string() + ": is a TIFF of ";
    EXPECT_EQ(result.sentence.substr(0, start.size()), start);
    return result.sentence.substr(std::min(start.size(), result.sentence.size()),
                                  result.sentence.find(", which") - start.size());
  };
  EXPECT_EQ(refusal({.bits = 64, .format = SAMPLEFORMAT_IEEEFP}), "64-bit floating point");
  EXPECT_EQ(refusal({.bits = 8, .format = SAMPLEFORMAT_INT}), "8-bit signed integers");
  EXPECT_EQ(refusal({.bits = 16, .format = SAMPLEFORMAT_INT}), "16-bit signed integers");
  EXPECT_EQ(refusal({.bits = 32}), "32-bit unsigned integers");
  EXPECT_EQ(refusal({.bits = 64, .format = SAMPLEFORMAT_COMPLEXIEEEFP}), "64-bit complex numbers");
  EXPECT_EQ(refusal({.samples = 4, .photometric = PHOTOMETRIC_SEPARATED}), "CMYK or other inks");
  EXPECT_EQ(refusal({.samples = 3, .photometric = PHOTOMETRIC_CIELAB}), "CIE Lab colours");
  EXPECT_EQ(refusal({.samples = 3, .photometric = PHOTOMETRIC_YCBCR}), "YCbCr pixels that are not JPEG");
  EXPECT_EQ(refusal({.bits = 32, .format = SAMPLEFORMAT_IEEEFP, .photometric = PHOTOMETRIC_MINISWHITE}),
            "floating point in which white is zero");
  EXPECT_EQ(refusal({.samples = 2, .photometric = PHOTOMETRIC_MINISWHITE}),
            "several samples a pixel in which white is zero");
}

TEST(TiffRead, TileBeyondTheBudgetIsRefusedBeforeItIsDecoded) {
  const TemporaryFolder folder;
  TiffOptions o{.width = 16, .height = 16};
  o.tileWidth = o.tileHeight = 4096;  // zeros: 16 MiB of pixels in a few kilobytes
  o.compression = COMPRESSION_ADOBE_DEFLATE;
  writeTiff(folder / "a.tiff", o, [](int, int, int) { return std::uint64_t{0}; });
  EXPECT_LT(std::filesystem::file_size(folder / "a.tiff"), 100'000u);
  EXPECT_EQ(testing::readRefusal(folder / "a.tiff", 0, {.maxBytes = 1 << 20}).sentence,
            (folder / "a.tiff").string() +
                ": has strips or tiles of 16777216 bytes, the limit is 1048576; bankside filter --memory "
                "allows more");
  EXPECT_EQ(values(readImage(folder / "a.tiff").image), std::vector<int>(256, 0));
}

}  // namespace
}  // namespace bankside

/// Files that are cut, broken or no files at all: one clear sentence or the right picture, nothing else.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <random>

#include "core/imageio/image_stream.h"
#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::anyBits;
using testing::Path;
using testing::TemporaryFolder;
using testing::TiffOptions;
using testing::writeJpeg;
using testing::writePng;
using testing::writeTiff;

int damagePattern(int c, int y, int x) { return (x * 11 + y * 29 + c * 83 + x * y) & 255; }
std::uint64_t storedPattern(int c, int y, int x) {
  return static_cast<std::uint64_t>(damagePattern(c, y, x));
}

/// A small valid file of every kind of code path, by name.
std::map<std::string, std::string> smallFiles(const TemporaryFolder& folder) {
  const Path path = folder / "made";
  std::map<std::string, std::string> files;
  const auto keep = [&](const std::string& name) { files[name] = testing::readBytes(path); };
  const auto tiff = [&](const std::string& name, TiffOptions o, const char* mode = "w") {
    o.width = 19;
    o.height = 13;
    o.rowsPerStrip = 5;
    writeTiff(path, o, storedPattern, mode);
    keep(name);
  };
  writePng(path, {.width = 19, .height = 13, .colour = 2}, damagePattern), keep("png");
  writePng(path, {.width = 19, .height = 13, .bits = 16, .colour = 6, .interlaced = true}, damagePattern),
      keep("png-i");
  writePng(path,
           {.width = 19, .height = 13, .bits = 4, .colour = 3, .palette = std::vector<std::uint8_t>(48, 9)},
           [](int c, int y, int x) { return damagePattern(c, y, x) & 15; }),
      keep("png-palette");
  writeJpeg(path, {.width = 19, .height = 13, .components = 3, .exif = testing::exifWithOrientation(6)},
            damagePattern),
      keep("jpeg");
  writeJpeg(path, {.width = 19, .height = 13, .progressive = true}, damagePattern), keep("jpeg-progressive");
  tiff("tiff", {});
  tiff("tiff-big-endian", {.samples = 3, .bits = 16, .photometric = 2}, "wb");
  tiff("bigtiff", {.samples = 2, .bits = 32, .format = 3, .separate = true}, "w8");
  tiff("tiff-lzw-tiles", {.compression = 5, .predictor = 2, .tileWidth = 16, .tileHeight = 16});
  tiff("tiff-deflate", {.samples = 3, .photometric = 2, .compression = 8, .orientation = 8});
  tiff("tiff-packbits", {.compression = 32773});
  tiff(
      "tiff-jpeg",
      {.samples = 3, .photometric = 6, .compression = 7, .tileWidth = 16, .tileHeight = 16, .jpegRgb = true});
  tiff("tiff-palette", {.photometric = 3, .palette = std::vector<std::uint16_t>(768, 7)});
  TiffOptions fax{.bits = 1, .photometric = 0, .compression = 4};
  fax.width = 19, fax.height = 13;
  writeTiff(path, fax, [](int c, int y, int x) { return storedPattern(c, y, x) & 1; }), keep("tiff-fax");
  tiff("tiff-pages", {});
  writeTiff(path, {.width = 3, .height = 3}, storedPattern, "a"), keep("tiff-pages");
  for (const FileFormat format : fileFormats()) {
    const ElementType type = testing::keeps(format, ElementType::F32) ? ElementType::F32 : ElementType::U16;
    writeImage(path, anyBits(3, 7, 9, type), format), keep(std::string("written ") + toString(format));
  }
  files["pgm"] = "P5\n# note\n7 5\n65535\n" + std::string(70, 'q');
  files["pbm"] = "P4\n17 5\n" + std::string(15, 'q');
  files["pgm-plain"] = "P2\n4 3\n999\n1 22 333 4 55 666 7 88 999 10 110 120\n";
  files["pbm-plain"] = "P1\n4 3\n0101 1010\n0 1 1 1\n";
  return files;
}

TEST(ImageDamage, NoCutFileGivesAnotherPicture) {
  const TemporaryFolder folder;
  const Path path = folder / "cut";
  for (const auto& [name, bytes] : smallFiles(folder)) {
    testing::writeBytes(path, bytes);
    const Image whole = readImage(path).image;
    int refused = 0;
    ::testing::internal::CaptureStderr();
    // From the end, so that the file only shrinks; every byte near both ends, every third between.
    for (std::size_t size = bytes.size(); size-- > 0;) {
      if (size > 300 && size + 300 < bytes.size() && size % 3 != 0) continue;
      std::filesystem::resize_file(path, size);
      try {
        const LoadedImage loaded = readImage(path);
        EXPECT_TRUE(samePixels(loaded.image, whole)) << name << " cut to " << size << " of " << bytes.size();
      } catch (const Error& error) {
        ++refused;
        EXPECT_EQ(error.code(), ErrorCode::BadInput) << name << " " << size << " " << error.what();
        EXPECT_EQ(std::string(error.what()).find(path.string() + ": "), 0u) << error.what();
      }
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << name;
    EXPECT_GT(refused, 5) << name;
  }
}

/// The last rows first, and some again after they were refused.
void readByRows(const Path& path, ImageLimits limits) {
  limits.cacheBytes = 1;
  std::unique_ptr<Source> source;
  try {
    source = openSource(path, 0, limits);
  } catch (const Error&) {
    return;
  }
  Image row(1, 1, source->width(), source->type());
  int refused = 0;
  for (int y = std::min(source->height(), 40) - 1; y >= 0 && refused < 3; --y) {
    for (int c = 0; c < std::min(source->channels(), 4); ++c) {
      try {
        source->readRows(c, y, row.plane(0));
      } catch (const Error&) {
        ++refused;
      }
    }
  }
}

TEST(ImageDamage, FlippedBitsNeverCrash) {
  const TemporaryFolder folder;
  const Path path = folder / "flipped";
  // A broken header may promise much; the test's machine need not have it.
  const ImageLimits limits{.maxSide = 20'000, .maxBytes = std::int64_t{64} << 20};
  for (const auto& [name, bytes] : smallFiles(folder)) {
    std::mt19937 random(7);
    int refused = 0;
    ::testing::internal::CaptureStderr();
    for (int round = 0; round < 300; ++round) {
      std::string broken = bytes;
      for (unsigned flips = 1 + random() % 3; flips > 0; --flips) {
        // Headers and tables are where the decisions are made: half of the flips go to the ends.
        const std::size_t range = random() % 2 == 0 ? std::min<std::size_t>(bytes.size(), 64) : bytes.size();
        const std::size_t at = random() % 4 == 0 ? bytes.size() - 1 - random() % range : random() % range;
        broken[at] = static_cast<char>(broken[at] ^ (1 << random() % 8));
      }
      testing::writeBytes(path, broken);
      try {
        const LoadedImage loaded = readImage(path, 0, limits);
        EXPECT_FALSE(loaded.image.empty());
      } catch (const Error& error) {
        ++refused;
        EXPECT_EQ(std::string(error.what()).find(path.string() + ": "), 0u) << error.what();
        EXPECT_LT(std::string(error.what()).size(), path.string().size() + 400);
      }
      readByRows(path, limits);
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << name;
    EXPECT_GT(refused, 0) << name;
  }
}

TEST(ImageDamage, NoImageFileAtAll) {
  const TemporaryFolder folder;
  const auto check = [&](const Path& path, ErrorCode code, const std::string& sentence) {
    for (const auto& refusal :
         {testing::readRefusal(path), testing::refusalOf([&] { readImageInfo(path); })}) {
      EXPECT_EQ(refusal.sentence, path.string() + ": " + sentence);
      EXPECT_EQ(refusal.code, code);
    }
  };
  check(folder / "missing.png", ErrorCode::Io, "cannot open: No such file or directory");
  check(folder.path(), ErrorCode::Io, "is a folder, not a file");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  check(folder / "pipe", ErrorCode::Io, "is not a regular file");
  check("/dev/zero", ErrorCode::Io, "is not a regular file");
  testing::writeBytes(folder / "empty.tiff", "");
  check(folder / "empty.tiff", ErrorCode::BadInput, "is empty");
  testing::writeBytes(folder / "text.png", "This is no picture.");
  std::string names;
  for (const FileFormat format : fileFormats()) names += std::string(nameOf(format)) + ", ";
  check(folder / "text.png", ErrorCode::BadInput,
        "is not an image of a known format (" + names + "JPEG, PGM, PPM, PBM)");
  testing::writeBytes(folder / "a.png", "GIF89a and so on");
  check(folder / "a.png", ErrorCode::Unsupported,
        "is a GIF file, which is not read here; convert it to TIFF or PNG");
  if (::geteuid() != 0) {  // root reads everything
    testing::writeBytes(folder / "secret", "P5 1 1 255\nA");
    ::chmod((folder / "secret").c_str(), 0);
    check(folder / "secret", ErrorCode::Io, "cannot open: Permission denied");
  }
}

TEST(ImageDamage, ContentDecidesNotTheName) {
  const TemporaryFolder folder;
  writeImage(folder / "a.jpg", anyBits(1, 3, 3, ElementType::U8), FileFormat::Png);
  EXPECT_EQ(readImageInfo(folder / "a.jpg").format, "PNG");
}

TEST(ImageDamage, LimitsHoldForEveryFormat) {
  const TemporaryFolder folder;
  for (const FileFormat format : {FileFormat::Tiff, FileFormat::Png, FileFormat::Npy}) {
    const Path path = folder / toString(format);
    writeImage(path, anyBits(3, 10, 100, ElementType::U16), format);
    EXPECT_EQ(testing::readRefusal(path, 0, {.maxSide = 99}).sentence,
              path.string() + ": has 100 x 10 pixels, the limit is 99 a side");
    const std::int64_t needed = 3 * 10 * 256;  // rows of 200 bytes take 256
    EXPECT_EQ(testing::readRefusal(path, 0, {.maxBytes = needed}).sentence, "");
    const auto refusal = testing::readRefusal(path, 0, {.maxBytes = needed - 1});
    EXPECT_EQ(refusal.code, ErrorCode::Limit);
    EXPECT_EQ(refusal.sentence,
              path.string() + ": has 100 x 10 pixels in 3 channels of u16, more than the limit of " +
                  std::to_string(needed - 1) + " bytes a page; bankside filter --memory allows more");
    EXPECT_EQ(testing::readRefusal(path, 0, {.maxPixels = 1000}).sentence, "");
    EXPECT_EQ(testing::readRefusal(path, 0, {.maxPixels = 999}).sentence,
              path.string() + ": has 100 x 10 pixels, more than the limit of 999; --max-pixels allows more");
  }
}

TEST(ImageDamage, AShortHeaderCannotAskForMany) {
  const TemporaryFolder folder;
  // Names of the channels alone would take gigabytes.
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (60000000, 2, 2), }";
  header.resize(117, ' ');
  testing::writeBytes(folder / "a.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n");
  EXPECT_EQ(testing::readRefusal(folder / "a.npy").sentence,
            (folder / "a.npy").string() + ": has 60000000 channels, the limit is 65535");
}

}  // namespace
}  // namespace bankside

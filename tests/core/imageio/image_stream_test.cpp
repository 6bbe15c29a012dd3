#include "core/imageio/image_stream.h"

#include <gtest/gtest.h>
#include <tiffio.h>

#include <cstring>
#include <fstream>

#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::anyBits;
using testing::Path;
using testing::refusalOf;
using testing::TemporaryFolder;
using testing::TiffOptions;
using testing::writeTiff;

std::uint64_t bytePattern(int c, int y, int x) {
  return static_cast<std::uint64_t>(x * 7 + y * 31 + c * 101) & 255;
}

/// Every row as a source gives it, in bands of `bandRows` with the overlap of a filter.
void expectSameRows(Source& source, const Image& image, int bandRows, int overlap) {
  ASSERT_EQ(source.channels(), image.channels());
  ASSERT_EQ(source.height(), image.height());
  ASSERT_EQ(source.width(), image.width());
  ASSERT_EQ(source.type(), image.type());
  const std::size_t bytes = static_cast<std::size_t>(image.width()) * sizeOf(image.type());
  for (int top = 0; top < image.height(); top += bandRows) {
    const int first = std::max(0, top - overlap);
    const int last = std::min(image.height(), top + bandRows + overlap);
    Image band(1, last - first, image.width(), image.type());
    for (int c = 0; c < image.channels(); ++c) {
      source.readRows(c, first, band.plane(0));
      for (int y = first; y < last; ++y) {
        ASSERT_EQ(std::memcmp(band.plane(0).row(y - first), image.plane(c).row(y), bytes), 0)
            << c << " " << y;
      }
    }
  }
}

TEST(ImageStream, SourcesGiveTheRowsOfTheWholeImage) {
  const TemporaryFolder folder;
  const Path path = folder / "a";
  const auto check = [&](bool streamed, const std::string& what) {
    SCOPED_TRACE(what);
    const Image whole = readImage(path).image;
    const auto source = openSource(path);
    EXPECT_EQ(source->resident(0).has_value(), !streamed);
    expectSameRows(*source, whole, 7, 3);
    expectSameRows(*source, whole, 1, 0);  // and back to the top
    expectSameRows(*source, whole, 100, 0);
    if (!streamed) return;
    // What is kept is small, and so is the memory that a page as a whole must not exceed.
    const auto frugal = openSource(path, 0, {.maxBytes = 1500, .cacheBytes = 1});
    expectSameRows(*frugal, whole, 7, 3);
    expectSameRows(*frugal, whole, 1, 0);
  };
  for (const int samples : {1, 3}) {
    for (const bool separate : {false, true}) {
      for (const int tile : {0, 16}) {
        for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW}) {
          TiffOptions o{.width = 37, .height = 50, .samples = samples};
          o.photometric = samples == 3 ? 2 : 1;
          o.separate = separate;
          o.tileWidth = o.tileHeight = tile;
          o.rowsPerStrip = 8;
          o.compression = compression;
          writeTiff(path, o, bytePattern);
          check(true, "tiff " + std::to_string(samples) + std::to_string(tile) + std::to_string(compression));
        }
      }
    }
  }
  writeTiff(path, {.width = 37, .height = 50, .bits = 1, .photometric = 0},
            [](int c, int y, int x) { return bytePattern(c, y, x) & 1; });
  check(true, "bits");
  for (const FileFormat format : fileFormats()) {
    if (!testing::keeps(format, ElementType::F32)) continue;
    writeImage(path, anyBits(3, 41, 23, ElementType::F32), format);
    check(true, toString(format));
  }
  testing::writeBytes(path, "P6 5 30 65535\n" + testing::readBytes(path).substr(0, 900));
  check(true, "ppm");
  testing::writeBytes(path, "P2 2 2 9\n1 2 3 4\n");
  check(true, "plain pgm");
  testing::writeBytes(path, "P1 3 2 1 0 1\n0 1 1\n");
  check(true, "plain pbm");
  testing::writeBytes(path, "P4 9 3\nabcdef");
  check(true, "pbm");
  for (const int channels : {1, 2, 3, 4}) {
    writeImage(path, anyBits(channels, 41, 23, ElementType::U16), FileFormat::Png);
    check(true, "png");
  }
  testing::writePng(path, {.width = 37, .height = 50, .bits = 2},
                    [](int, int y, int x) { return (x + y) & 3; });
  check(true, "png of 2 bits");
  testing::PngOptions palette{.width = 37, .height = 50, .bits = 4, .colour = 3};
  palette.palette = {1, 2, 3, 40, 50, 60, 70, 80, 90};
  palette.paletteAlpha = {9};
  testing::writePng(path, palette, [](int, int y, int x) { return (x + y) % 3; });
  check(true, "png with a palette");
  testing::writePng(path, {.width = 37, .height = 50, .interlaced = true},
                    [](int, int y, int x) { return 3 * x + y; });
  check(false, "interlaced png");
  const auto shade = [](int c, int y, int x) { return (9 * x + 5 * y + 40 * c) & 255; };
  for (const int components : {1, 3}) {
    for (const bool progressive : {false, true}) {
      testing::writeJpeg(
          path, {.width = 37, .height = 50, .components = components, .progressive = progressive}, shade);
      check(true, "jpeg");
    }
  }
  testing::writeJpeg(path, {.width = 37, .height = 50, .exif = testing::exifWithOrientation(6)}, shade);
  check(false, "turned jpeg");
  writeTiff(path, {.width = 37, .height = 50, .orientation = 6}, bytePattern);
  check(false, "turned tiff");
}

/// Calls of this thread that read.
long readsOf(const std::function<void()>& work) {
  const auto soFar = [] {
    std::ifstream io("/proc/thread-self/io");
    for (std::string word; io >> word;)
      if (long reads = 0; word == "syscr:" && io >> reads) return reads;
    return -1L;
  };
  const long before = soFar();
  work();
  return soFar() - before;
}

TEST(ImageStream, EveryPageIsLookedAtOnce) {
  const TemporaryFolder folder;
  const auto readsOfAll = [](const Path& path, int pages) {
    return readsOf([&] {
      const ImageFile file(path);
      ASSERT_EQ(file.pages(), pages);
      for (int page = 0; page < pages; ++page) EXPECT_EQ(file.read(page).info.pages, pages);
    });
  };
  for (const int pages : {40, 80, 4000}) {
    std::string all;
    for (int i = 0; i < pages; ++i) all += "P5 1 1 255\nA";
    testing::writeBytes(folder / "a.pgm", all);
    EXPECT_LE(readsOfAll(folder / "a.pgm", pages), 10 * pages) << pages;
  }
  for (const int pages : {20, 60}) {
    for (int i = 0; i < pages; ++i)
      writeTiff(folder / "a.tiff", {.width = 2, .height = 2}, bytePattern, i == 0 ? "w" : "a");
    EXPECT_LE(readsOfAll(folder / "a.tiff", pages), 25 * pages) << pages;
  }
}

TEST(ImageStream, RowsThatAreAskedForAgainAreKept) {
  const TemporaryFolder folder;
  const Path path = folder / "a.png";
  writeImage(path, anyBits(1, 800, 1000, ElementType::U8), FileFormat::Png);
  const auto source = openSource(path, 0, {.maxBytes = 100'000, .cacheBytes = 1});
  Image band(1, 40, 1000, ElementType::U8);
  Image row(1, 1, 1000, ElementType::U8);
  const long once = readsOf([&] { readImage(path); });
  ASSERT_GT(once, 8);
  // As a judge looks at every band once more, and at rows beside it.
  const long reads = readsOf([&] {
    for (int top = 0; top < 800; top += 40) {
      source->readRows(0, top, band.plane(0));
      for (int y = std::max(0, top - 8); y < std::min(800, top + 48); ++y)
        source->readRows(0, y, row.plane(0));
    }
  });
  EXPECT_LT(reads, 4 * once);
}

/// Rows of 4096 bytes lie in memory without a gap.
TEST(ImageStream, AsManyRowsStayAsThereIsRoomFor) {
  const TemporaryFolder folder;
  const Path path = folder / "a.png";
  const Image image = anyBits(1, 100, 4096, ElementType::U8);
  for (const int missing : {0, 1}) {
    writeImage(path, image, FileFormat::Png);
    const auto source = openSource(path, 0, {.cacheBytes = 8 * 4096 - missing});
    Image row(1, 1, 4096, ElementType::U8);
    for (int y = 80; y < 88; ++y) source->readRows(0, y, row.plane(0));
    std::filesystem::resize_file(path, 0);  // what is kept needs no file any more; what is not does
    for (int y = 80 + missing; y < 88; ++y) {
      source->readRows(0, y, row.plane(0));
      EXPECT_EQ(std::memcmp(row.plane(0).row(0), image.plane(0).row(y), 4096), 0) << y;
    }
    EXPECT_NE(testing::sentenceOf([&] { source->readRows(0, 79 + missing, row.plane(0)); }), "");
  }
}

TEST(ImageStream, LargeUncompressedStripsAreReadInParts) {
  const TemporaryFolder folder;
  const Path path = folder / "a";
  // One strip of 3 MiB in the other byte order; the budget is far below it.
  for (const bool separate : {false, true}) {
    TiffOptions o{
        .width = 1024, .height = 512, .samples = 3, .bits = 16, .photometric = 2, .separate = separate};
    writeTiff(path, o, bytePattern, "wb");
    const Image whole = readImage(path).image;
    EXPECT_EQ(whole.view<std::uint16_t>(2).at(1000, 500), bytePattern(2, 500, 1000));
    const auto source = openSource(path, 0, {.maxBytes = 10'000});
    expectSameRows(*source, whole, 60, 5);
    EXPECT_EQ(testing::readRefusal(path, 0, {.maxBytes = 10'000}).code, ErrorCode::Limit);
  }
}

TEST(ImageStream, PagesLimitsAndDamage) {
  const TemporaryFolder folder;
  const Path path = folder / "a";
  writeTiff(path, {.width = 8, .height = 8}, bytePattern);
  writeTiff(path, {.width = 9, .height = 9, .compression = COMPRESSION_LZW, .rowsPerStrip = 3}, bytePattern,
            "a");
  EXPECT_EQ(openSource(path, 1)->width(), 9);
  EXPECT_EQ(refusalOf([&] { openSource(path, 2); }).code, ErrorCode::BadInput);
  EXPECT_EQ(refusalOf([&] { openSource(path, 1, {.maxSide = 8}); }).code, ErrorCode::Limit);
  EXPECT_EQ(refusalOf([&] { openSource(path, 1, {.maxBytes = 26}); }).code,
            ErrorCode::Limit);  // strips of 27

  // Damage in the last strip shows when its rows are asked for, and not before.
  writeTiff(path, {.width = 64, .height = 64, .compression = COMPRESSION_ADOBE_DEFLATE, .rowsPerStrip = 16},
            bytePattern);
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  const auto offset = static_cast<std::size_t>(TIFFGetStrileOffset(tiff, 3));
  TIFFClose(tiff);
  std::string bytes = testing::readBytes(path);
  for (std::size_t i = 0; i < 20; ++i) bytes[offset + i] = '\x55';
  testing::writeBytes(path, bytes);
  const auto source = openSource(path);
  Image row(1, 1, 64, ElementType::U8);
  source->readRows(0, 47, row.plane(0));
  EXPECT_EQ(row.view<std::uint8_t>(0).at(5, 0), bytePattern(0, 47, 5));
  const auto refusal = refusalOf([&] { source->readRows(0, 48, row.plane(0)); });
  EXPECT_EQ(refusal.code, ErrorCode::BadInput);
  EXPECT_EQ(refusal.sentence.find(path.string() + ": TIFF data is damaged"), 0u) << refusal.sentence;
  EXPECT_EQ(refusalOf([&] { source->readRows(0, 64, row.plane(0)); }).code, ErrorCode::BadInput);
  EXPECT_EQ(refusalOf([&] { source->readRows(1, 0, row.plane(0)); }).code, ErrorCode::BadInput);
}

TEST(ImageStream, AStripIsDecodedOnce) {
  const TemporaryFolder folder;
  const Path path = folder / "a";
  writeTiff(path,
            {.width = 64,
             .height = 32,
             .samples = 3,
             .photometric = 2,
             .compression = COMPRESSION_LZW,
             .rowsPerStrip = 16},
            bytePattern);
  const auto source = openSource(path);
  Image rows(1, 16, 64, ElementType::U8);
  source->readRows(0, 0, rows.plane(0));
  // What is kept needs no file any more; what is not does.
  std::filesystem::resize_file(path, 0);
  for (int c = 0; c < 3; ++c) {
    source->readRows(c, 0, rows.plane(0));
    EXPECT_EQ(rows.view<std::uint8_t>(0).at(63, 15), bytePattern(c, 15, 63));
  }
  EXPECT_EQ(refusalOf([&] { source->readRows(0, 16, rows.plane(0)); }).code, ErrorCode::BadInput);
}

TEST(ImageStream, BigTiffWhereFourGigabytesAreNotEnough) {
  const TemporaryFolder folder;
  for (const auto& [side, first] :
       {std::pair{65'000, std::string("II\x2a\0", 4)}, {66'000, std::string("II\x2b\0", 4)}}) {
    const auto sink = createSink({{folder / "a", ElementType::U8}}, side, side, FileFormat::Tiff);
    const Image row(1, 1, side, ElementType::U8);
    sink->writeRows(0, 0, row.plane(0));
    const Path part = std::filesystem::directory_iterator(folder.path())->path();
    EXPECT_EQ(testing::readBytes(part).substr(0, 4), first);
  }
}

TEST(ImageStream, SinkWritesOneFileAPlane) {
  const TemporaryFolder folder;
  for (const FileFormat format : {FileFormat::Tiff, FileFormat::Npy, FileFormat::Png}) {
    const bool png = format == FileFormat::Png;
    const std::vector<PlaneFile> files = {{folder / "a", png ? ElementType::U8 : ElementType::F32},
                                          {folder / "b", ElementType::U16}};
    std::vector<Image> images;
    for (const PlaneFile& file : files) images.push_back(anyBits(1, 700, 333, file.type));
    const auto sink = createSink(files, 700, 333, format);
    ASSERT_EQ(sink->planes(), 2);
    for (int top = 0; top < 700; top += 64) {
      for (int p = 0; p < 2; ++p) {
        EXPECT_EQ(sink->type(p), files[static_cast<std::size_t>(p)].type);
        ConstPlane rows = std::as_const(images[static_cast<std::size_t>(p)]).plane(0);
        rows.data = rows.row(top);
        rows.height = std::min(64, 700 - top);
        sink->writeRows(p, top, rows);
      }
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
    sink->commit();
    for (int p = 0; p < 2; ++p) {
      const LoadedImage back = readImage(files[static_cast<std::size_t>(p)].path);
      EXPECT_TRUE(samePixels(back.image, images[static_cast<std::size_t>(p)])) << toString(format);
      EXPECT_EQ(back.info.channelNames, std::vector<std::string>{"grey"});
      std::filesystem::remove(files[static_cast<std::size_t>(p)].path);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

TEST(ImageStream, PfmSinkFillsFromTheBottom) {
  const TemporaryFolder folder;
  const Image image = anyBits(1, 30, 20, ElementType::F32);
  const auto sink = createSink({{folder / "a"}}, 30, 20, FileFormat::Pfm);
  for (int y = 0; y < 30; ++y) {
    ConstPlane row = image.plane(0);
    row.data = row.row(y);
    row.height = 1;
    sink->writeRows(0, y, row);
  }
  sink->commit();
  EXPECT_TRUE(samePixels(readImage(folder / "a").image, image));
}

TEST(ImageStream, UncommittedOrIncompleteSinksLeaveNothing) {
  const TemporaryFolder folder;
  const Image image = anyBits(1, 10, 10, ElementType::F32);
  ConstPlane half = image.plane(0);
  half.height = 5;
  for (const FileFormat format : {FileFormat::Tiff, FileFormat::Npy, FileFormat::Pfm}) {
    {
      const auto sink = createSink({{folder / "a"}, {folder / "b"}}, 10, 10, format);
      sink->writeRows(0, 0, image.plane(0));
      sink->writeRows(1, 0, half);
      EXPECT_EQ(refusalOf([&] { sink->commit(); }).sentence, (folder / "b").string() + ": rows are missing");
      EXPECT_EQ(refusalOf([&] { sink->writeRows(1, 6, half); }).sentence,
                (folder / "b").string() + ": rows came out of order");
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
  EXPECT_EQ(refusalOf([&] {
              createSink({{folder / "a"}, {folder / "a"}}, 2, 2, FileFormat::Npy);
            }).code,
            ErrorCode::BadInput);
  EXPECT_EQ(refusalOf([&] { createSink({{folder / "a"}}, 2, 2, FileFormat::Png); }).code,
            ErrorCode::Unsupported);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace bankside

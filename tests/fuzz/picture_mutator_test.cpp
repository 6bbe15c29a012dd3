#include "tests/fuzz/picture_mutator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "core/error.h"
#include "core/imageio/image_io.h"
#include "tests/support/made_images.h"

namespace bankside::fuzz {
namespace {

Octets seed(const std::string& name) {
  std::ifstream in(std::string(BANKSIDE_SEEDS_DIR) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What comes of bytes as a picture: its shape and pixels, and else what is said.
struct Read {
  std::string pixels;
  std::string refusal;
};

Read readBytes(const testing::TemporaryFolder& folder, const Octets& bytes) {
  const std::filesystem::path file = folder / "picture";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  try {
    const Image image =
        readImage(file, 0,
                  {.maxSide = 4096, .maxPixels = 1 << 20, .maxBytes = 16 << 20, .cacheBytes = 1 << 20})
            .image;
    std::string pixels = std::to_string(image.width());
    for (int c = 0; c < image.channels(); ++c)
      for (int y = 0; y < image.height(); ++y)
        pixels.append(reinterpret_cast<const char*>(image.plane(c).row(y)),
                      static_cast<std::size_t>(image.width()) * sizeOf(image.type()));
    return {pixels, ""};
  } catch (const Error& error) {
    return {"", error.what()};
  }
}

/// Whatever byte is changed, a checksum tells: pixels are never others. Changed in chunks they are, so that
/// what comes behind the checksums is reached.
TEST(PictureMutator, PngStaysInChunksThatAreWhole) {
  const testing::TemporaryFolder folder;
  const Octets bytes = seed("png/deep.png");
  ASSERT_FALSE(bytes.empty());
  std::mt19937 random(1);
  const auto oneByteChanged = [&](const Octets& data, std::size_t) {
    Octets made = data;
    if (!made.empty()) made[random() % made.size()] = static_cast<std::uint8_t>(random());
    return made;
  };
  std::set<std::string> pictures;
  std::set<std::string> ofBytes;
  for (int i = 0; i < 400; ++i) {
    ofBytes.insert(readBytes(folder, oneByteChanged(bytes, 0)).pixels);
    const Octets made = changedPng(bytes, 4096, random, oneByteChanged);
    ASSERT_FALSE(made.empty());
    const Read read = readBytes(folder, made);
    EXPECT_EQ(read.refusal.find("CRC"), std::string::npos) << read.refusal;
    pictures.insert(read.pixels);
  }
  EXPECT_LE(ofBytes.size(), 2u) << "nothing, and the seed's";
  EXPECT_GT(pictures.size(), 20u);
  EXPECT_TRUE(changedPng(seed("tiff/grey.tif"), 4096, random, oneByteChanged).empty());
  EXPECT_TRUE(changedPng(bytes, 20, random, oneByteChanged).empty()) << "longer than it may be";
}

/// The header stays and leads to a directory: what is said is of its entries.
TEST(PictureMutator, TiffStaysWithItsDirectory) {
  const testing::TemporaryFolder folder;
  for (const std::string name : {"tiff/grey.tif", "tiff/planes-big.tif", "tiff/deep-motorola.tif"}) {
    const Octets bytes = seed(name);
    ASSERT_FALSE(bytes.empty());
    std::mt19937 random(1);
    const auto same = [](const Octets& data, std::size_t) { return data; };
    std::set<std::string> pictures;
    std::set<std::string> refusals;
    for (int i = 0; i < 400; ++i) {
      const Octets made = changedTiff(bytes, 4096, random, same);
      ASSERT_FALSE(made.empty());
      EXPECT_TRUE(std::equal(made.begin(), made.begin() + 8, bytes.begin()));
      const Read read = readBytes(folder, made);
      pictures.insert(read.pixels);
      refusals.insert(read.refusal);
    }
    EXPECT_GT(pictures.size(), 5u) << name;
    EXPECT_GT(refusals.size(), 10u) << name;
    EXPECT_TRUE(changedTiff(bytes, 20, random, same).empty()) << "longer than it may be";
    EXPECT_TRUE(changedTiff(seed("png/deep.png"), 4096, random, same).empty());
    EXPECT_TRUE(changedTiff(seed("tiff/no-page.tif"), 4096, random, same).empty());
  }
}

}  // namespace
}  // namespace bankside::fuzz

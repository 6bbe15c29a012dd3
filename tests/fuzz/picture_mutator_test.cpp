#include "tests/fuzz/picture_mutator.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
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

/// What reading says; "" where it is read.
std::string answer(const testing::TemporaryFolder& folder, const Octets& bytes) {
  const std::filesystem::path file = folder / "picture";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  try {
    readImage(file, 0, {.maxSide = 4096, .maxPixels = 1 << 20, .maxBytes = 16 << 20, .cacheBytes = 1 << 20});
    return "";
  } catch (const Error& error) {
    return std::string(error.what()).substr(file.string().size());
  }
}

Octets oneByteChanged(const Octets& bytes, std::mt19937& random) {
  Octets made = bytes;
  if (!made.empty()) made[random() % made.size()] = static_cast<std::uint8_t>(random());
  return made;
}

/// No checksum is wrong, so that what is behind it is looked at.
TEST(PictureMutator, PngStaysInChunksThatAreWhole) {
  const testing::TemporaryFolder folder;
  const Octets bytes = seed("png/deep.png");
  ASSERT_FALSE(bytes.empty());
  std::mt19937 random(1);
  const Change change = [&](const Octets& data, std::size_t) { return oneByteChanged(data, random); };
  std::set<std::string> answers;
  std::set<std::string> plainAnswers;
  std::set<Octets> pictures;
  for (int i = 0; i < 400; ++i) {
    plainAnswers.insert(answer(folder, oneByteChanged(bytes, random)));
    const Octets made = changedPng(bytes, 4096, random, change);
    ASSERT_FALSE(made.empty());
    pictures.insert(made);
    const std::string said = answer(folder, made);
    EXPECT_EQ(said.find("CRC"), std::string::npos) << said;
    answers.insert(said);
  }
  EXPECT_GT(pictures.size(), 100u);
  EXPECT_GT(answers.size(), 2 * plainAnswers.size()) << "they get further than any byte does";
  EXPECT_TRUE(answers.contains("")) << "some can be read, with other pixels";
  EXPECT_TRUE(changedPng(seed("tiff/grey.tif"), 4096, random, change).empty());
  EXPECT_TRUE(changedPng(bytes, 20, random, change).empty()) << "longer than it may be";
}

}  // namespace
}  // namespace bankside::fuzz

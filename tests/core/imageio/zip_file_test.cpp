/// What other programs expect of an archive of ours: PKWARE's APPNOTE, a file's own header.
#include "core/imageio/zip_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

TEST(ZipOf, FilesLieBehindTheirOwnHeaders) {
  const std::string bytes = zipOf({{"a.npy", "first"}, {"bc.npy", "second one"}});
  const auto number = [&](std::size_t at, int size) {
    std::uint32_t value = 0;
    for (int i = size; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
  };
  std::size_t at = 0;
  for (const auto& [name, content] :
       {std::pair<std::string, std::string>{"a.npy", "first"}, {"bc.npy", "second one"}}) {
    EXPECT_EQ(bytes.substr(at, 4), "PK\x03\x04");
    EXPECT_EQ(number(at + 8, 2), 0u) << "stored";
    EXPECT_EQ(number(at + 10, 2), 0u) << "midnight";
    EXPECT_EQ(number(at + 18, 4), content.size());
    EXPECT_EQ(number(at + 22, 4), content.size());
    EXPECT_EQ(number(at + 26, 2), name.size());
    EXPECT_EQ(number(at + 28, 2), 0u) << "nothing extra";
    EXPECT_EQ(bytes.substr(at + 30, name.size() + content.size()), name + content);
    at += 30 + name.size() + content.size();
  }
  EXPECT_EQ(bytes.substr(at, 4), "PK\x01\x02");
}

class ZipFiles : public ::testing::Test {
 protected:
  ReadableFile written(const std::string& bytes) {
    testing::writeBytes(folder / "a.zip", bytes);
    return ReadableFile(folder / "a.zip");
  }
  std::string refusal(const std::string& bytes, ErrorCode code = ErrorCode::BadInput) {
    return testing::sentenceOf(
        [&] {
          const ReadableFile file = written(bytes);
          for (const ZipEntry& entry : zipEntries(file, 10)) unzipped(file, entry, 100);
        },
        code);
  }
  testing::TemporaryFolder folder;
};

TEST_F(ZipFiles, OfOursAreReadBack) {
  const std::string content = "second one";
  const std::string bytes = zipOf({{"a.npy", ""}, {"bc.npy", content}});
  const ReadableFile file =
      written(bytes + std::string(65535, ' '));  // with as long a remark as there may be
  const std::vector<ZipEntry> entries = zipEntries(file, 2);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "a.npy");
  EXPECT_EQ(entries[1].name, "bc.npy");
  EXPECT_FALSE(entries[1].deflated);
  EXPECT_EQ(entries[1].size, 10);
  EXPECT_EQ(entries[1].packed, 10);
  EXPECT_EQ(unzipped(file, entries[0], 0), "");
  EXPECT_EQ(unzipped(file, entries[1], 10), content);
  EXPECT_EQ(testing::refusalOf([&] { unzipped(file, entries[1], 9); }).code, ErrorCode::Limit);
  EXPECT_EQ(testing::refusalOf([&] { zipEntries(file, 1); }).code, ErrorCode::Limit);
  EXPECT_TRUE(zipEntries(written(zipOf({})), 0).empty());
}

TEST_F(ZipFiles, WhatIsNotAsItShouldBeIsRefused) {
  using ::testing::HasSubstr;
  const std::string whole = zipOf({{"a.npy", "content"}});
  EXPECT_EQ(refusal(whole), "");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(refusal(whole.substr(0, size)), "") << size;
  const auto with = [&](std::size_t at, char byte) {
    std::string bytes = whole;
    bytes.at(at) = byte;
    return bytes;
  };
  const std::size_t line = whole.find("PK\x01\x02");
  const std::size_t end = whole.find("PK\x05\x06");
  EXPECT_THAT(refusal(with(36, 'X')), HasSubstr("\"a.npy\" inside has another checksum"));
  EXPECT_THAT(refusal(with(0, 'X')), HasSubstr("has no file where \"a.npy\" should be"));
  EXPECT_THAT(refusal(with(line, 'X')), HasSubstr("has a damaged ZIP directory"));
  EXPECT_THAT(refusal(with(line + 28, 'X')), HasSubstr("has a damaged ZIP directory"));
  EXPECT_THAT(refusal(with(line + 20, 'X')), HasSubstr("is cut short within \"a.npy\""));
  EXPECT_THAT(refusal(with(line + 24, 6)), HasSubstr("is cut short within \"a.npy\""))
      << "stored, not as long";
  EXPECT_THAT(refusal(with(line + 10, 8)), HasSubstr("cannot be inflated"));
  EXPECT_THAT(refusal(with(line + 8, 1), ErrorCode::Unsupported), HasSubstr("is encrypted"));
  EXPECT_THAT(refusal(with(line + 10, 12), ErrorCode::Unsupported), HasSubstr("is packed by method 12"));
  for (const std::size_t part : {4u, 6u, 8u})
    EXPECT_THAT(refusal(with(end + part, 3), ErrorCode::Unsupported),
                HasSubstr("is a part of a ZIP archive"));
  for (const std::size_t size : {12u, 16u})
    EXPECT_THAT(refusal(with(end + size, 'X')), HasSubstr("has a damaged ZIP directory"));
  std::string large = whole;
  large.replace(end + 8, 4, 4, '\xff');
  EXPECT_THAT(refusal(large, ErrorCode::Unsupported), HasSubstr("65535 files and more"));
  for (const std::size_t size : {12u, 16u}) {
    large = whole;
    large.replace(end + size, 4, 4, '\xff');
    EXPECT_THAT(refusal(large, ErrorCode::Unsupported), HasSubstr("4 GiB"));
  }
}

}  // namespace
}  // namespace bankside

/// What other programs expect of an archive of ours: PKWARE's APPNOTE, a file's own header.
#include "core/imageio/zip_file.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace bankside

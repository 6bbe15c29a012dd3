#include "core/text_file.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

TEST(TextFile, IsReadWhole) {
  const testing::TemporaryFolder folder;
  const std::string text = std::string(10000, 'a') + '\0' + "\r\nend";
  writeFileAtomically(folder.path() / "a.txt", text);
  EXPECT_EQ(readTextFile(folder.path() / "a.txt"), text);
  writeFileAtomically(folder.path() / "empty.txt", "");
  EXPECT_EQ(readTextFile(folder.path() / "empty.txt"), "");
}

TEST(TextFile, SaysWhichFileCannotBeRead) {
  const testing::TemporaryFolder folder;
  for (const auto& file : {folder.path() / "none.txt", folder.path()}) {
    try {
      readTextFile(file);
      ADD_FAILURE() << file << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Io);
      EXPECT_EQ(std::string(error.what()), file.string() + ": cannot be read");
    }
  }
}

}  // namespace
}  // namespace bankside

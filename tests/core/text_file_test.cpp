#include "core/text_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <fstream>
#include <thread>

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
      EXPECT_THAT(error.what(), ::testing::StartsWith(file.string() + ": cannot be read: "));
    }
  }
}

TEST(TextFile, AFileWithoutAnEndIsRefused) {
  const testing::TemporaryFolder folder;
  writeFileAtomically(folder.path() / "a.txt", "12345");
  EXPECT_EQ(readTextFile(folder.path() / "a.txt", 5), "12345");
  const auto refused = [](const std::filesystem::path& file, std::size_t largest) {
    try {
      readTextFile(file, largest);
      ADD_FAILURE() << file << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
      EXPECT_THAT(error.what(), ::testing::StartsWith(file.string() + ": larger than"));
    }
  };
  refused(folder.path() / "a.txt", 4);
  refused("/dev/zero", largestTextFile);
}

TEST(TextFile, APipeIsReadToItsEnd) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string text(300'000, 'a');
  std::thread writer([&] { std::ofstream(pipe) << text; });
  EXPECT_EQ(readTextFile(pipe), text);
  writer.join();
}

}  // namespace
}  // namespace bankside

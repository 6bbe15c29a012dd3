/// Part files where the system cannot say what they are.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <vector>

#include "core/imageio/atomic_file.h"
#include "tests/support/made_images.h"

namespace {

bool lookFails = false;

}  // namespace

/// Fails once, where that is wished.
extern "C" int lstat(const char* path, struct stat* status) {
  if (!lookFails) return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
  lookFails = false;
  errno = EIO;
  return -1;
}

namespace bankside::testing {
namespace {

TEST(PartFileFaults, OneThatCannotBeLookedAtIsNotLeftBehind) {
  const TemporaryFolder folder;
  {
    lookFails = true;
    AtomicFile file(folder / "a");
    EXPECT_FALSE(lookFails);
    file.write("bytes");
    file.commit();
  }
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename());
  EXPECT_EQ(names, std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace bankside::testing

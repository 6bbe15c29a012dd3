#include "core/imageio/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>

#include "core/imageio/image_stream.h"
#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::anyBits;
using testing::Path;
using testing::readBytes;
using testing::refusalOf;
using testing::TemporaryFolder;
using testing::writeBytes;

std::size_t filesIn(const Path& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

/// As if the disk were full: no file may grow beyond `bytes`.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST(AtomicFile, AppearsWholeAtCommit) {
  const TemporaryFolder folder;
  const Path path = folder / "a.txt";
  {
    AtomicFile file(path);
    file.write("hello ");
    file.writeAt(6, "world", 5);
    file.writeAt(0, "H", 1);
    EXPECT_EQ(file.size(), 11);
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(filesIn(folder.path()), 1u);
    const std::string part = std::filesystem::directory_iterator(folder.path())->path().filename().string();
    EXPECT_EQ(part.substr(0, 7), ".a.txt.");
    EXPECT_EQ(part.substr(part.size() - 5), ".part");
    file.commit();
  }
  EXPECT_EQ(readBytes(path), "Hello world");
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
  const TemporaryFolder folder;
  const Path path = folder / "a.txt";
  writeFileAtomically(path, "old");
  {
    AtomicFile file(path);
    file.write("new");
  }
  try {
    AtomicFile file(path);
    file.write("new");
    throw std::runtime_error("in between");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(readBytes(path), "old");
  EXPECT_EQ(filesIn(folder.path()), 1u);
  writeFileAtomically(path, "new");
  EXPECT_EQ(readBytes(path), "new");
}

TEST(AtomicFile, KeepsPermissionsAndFollowsLinks) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "a", "old");
  ::chmod((folder / "a").c_str(), 0640);
  std::filesystem::create_symlink("a", folder / "link");
  writeFileAtomically(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(readBytes(folder / "a"), "new");
  struct stat status {};
  ::stat((folder / "a").c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(AtomicFile, TheLongestNameThatTheSystemTakes) {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  writeFileAtomically(folder / name, "x");
  EXPECT_EQ(readBytes(folder / name), "x");
}

TEST(AtomicFile, RefusesWhatIsNoPlaceForAFile) {
  const TemporaryFolder folder;
  const auto refusal = [](const Path& path) { return refusalOf([&] { writeFileAtomically(path, "x"); }); };
  const Path missing = folder.path() / "none" / "a";
  EXPECT_EQ(refusal(missing).sentence,
            missing.string() + ": cannot create the file: No such file or directory");
  EXPECT_EQ(refusal(missing).code, ErrorCode::Io);
  EXPECT_EQ(refusal(folder.path()).sentence,
            folder.path().string() + ": cannot write a file here, this is a folder");
  EXPECT_EQ(refusal(folder.path().string() + "/").code, ErrorCode::Io);
  EXPECT_EQ(refusal("").code, ErrorCode::Io);
  EXPECT_EQ(refusal("/dev/null").sentence, "/dev/null: cannot write here, this is not a regular file");
  writeFileAtomically(folder / "file", "x");
  EXPECT_EQ(refusal(folder.path() / "file" / "a").code, ErrorCode::Io);
  std::filesystem::create_symlink("nowhere", folder / "link");
  EXPECT_EQ(refusal(folder / "link").sentence,
            (folder / "link").string() + ": cannot write here, this link leads nowhere");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
}

/// As `AtomicFile` does, and makes nothing.
TEST(AtomicFile, NamesAreLookedAtWithoutAFile) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "file", "x");
  std::filesystem::create_symlink("file", folder / "there");
  std::filesystem::create_symlink("nowhere", folder / "link");
  for (const Path& path : {folder / "new", folder / "file", folder / "there"})
    EXPECT_NO_THROW(requireWritableName(path)) << path;
  for (const Path& path : {folder.path(), folder / "link", Path("/dev/null"), Path("")})
    EXPECT_EQ(refusalOf([&] { requireWritableName(path); }).code, ErrorCode::Io) << path;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3);
}

TEST(AtomicFile, FullDiskLeavesNothing) {
  const TemporaryFolder folder;
  const Image image = anyBits(3, 200, 200, ElementType::U16);
  const Image floats = anyBits(3, 200, 200, ElementType::F32);
  for (const FileFormat format : fileFormats()) {
    // Full at once, in the middle, and only for the last bytes (for TIFF the tags).
    const Path path = folder / "a";
    const Image& written = format == FileFormat::Pfm ? floats : image;
    writeImage(path, written, format);
    const std::string old = readBytes(path);
    for (const std::size_t limit : {std::size_t{0}, old.size() / 2, old.size() - 1}) {
      testing::Refusal refusal;
      {
        const FileSizeLimit full(limit);
        refusal = refusalOf([&] { writeImage(path, written, format); });
      }
      EXPECT_EQ(refusal.code, ErrorCode::Io);
      EXPECT_EQ(refusal.sentence, path.string() + ": cannot write: File too large") << toString(format);
      EXPECT_EQ(readBytes(path), old);
      EXPECT_EQ(filesIn(folder.path()), 1u);
    }
    std::filesystem::remove(path);
  }
}

TEST(AtomicFile, ImageIntoAMissingFolder) {
  const TemporaryFolder folder;
  const Path path = folder.path() / "none" / "a.tiff";
  for (const FileFormat format : {FileFormat::Tiff, FileFormat::Png, FileFormat::Npy}) {
    EXPECT_EQ(refusalOf([&] { writeImage(path, anyBits(1, 2, 2, ElementType::U8), format); }).sentence,
              path.string() + ": cannot create the file: No such file or directory");
  }
}

/// What the system said of an earlier call is no word on this one.
TEST(AtomicFile, AnOldErrorIsNoInterruption) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a");
  errno = EINTR;
  file.write("abc");
  errno = EINTR;
  char back[4] = {};
  EXPECT_EQ(file.readAt(1, back, 4), 2u);
  EXPECT_STREQ(back, "bc");
  file.writeAt(0, "x", 1);
  EXPECT_EQ(file.size(), 3) << "nothing was written behind the end";
}

/// Whoever keeps what is there compares all of it.
TEST(AtomicFile, KeepsAFileThatHasTheSameBytes) {
  const TemporaryFolder folder;
  std::string bytes(600'000, 'a');
  writeFileAtomically(folder / "a", bytes);
  const auto inode = [&] {
    struct stat status {};
    ::stat((folder / "a").c_str(), &status);
    return status.st_ino;
  };
  const auto before = inode();
  writeFileAtomically(folder / "a", bytes, Existing::Keep);
  EXPECT_EQ(inode(), before);
  for (const std::size_t at : {0u, 300'000u, 599'999u}) {
    std::string other = bytes;
    other[at] = 'b';
    EXPECT_THROW(writeFileAtomically(folder / "a", other, Existing::Keep), WouldReplace) << at;
  }
  EXPECT_THROW(writeFileAtomically(folder / "a", bytes + "a", Existing::Keep), WouldReplace);
  EXPECT_THROW(writeFileAtomically(folder / "a", bytes.substr(1), Existing::Keep), WouldReplace);
  EXPECT_EQ(inode(), before);
  writeFileAtomically(folder / "b", bytes, Existing::Keep);
  EXPECT_EQ(readBytes(folder / "b"), bytes);
}

/// All files of a set or none that is new.
TEST(AtomicFile, TogetherOrNotAtAll) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "b", "old");
  {
    AtomicFile a(folder / "a");
    AtomicFile b(folder / "b");
    a.write("new");
    b.write("new");
    AtomicFile* const files[] = {&a, &b};
    EXPECT_THROW(commitTogether(files, Existing::Keep), WouldReplace);
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
    commitTogether(files, Existing::Replace);
  }
  EXPECT_EQ(readBytes(folder / "a"), "new");
  EXPECT_EQ(readBytes(folder / "b"), "new");
  EXPECT_EQ(filesIn(folder.path()), 2u);
}

/// Who is stopped does not wait until all are on the disk, and leaves none.
TEST(AtomicFile, TogetherTheyAskBeforeEach) {
  const TemporaryFolder folder;
  int asked = 0;
  {
    AtomicFile a(folder / "a");
    AtomicFile b(folder / "b");
    AtomicFile* const files[] = {&a, &b};
    const auto second = [&] {
      if (++asked == 2) throw Cancelled();
    };
    EXPECT_THROW(commitTogether(files, Existing::Keep, second), Cancelled);
  }
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(filesIn(folder.path()), 0u);
}

}  // namespace
}  // namespace bankside

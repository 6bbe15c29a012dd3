/// Several who write into one folder, and what is left of those who were ended.
#include "core/imageio/part_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/error.h"
#include "core/imageio/abandoned_parts.h"
#include "core/imageio/atomic_file.h"
#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace {
bool hasRenames = true;
bool hasLinks = true;
bool closes = true;
}  // namespace

/// File systems without these calls, or that fail them, as far as this program sees.
extern "C" int renameat2(int fromFolder, const char* from, int toFolder, const char* to,
                         unsigned int flags) noexcept {
  if (hasRenames) return static_cast<int>(syscall(SYS_renameat2, fromFolder, from, toFolder, to, flags));
  errno = EINVAL;
  return -1;
}
extern "C" int link(const char* from, const char* to) noexcept {
  if (hasLinks) return static_cast<int>(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
  errno = EPERM;
  return -1;
}
extern "C" int close(int descriptor) {
  const auto result = static_cast<int>(syscall(SYS_close, descriptor));
  if (closes) return result;
  errno = EIO;
  return -1;
}

namespace bankside {
namespace {

using ::testing::ElementsAre;
using testing::Path;
using testing::readBytes;
using testing::TemporaryFolder;

std::vector<std::string> namesIn(const Path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// On every kind of file system.
class PartFiles : public ::testing::TestWithParam<std::pair<bool, bool>> {
 protected:
  PartFiles() { std::tie(hasRenames, hasLinks) = GetParam(); }
  ~PartFiles() override { hasRenames = hasLinks = true; }
  TemporaryFolder folder;
};
INSTANTIATE_TEST_SUITE_P(Systems, PartFiles,
                         ::testing::Values(std::pair{true, true}, std::pair{false, true},
                                           std::pair{false, false}),
                         [](const auto& system) {
                           return std::string(system.param.first    ? "renames_and_links"
                                              : system.param.second ? "links"
                                                                    : "neither");
                         });

TEST_P(PartFiles, KeepWhatAppearedMeanwhile) {
  AtomicFile late(folder / "a");
  late.write("mine");
  AtomicFile same(folder / "a");
  same.write("theirs");
  writeFileAtomically(folder / "a", "theirs", Existing::Keep);
  const auto written = std::filesystem::last_write_time(folder / "a");
  EXPECT_THROW(late.commit(Existing::Keep), WouldReplace);
  same.commit(Existing::Keep);
  EXPECT_EQ(readBytes(folder / "a"), "theirs");
  EXPECT_EQ(std::filesystem::last_write_time(folder / "a"), written);
  writeFileAtomically(folder / "a", "mine", Existing::Replace);
  EXPECT_EQ(readBytes(folder / "a"), "mine");
  EXPECT_THROW(writeFileAtomically(folder / "a", "mine and more", Existing::Keep), WouldReplace);
}

TEST_P(PartFiles, TakeAnotherNameFromNobody) {
  PartFile mine;
  ASSERT_EQ(mine.open(folder / "a"), 0);
  ASSERT_EQ(::write(mine.descriptor(), "mine", 4), 4);
  testing::writeBytes(folder / "a", "theirs");
  EXPECT_EQ(mine.place(), EEXIST);
  EXPECT_EQ(readBytes(folder / "a"), "theirs");
  mine.takeBack();
  EXPECT_EQ(readBytes(folder / "a"), "theirs") << "not its own";
  EXPECT_EQ(mine.replace(), 0);
  EXPECT_EQ(readBytes(folder / "a"), "mine");
}

TEST_P(PartFiles, ComeTogetherOrNotAtAll) {
  writeFileAtomically(folder / "b", "theirs");
  {
    AtomicFile a(folder / "a");
    AtomicFile b(folder / "b");
    AtomicFile c(folder / "c");
    for (AtomicFile* file : {&a, &b, &c}) file->write("mine");
    std::vector<AtomicFile*> files = {&a, &b, &c};
    EXPECT_THROW(commitTogether(files, Existing::Keep), WouldReplace);
  }
  EXPECT_THAT(namesIn(folder.path()), ElementsAre("b"));
  {
    AtomicFile a(folder / "a");
    AtomicFile c(folder / "c");
    std::filesystem::create_directory(folder / "c");  // too late to be seen before
    std::vector<AtomicFile*> files = {&a, &c};
    EXPECT_THROW(commitTogether(files, Existing::Replace), Error);
  }
  EXPECT_THAT(namesIn(folder.path()), ElementsAre("b", "c"));
}

TEST(PartFile, LosesNothingWhereItCannotBeClosed) {
  const TemporaryFolder folder;
  closes = false;
  EXPECT_NO_THROW(writeFileAtomically(folder / "a", "all of it"));
  closes = true;
  EXPECT_EQ(readBytes(folder / "a"), "all of it") << "it was synced before it got its name";
  EXPECT_THAT(namesIn(folder.path()), ElementsAre("a"));
}

TEST(AbandonedParts, AreThoseOfOwnersThatHaveEnded) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(folder / "left.tiff");
    file.write("half");
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  ASSERT_EQ(namesIn(folder.path()).size(), 1u);
  const Path left = folder / namesIn(folder.path()).front();
  AtomicFile alive(folder / "alive.tiff");
  for (const char* name :
       {".mine.part", ".a.1.part", "a.1.0123456789abcdef.part", ".a.b.0123456789abcdef.part"})
    testing::writeBytes(folder / name, "not made here");
  for (const char* other : {"left", "eft.tiff", "alive.tiff"})
    EXPECT_TRUE(removeAbandonedPartsOf(folder / other).empty()) << other;
  EXPECT_THAT(removeAbandonedParts(folder.path()), ElementsAre(left));
  alive.commit();
  EXPECT_EQ(namesIn(folder.path()).size(), 5u);
  EXPECT_TRUE(removeAbandonedParts(folder / "none").empty());
}

TEST(AbandonedParts, AreFoundByTheNameThatTheyWereToHave) {
  const TemporaryFolder folder;
  const std::string longName = std::string(240, 'l') + ".csv";
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile report(folder / "report.json");
    AtomicFile second(folder / longName);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  ASSERT_EQ(namesIn(folder.path()).size(), 2u);
  EXPECT_EQ(removeAbandonedPartsOf(folder / "report.json").size(), 1u);
  EXPECT_EQ(removeAbandonedPartsOf(folder / longName).size(), 1u);
  EXPECT_THAT(namesIn(folder.path()), ElementsAre());
}

}  // namespace
}  // namespace bankside

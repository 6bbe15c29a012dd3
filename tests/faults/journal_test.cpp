/// Journals of batches while signals interrupt calls.
#include "core/batch/journal.h"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "core/batch/ledger.h"
#include "tests/support/made_images.h"

namespace {

int interruptions = 0;  // of the calls that follow

bool interrupted() {
  if (interruptions == 0) return false;
  --interruptions;
  errno = EINTR;
  return true;
}

}  // namespace

extern "C" int flock(int file, int how) {
  return interrupted() ? -1 : static_cast<int>(syscall(SYS_flock, file, how));
}
extern "C" ssize_t pwrite(int file, const void* from, std::size_t size, off_t at) {
  return interrupted() ? -1 : syscall(SYS_pwrite64, file, from, size, at);
}
/// At most a few bytes at a time.
extern "C" ssize_t pread(int file, void* to, std::size_t size, off_t at) {
  return interrupted() ? -1 : syscall(SYS_pread64, file, to, size < 7 ? size : 7, at);
}

namespace bankside::testing {
namespace {

TEST(JournalFaults, SignalsAndShortReadsLoseNothing) {
  const TemporaryFolder folder;
  ManifestWriter plan(folder / "study.jsonl", {.program = "test", .input = "in", .output = "out"});
  plan.add({.id = "a.png"});
  plan.add({.id = "b.png"});
  plan.finish(Existing::Keep);
  const Manifest manifest(folder / "study.jsonl");
  for (int number = 0; number < 2; ++number) {
    // More than the opening has calls.
    for (int calls = 1; calls <= 3; ++calls) {
      interruptions = calls;
      const JournalWriter journal(manifest, {.index = 0, .count = 1});
      EXPECT_EQ(interruptions, 0);
    }
    JournalWriter journal(manifest, {.index = 0, .count = 1});
    interruptions = 2;
    journal.append({.number = number, .done = true, .id = number == 0 ? "a.png" : "b.png"});
    EXPECT_EQ(interruptions, 0);
  }
  const Ledger ledger(manifest);
  EXPECT_TRUE(ledger.done(0));
  EXPECT_TRUE(ledger.done(1));
  EXPECT_EQ(ledger.damagedLines() + ledger.tornLines(), 0);
}

}  // namespace
}  // namespace bankside::testing

#include "core/batch/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

#include "core/log.h"
#include "core/text.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;

bool cannotLock(int error) {
  return error == ENOLCK || error == EOPNOTSUPP || error == ENOSYS || error == EINVAL;
}

int openForAll(const fs::path& file) { return ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); }

/// As flock, whatever signals come.
int lock(int descriptor, int how) {
  int result = ::flock(descriptor, how);
  while (result != 0 && errno == EINTR) result = ::flock(descriptor, how);
  return result;
}

/// How many bytes there were, or -1.
ssize_t readAll(int descriptor, char* to, std::size_t size, std::int64_t offset) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(descriptor, to + done, size - done, offset + static_cast<std::int64_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

/// How long the file is up to the end of its last whole line.
std::int64_t wholeLines(int descriptor, std::int64_t size) {
  char part[4096];
  while (size > 0) {
    const std::int64_t start = std::max<std::int64_t>(0, size - static_cast<std::int64_t>(sizeof part));
    const ssize_t got = readAll(descriptor, part, static_cast<std::size_t>(size - start), start);
    if (got <= 0) return -1;
    for (ssize_t i = got; i > 0; --i) {
      if (part[i - 1] == '\n') return start + i;
    }
    size = start;
  }
  return 0;
}

/// 0, or why not all of it is there.
int writeAll(int descriptor, std::string_view text, std::int64_t offset) {
  while (!text.empty()) {
    const ssize_t done = ::pwrite(descriptor, text.data(), text.size(), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done < 0 ? errno : ENOSPC;
    text.remove_prefix(static_cast<std::size_t>(done));
    offset += done;
  }
  return 0;
}

int numberIn(int descriptor) {
  char text[16] = {};
  const ssize_t got = readAll(descriptor, text, sizeof text - 1, 0);
  int number = 0;
  if (got > 0) std::from_chars(text, text + got, number);
  return number;
}

}  // namespace

fs::path journalFolder(const fs::path& manifest) { return manifest.string() + ".journals"; }

JournalWriter::JournalWriter(const Manifest& manifest, const Shard& shard) {
  const fs::path folder = journalFolder(manifest.path());
  std::error_code failure;
  fs::create_directories(folder, failure);
  path_ = folder / (formatHash(manifest.hash()) + "." + std::to_string(shard.index) + "-of-" +
                    std::to_string(shard.count) + ".jsonl");
  try {
    lockCount(folder / (formatHash(manifest.hash()) + ".shards"), shard);
    descriptor_ = openForAll(path_);
    if (descriptor_ < 0) fail("cannot be opened", errno);
    if (lock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (!cannotLock(errno))
        throw ShardTaken(path_.string() + ": another run has shard " + shard.text() +
                         " of this manifest; it is locked until that one ends");
      log(LogLevel::Warning,
          path_.string() + ": files cannot be locked here; see to it that no shard runs twice");
    }
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail("cannot be read", errno);
    size_ = wholeLines(descriptor_, status.st_size);
    if (size_ < 0) fail("cannot be read", errno);
    if (size_ != status.st_size && ::ftruncate(descriptor_, size_) != 0) fail("cannot be written", errno);
  } catch (...) {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (count_ >= 0) ::close(count_);
    throw;
  }
}

/// Shards of one count share the file; who comes alone may change it.
void JournalWriter::lockCount(const fs::path& file, const Shard& shard) {
  count_ = openForAll(file);
  if (count_ < 0) fail("cannot be opened", errno);
  if (lock(count_, LOCK_EX | LOCK_NB) == 0) {
    const std::string text = std::to_string(shard.count) + "\n";
    if (::ftruncate(count_, 0) != 0) fail("cannot be written", errno);
    if (const int error = writeAll(count_, text, 0); error != 0) fail("cannot be written", error);
  } else if (cannotLock(errno)) {
    return;
  }
  lock(count_, LOCK_SH);
  if (const int running = numberIn(count_); running != shard.count)
    throw ShardTaken("this manifest is being run as " + std::to_string(running) + " shards, not " +
                     std::to_string(shard.count) + "; another count can follow when those have ended");
}

JournalWriter::~JournalWriter() {
  ::close(descriptor_);
  ::close(count_);
}

void JournalWriter::append(const JournalEntry& entry) {
  const std::string line = toLine(entry) + "\n";
  if (const int error = writeAll(descriptor_, line, size_); error != 0) {
    (void)!::ftruncate(descriptor_, size_);
    fail("cannot be written", error);
  }
  size_ += static_cast<std::int64_t>(line.size());
}

void JournalWriter::sync() {
  if (::fsync(descriptor_) != 0) fail("cannot be written", errno);
}

void JournalWriter::fail(const std::string& what, int errorNumber) const {
  const std::string sentence =
      path_.string() + ": " + what + ": " + std::generic_category().message(errorNumber);
  if (errorNumber == ENOSPC || errorNumber == EDQUOT) throw DiskFull(sentence);
  throw Error(ErrorCode::Io, sentence);
}

}  // namespace bankside

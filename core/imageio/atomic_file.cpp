#include "core/imageio/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <system_error>

#include "core/error.h"
#include "core/text.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestName = 255;  // NAME_MAX of every common Linux file system

std::string partName(const fs::path& target) {
  std::random_device random;
  const std::uint64_t number = (static_cast<std::uint64_t>(random()) << 32) | random();
  const std::string tail = "." + std::to_string(::getpid()) + "." + formatHash(number) + ".part";
  return "." + target.filename().string().substr(0, longestName - 1 - tail.size()) + tail;
}

fs::path folderOf(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target) : path_(target), target_(target) {
  std::error_code ignored;
  if (fs::is_symlink(target, ignored)) {
    const fs::path resolved = fs::weakly_canonical(target, ignored);
    if (!ignored) target_ = resolved;
  }
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (target_.filename().empty() || (exists && S_ISDIR(status.st_mode))) {
    throw Error(ErrorCode::Io, path_.string() + ": cannot write a file here, this is a folder");
  }
  if (exists && !S_ISREG(status.st_mode)) {
    throw Error(ErrorCode::Io, path_.string() + ": cannot write here, this is not a regular file");
  }
  part_ = folderOf(target_) / partName(target_);
  descriptor_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot create the file", errno);
  if (exists) (void)!::fchmod(descriptor_, status.st_mode & 07777);  // best effort, as cp does
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(part_.c_str());
}

void AtomicFile::write(const void* data, std::size_t size) { writeAt(size_, data, size); }

void AtomicFile::writeAt(std::int64_t offset, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = ::pwrite(descriptor_, next, size, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("cannot write", done < 0 ? errno : ENOSPC);
    next += done;
    offset += done;
    size -= static_cast<std::size_t>(done);
    size_ = std::max(size_, offset);
  }
}

std::size_t AtomicFile::readAt(std::int64_t offset, void* data, std::size_t size) {
  std::size_t total = 0;
  while (total < size) {
    const ssize_t done = ::pread(descriptor_, static_cast<char*>(data) + total, size - total,
                                 offset + static_cast<std::int64_t>(total));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("cannot read back", errno);
    if (done == 0) break;
    total += static_cast<std::size_t>(done);
  }
  return total;
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail("cannot write", errno);
  if (::rename(part_.c_str(), target_.c_str()) != 0) fail("cannot put the finished file in place", errno);
  const int descriptor = descriptor_;
  descriptor_ = -1;  // from here on there is no part file to remove
  if (::close(descriptor) != 0 && errno != EINTR) fail("cannot write", errno);
  // The rename itself must survive a power cut too; not every file system can sync a folder.
  const int folder = ::open(folderOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    (void)::fsync(folder);
    ::close(folder);
  }
}

void AtomicFile::fail(const char* what, int errorNumber) const {
  const std::string sentence =
      path_.string() + ": " + what + ": " + std::generic_category().message(errorNumber);
  if (errorNumber == ENOSPC || errorNumber == EDQUOT) throw DiskFull(sentence);
  throw Error(ErrorCode::Io, sentence);
}

void writeFileAtomically(const fs::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

}  // namespace bankside

#include "core/imageio/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/imageio/readable_file.h"
#include "core/wanting.h"

namespace bankside {

namespace fs = std::filesystem;

namespace {

struct Target {
  fs::path path;
  bool exists = false;
  struct stat status {};
};

Target targetOf(const fs::path& file) {
  Target target{.path = file};
  target.exists = ::lstat(file.c_str(), &target.status) == 0;
  if (target.exists && S_ISLNK(target.status.st_mode)) {
    struct stat there {};
    const bool leads = ::stat(file.c_str(), &there) == 0;
    if (leads && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))  // a pipe, which has no path
      throw Error(ErrorCode::Io, file.string() + ": cannot write here, this is not a regular file");
    std::error_code failure;
    target.path = fs::canonical(file, failure);
    if (failure) throw Error(ErrorCode::Io, file.string() + ": cannot write here, this link leads nowhere");
    target.exists = ::stat(target.path.c_str(), &target.status) == 0;
  }
  if (target.path.filename().empty() || (target.exists && S_ISDIR(target.status.st_mode)))
    throw Error(ErrorCode::Io, file.string() + ": cannot write a file here, this is a folder");
  if (target.exists && !S_ISREG(target.status.st_mode))
    throw Error(ErrorCode::Io, file.string() + ": cannot write here, this is not a regular file");
  return target;
}

}  // namespace

void requireWritableName(const fs::path& file) { targetOf(file); }

AtomicFile::AtomicFile(const fs::path& file) : path_(file) {
  const Target target = targetOf(file);
  target_ = target.path;
  if (const int error = part_.open(target_); error != 0) fail("cannot create the file", error);
  if (target.exists)
    (void)!::fchmod(part_.descriptor(), target.status.st_mode & 07777);  // best effort, as cp does
}

void AtomicFile::write(const void* data, std::size_t size) { writeAt(size_, data, size); }

void AtomicFile::writeAt(std::int64_t offset, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = ::pwrite(part_.descriptor(), next, size, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("cannot write", done < 0 ? errno : ENOSPC);
    next += done;
    offset += done;
    size -= static_cast<std::size_t>(done);
    size_ = std::max(size_, offset);
  }
}

std::size_t AtomicFile::readAt(std::int64_t offset, void* data, std::size_t size) const {
  std::size_t total = 0;
  while (total < size) {
    const ssize_t done = ::pread(part_.descriptor(), static_cast<char*>(data) + total, size - total,
                                 offset + static_cast<std::int64_t>(total));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("cannot read back", errno);
    if (done == 0) break;
    total += static_cast<std::size_t>(done);
  }
  return total;
}

void AtomicFile::commit(Existing existing) {
  AtomicFile* const self = this;
  commitTogether({&self, 1}, existing);
}

/// What it has said is on the disk from here on, and closing it can lose nothing.
void AtomicFile::sync() {
  if (::fsync(part_.descriptor()) != 0) fail("cannot write", errno);
}

/// Whether the target has these bytes already. Throws WouldReplace if it has others.
bool AtomicFile::standsThere() const {
  std::error_code failure;
  if (fs::symlink_status(target_, failure).type() == fs::file_type::not_found) return false;
  const ReadableFile there(target_);
  std::vector<char> left(std::size_t{1} << 18);
  std::vector<char> right(left.size());
  bool same = there.size() == size_;
  for (std::int64_t offset = 0; same && offset < size_; offset += static_cast<std::int64_t>(left.size())) {
    const std::size_t size = there.readSome(offset, left.data(), left.size());
    same = readAt(offset, right.data(), right.size()) == size &&
           std::memcmp(left.data(), right.data(), size) == 0;
  }
  if (!same) throw WouldReplace(path_.string());
  return true;
}

/// Whether it stands where nothing was before.
bool AtomicFile::put(Existing existing) {
  int error = part_.place();
  const bool taken = error == EEXIST;
  if (taken && existing == Existing::Keep) throw WouldReplace(path_.string());
  if (taken) error = part_.replace();
  if (error != 0) fail("cannot put the finished file in place", error);
  return !taken;
}

void commitTogether(std::span<AtomicFile* const> files, Existing existing, const StopCheck& check) {
  for (AtomicFile* file : files) {
    ask(check);
    file->sync();
  }
  std::vector<AtomicFile*> open;  // those that are not there yet
  std::vector<AtomicFile*> put;
  open.reserve(files.size());
  put.reserve(files.size());
  const FolderLock lock(files.empty() ? fs::path() : files.front()->target_.parent_path());
  for (AtomicFile* file : files) {
    if (existing == Existing::Replace || !file->standsThere()) open.push_back(file);
  }
  try {
    for (AtomicFile* file : open) {
      if (file->put(existing)) put.push_back(file);
    }
  } catch (...) {
    for (AtomicFile* file : put) file->part_.takeBack();
    throw;
  }
}

void AtomicFile::fail(const char* what, int errorNumber) const {
  const std::string sentence =
      path_.string() + ": " + what + ": " + std::generic_category().message(errorNumber);
  if (errorNumber == ENOSPC || errorNumber == EDQUOT) throw DiskFull(sentence);
  if (isWanting(errorNumber)) throw Wanting(sentence);
  throw Error(ErrorCode::Io, sentence);
}

void writeFileAtomically(const fs::path& target, std::string_view content, Existing existing) {
  AtomicFile file(target);
  file.write(content);
  file.commit(existing);
}

}  // namespace bankside

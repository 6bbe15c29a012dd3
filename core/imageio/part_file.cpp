#include "core/imageio/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <utility>

#include "core/folder.h"
#include "core/imageio/abandoned_parts.h"
#include "core/text.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestName = 255;  // NAME_MAX of every common Linux file system
constexpr std::string_view ending = ".part";

std::mutex partsMutex;  // never destroyed before a thread that writes: it has no destructor to speak of
PartFile* allParts = nullptr;

std::string partName(const fs::path& target) {
  std::random_device random;
  const std::uint64_t number = (static_cast<std::uint64_t>(random()) << 32) | random();
  const std::string tail = "." + std::to_string(::getpid()) + "." + formatHash(number) + std::string(ending);
  return "." + target.filename().string().substr(0, longestName - 1 - tail.size()) + tail;
}

/// Whether `partName` may have made it.
bool isPartName(const std::string& name) {
  const std::vector<std::string> words = split(name, '.');
  const auto all = [](const std::string& word, const char* letters) {
    return !word.empty() && word.find_first_not_of(letters) == std::string::npos;
  };
  const std::size_t count = words.size();
  return count >= 5 && words.front().empty() && "." + words[count - 1] == ending &&
         words[count - 2].size() == formatHash(0).size() && all(words[count - 2], "0123456789abcdef") &&
         all(words[count - 3], "0123456789");
}

/// Of a part's name: what stands between the dots before the owner's number, the file's name or its
/// beginning.
bool isPartOf(const std::string& part, const std::string& file) {
  std::size_t end = part.size();
  for (int word = 0; word < 3; ++word) end = part.rfind('.', end - 1);
  const std::string name = part.substr(1, end - 1);
  return name == file || (part.size() == longestName && file.starts_with(name));
}

bool lockAtOnce(int descriptor) {
  int result = ::flock(descriptor, LOCK_EX | LOCK_NB);
  while (result != 0 && errno == EINTR) result = ::flock(descriptor, LOCK_EX | LOCK_NB);
  return result == 0;
}

/// Whether the path leads to the open file.
bool leadsTo(const fs::path& path, int descriptor) {
  struct stat there {};
  struct stat open {};
  return ::lstat(path.c_str(), &there) == 0 && ::fstat(descriptor, &open) == 0 &&
         there.st_dev == open.st_dev && there.st_ino == open.st_ino;
}

/// By renameat2; by link where the file system has no such rename; and where it has no links either, by
/// taking the name with an empty file, which is then replaced.
int renameToNew(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return 0;
  }
  if (errno == EEXIST) return errno;
  const int empty = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (empty < 0) return errno;
  ::close(empty);
  if (::rename(from.c_str(), to.c_str()) == 0) return 0;
  const int failure = errno;
  ::unlink(to.c_str());
  return failure;
}

}  // namespace

void PartFile::remember() {
  next_ = std::exchange(allParts, this);
  if (next_ != nullptr) next_->before_ = this;
}

void PartFile::forget() {
  (before_ != nullptr ? before_->next_ : allParts) = next_;
  if (next_ != nullptr) next_->before_ = before_;
  next_ = before_ = nullptr;
}

void PartFile::removeAllForGood() {
  partsMutex.lock();
  for (const PartFile* part = allParts; part != nullptr; part = part->next_)
    if (!part->path_.empty()) ::unlink(part->path_.c_str());
}

PartFile::~PartFile() {
  if (descriptor_ < 0) return;
  const std::lock_guard lock(partsMutex);
  forget();
  if (!path_.empty()) ::unlink(path_.c_str());
  ::close(descriptor_);
}

int PartFile::open(const fs::path& target) {
  const std::lock_guard lock(partsMutex);
  target_ = target;
  while (true) {
    path_ = target.parent_path() / partName(target);
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) return errno;
    // Before it was locked, another run may have taken it for abandoned. A file system without locks has
    // nobody who could.
    const bool taken = !lockAtOnce(descriptor_) && errno == EWOULDBLOCK;
    if (!taken && leadsTo(path_, descriptor_)) {
      remember();
      return 0;
    }
    ::unlink(path_.c_str());  // nobody else has a file of that name
    ::close(std::exchange(descriptor_, -1));
  }
}

int PartFile::place() {
  const std::lock_guard lock(partsMutex);
  const int failure = renameToNew(path_, target_);
  if (failure == 0) path_.clear();
  return failure;
}

int PartFile::replace() {
  const std::lock_guard lock(partsMutex);
  if (::rename(path_.c_str(), target_.c_str()) != 0) return errno;
  path_.clear();
  return 0;
}

void PartFile::takeBack() {
  if (leadsTo(target_, descriptor_)) ::unlink(target_.c_str());
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) continue;
}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  ::flock(descriptor_, LOCK_UN);
  // What was renamed must survive a power cut too; not every file system can sync a folder.
  (void)::fsync(descriptor_);
  ::close(descriptor_);
}

namespace {

std::vector<fs::path> removeAbandoned(const fs::path& folder,
                                      const std::function<bool(const std::string& part)>& wanted) {
  // Nothing else is held: the folder may have results of a million images.
  std::vector<fs::path> parts;
  std::vector<fs::path> removed;
  std::error_code ignored;
  forEachEntry(folder, ignored, [&](const char* name, unsigned char) {
    if (name[0] == '.' && isPartName(name) && wanted(name)) parts.push_back(folder / name);
  });
  std::sort(parts.begin(), parts.end());
  for (const fs::path& path : parts) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (lockAtOnce(descriptor) && leadsTo(path, descriptor) && ::unlink(path.c_str()) == 0)
      removed.push_back(path);
    ::close(descriptor);
  }
  return removed;
}

}  // namespace

std::vector<fs::path> removeAbandonedParts(const fs::path& folder) {
  return removeAbandoned(folder, [](const std::string&) { return true; });
}

std::vector<fs::path> removeAbandonedPartsOf(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  return removeAbandoned(
      folder, [name = file.filename().string()](const std::string& part) { return isPartOf(part, name); });
}

}  // namespace bankside

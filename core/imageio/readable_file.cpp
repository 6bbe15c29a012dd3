#include "core/imageio/readable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "core/stopping.h"
#include "core/wanting.h"

namespace bankside {
namespace {

std::string reason(int errorNumber) { return std::generic_category().message(errorNumber); }

}  // namespace

ReadableFile::ReadableFile(const std::filesystem::path& path) : path_(path) {
  // Looked at before it is opened: opening some devices has effects, opening a pipe waits for its writer.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) fail(ErrorCode::Io, "cannot open: " + reason(errno));
  if (S_ISDIR(status.st_mode)) fail(ErrorCode::Io, "is a folder, not a file");
  if (!S_ISREG(status.st_mode)) fail(ErrorCode::Io, "is not a regular file");
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0 && isWanting(errno)) throw Wanting(path.string() + ": cannot open: " + reason(errno));
  if (descriptor_ < 0) fail(ErrorCode::Io, "cannot open: " + reason(errno));
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    fail(ErrorCode::Io, "is not a regular file");
  }
  size_ = status.st_size;
}

ReadableFile::~ReadableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t ReadableFile::readSome(std::int64_t offset, void* data, std::size_t size) const {
  throwIfProgramStops();
  if (descriptor_ < 0) {
    const std::size_t from = static_cast<std::size_t>(std::clamp<std::int64_t>(offset, 0, size_));
    return bytes_.copy(static_cast<char*>(data), size, from);
  }
  std::size_t total = 0;
  while (total < size) {
    const ssize_t done = ::pread(descriptor_, static_cast<char*>(data) + total, size - total,
                                 offset + static_cast<std::int64_t>(total));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(ErrorCode::Io, "cannot read: " + reason(errno));
    if (done == 0) break;
    total += static_cast<std::size_t>(done);
  }
  return total;
}

void ReadableFile::read(std::int64_t offset, void* data, std::size_t size) const {
  if (readSome(offset, data, size) != size) damaged("is cut short: the file ends within the data");
}

void ReadableFile::fail(ErrorCode code, const std::string& sentence) const {
  throw Error(code, path_.string() + ": " + sentence);
}

void ReadableFile::requireBytes(std::int64_t offset, std::int64_t bytes) const {
  if (offset < 0 || bytes < 0 || bytes > size_ || offset > size_ - bytes) {
    damaged("is cut short: its header promises " + std::to_string(bytes) + " bytes of pixels, the file has " +
            std::to_string(std::clamp<std::int64_t>(size_ - offset, 0, size_)));
  }
}

std::size_t ByteReader::read(void* data, std::size_t size) {
  std::size_t total = 0;
  while (total < size && available()) {
    const std::size_t part = std::min(size - total, buffer_.size() - next_);
    std::memcpy(static_cast<char*>(data) + total, buffer_.data() + next_, part);
    next_ += part;
    total += part;
  }
  return total;
}

bool ByteReader::refill() {
  bufferStart_ += static_cast<std::int64_t>(buffer_.size());
  buffer_.resize(atOnce_);
  buffer_.resize(file_.readSome(bufferStart_, buffer_.data(), atOnce_));
  next_ = 0;
  return !buffer_.empty();
}

}  // namespace bankside

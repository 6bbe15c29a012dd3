/// A regular file open for reading, or bytes in its place, whose errors name it as its user did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace bankside {

class ReadableFile {
 public:
  /// Errors  Error{Io} if it is missing, not readable, a folder, a pipe or a device
  explicit ReadableFile(const std::filesystem::path& path);
  /// One that somebody else has opened, which is closed in the end. Its errors begin with the colon.
  ReadableFile(int descriptor, std::int64_t size) : descriptor_(descriptor), size_(size) {}
  /// Bytes that came otherwise, as from an archive; there is no descriptor.
  ReadableFile(std::filesystem::path name, std::string bytes)
      : path_(std::move(name)), bytes_(std::move(bytes)), size_(static_cast<std::int64_t>(bytes_.size())) {}
  ~ReadableFile();
  ReadableFile(const ReadableFile&) = delete;
  ReadableFile& operator=(const ReadableFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }
  int descriptor() const { return descriptor_; }

  /// Up to `size` bytes at an offset; fewer only at the end of the file. Throws Error{Io}, or Cancelled if
  /// the program is to end.
  std::size_t readSome(std::int64_t offset, void* data, std::size_t size) const;
  /// Exactly `size` bytes. Throws Error{Io}, or Error{BadInput} where the file ends before.
  void read(std::int64_t offset, void* data, std::size_t size) const;

  /// Throws an Error whose sentence is the path, a colon and `sentence`.
  [[noreturn]] void fail(ErrorCode code, const std::string& sentence) const;
  [[noreturn]] void damaged(const std::string& sentence) const { fail(ErrorCode::BadInput, sentence); }
  /// Throws Error{BadInput} unless the file has `bytes` from `offset` on.
  void requireBytes(std::int64_t offset, std::int64_t bytes) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string bytes_;  ///< where there is no descriptor
  std::int64_t size_ = 0;
};

/// The bytes of a file one after another, through a buffer.
class ByteReader {
 public:
  /// `atOnce`: how many bytes are read at a time.
  explicit ByteReader(const ReadableFile& file, std::int64_t offset = 0,
                      std::size_t atOnce = std::size_t{64} << 10)
      : file_(file), bufferStart_(offset), atOnce_(atOnce) {}

  /// The next byte, or -1 at the end.
  int get() { return available() ? static_cast<unsigned char>(buffer_[next_++]) : -1; }
  int peek() { return available() ? static_cast<unsigned char>(buffer_[next_]) : -1; }
  /// Up to `size` bytes; fewer only at the end.
  std::size_t read(void* data, std::size_t size);
  std::int64_t position() const { return bufferStart_ + static_cast<std::int64_t>(next_); }

 private:
  bool available() { return next_ < buffer_.size() || refill(); }
  bool refill();

  const ReadableFile& file_;
  std::int64_t bufferStart_;
  std::size_t atOnce_;
  std::vector<char> buffer_;
  std::size_t next_ = 0;
};

}  // namespace bankside

/// Files that appear whole or not at all. Everything that writes a file goes through here.
///
/// The bytes go to `.<name>.<pid>.<random>.part` in the target's own folder, so that the last step is a
/// rename within one file system; a crash leaves at most such a part file, an exception nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace bankside {

/// A file being written. Without `commit` it is removed again and the target stays as it was.
class AtomicFile {
 public:
  /// Creates the part file; a symbolic link as target is followed.
  /// Errors  Error{Io} if the folder is missing or read-only, or the target is a folder, device or pipe
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// The target's path as it was given.
  const std::filesystem::path& path() const { return path_; }

  /// Appends. Throws Error{Io} (disk full, quota, I/O error) with the path and the system's reason.
  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }

  /// Writes at a byte offset; beyond the end leaves a hole of zeros.
  void writeAt(std::int64_t offset, const void* data, std::size_t size);

  /// Reads back what was written; the number of bytes that there were. Throws Error{Io}.
  std::size_t readAt(std::int64_t offset, void* data, std::size_t size);

  /// One past the last byte written.
  std::int64_t size() const { return size_; }

  /// Syncs to the disk and renames over the target, which keeps its permissions. Throws Error{Io}.
  void commit();

 private:
  [[noreturn]] void fail(const char* what, int errorNumber) const;

  std::filesystem::path path_;
  std::filesystem::path target_;  // path_ with a symbolic link followed
  std::filesystem::path part_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

/// A whole text or byte string as a file, atomically. Throws Error{Io}.
void writeFileAtomically(const std::filesystem::path& target, std::string_view content);

}  // namespace bankside

/// Files that appear whole or not at all. Everything that writes a file goes through here.
///
/// The bytes go to a part file (core/imageio/part_file.h) in the target's own folder, so that the last step
/// is a rename within one file system; a crash leaves at most such a part file, an exception nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/imageio/part_file.h"
#include "core/stop_check.h"

namespace bankside {

/// What becomes of a file that has the name of a finished one.
enum class Existing {
  Replace,
  Keep,  ///< it stays untouched, and must have the same bytes
};
inline Existing existing(bool force) { return force ? Existing::Replace : Existing::Keep; }

/// Errors  Error{Io} where a file of that name cannot be put in place: it is a folder, a device, a pipe or a
///         link that leads nowhere
void requireWritableName(const std::filesystem::path& file);

/// A file being written. Without `commit` it is removed again and the target stays as it was.
class AtomicFile {
 public:
  /// Creates the part file; a symbolic link as target is followed.
  /// Errors  Error{Io} if the folder is missing or read-only, or the target is a folder, a device, a pipe or
  /// a
  ///         link that leads nowhere
  explicit AtomicFile(const std::filesystem::path& file);
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
  std::size_t readAt(std::int64_t offset, void* data, std::size_t size) const;

  /// One past the last byte written.
  std::int64_t size() const { return size_; }

  /// Syncs to the disk and puts the file in place; one that is replaced hands on its permissions.
  /// Errors  Error{Io} · WouldReplace
  void commit(Existing existing = Existing::Replace);

 private:
  friend void commitTogether(std::span<AtomicFile* const> files, Existing existing, const StopCheck& check);
  void sync();
  bool standsThere() const;
  bool put(Existing existing);
  [[noreturn]] void fail(const char* what, int errorNumber) const;

  std::filesystem::path path_;
  std::filesystem::path target_;  // path_ with a symbolic link followed
  PartFile part_;
  std::int64_t size_ = 0;
};

/// Puts finished files of one folder in place: all of them, or none that was not there before. Others who do
/// so wait, so that no other run sees some of them. `check` is asked before each is written to the disk,
/// which may take a second. Errors  as for `commit`
void commitTogether(std::span<AtomicFile* const> files, Existing existing, const StopCheck& check = {});

/// A whole text or byte string as a file, atomically. Errors  as for `commit`
void writeFileAtomically(const std::filesystem::path& target, std::string_view content,
                         Existing existing = Existing::Replace);

}  // namespace bankside

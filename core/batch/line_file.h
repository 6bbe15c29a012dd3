/// The lines of a text file of any length, one after another.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/imageio/readable_file.h"

namespace bankside {

class LineFile {
 public:
  /// Longer than any line of ours.
  static constexpr std::size_t longestLine = std::size_t{16} << 20;

  /// Errors  Error{Io}
  explicit LineFile(const std::filesystem::path& path, std::int64_t offset = 0)
      : file_(path), bytes_(file_, offset, std::size_t{256} << 10) {}

  /// The next line without its end; false after the last one. A last line without an end is `torn`: whoever
  /// wrote it was ended. Errors  Error{Io} · Error{BadInput} if it is longer than any
  bool next(std::string& line);
  /// Of the line that was given last.
  std::int64_t offset() const { return start_; }
  bool torn() const { return torn_; }
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  ReadableFile file_;
  ByteReader bytes_;
  std::int64_t start_ = 0;
  bool torn_ = false;
};

}  // namespace bankside

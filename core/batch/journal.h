/// What became of the images of a batch: a file of lines for each shard, which only grows.
///
///   MANIFEST.journals/0123456789abcdef.3-of-10.jsonl       (the manifest's hash, the shard)
///   {"n": 17, "attempt": 1, "status": "done", "id": "left/0017.png", "outputs": [...], ...}
///
/// A line is written with one call, after the results are on the disk. A run that was ended leaves at most a
/// torn last line, which counts for nothing: that image is done again, and its results are found identical.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/batch/journal_entry.h"
#include "core/batch/manifest.h"
#include "core/batch/shard.h"
#include "core/error.h"

namespace bankside {

std::filesystem::path journalFolder(const std::filesystem::path& manifest);

/// Somebody else runs the shard, or other shards than these; may pass.
class ShardTaken : public Error {
 public:
  explicit ShardTaken(const std::string& sentence) : Error(ErrorCode::BadInput, sentence) {}
};

/// The journal of one shard, for the one run that may write it.
class JournalWriter {
 public:
  /// Goes on with the file, after taking a torn line away. The lock goes with the process, whatever ends it.
  /// Errors  ShardTaken if another run has this shard, or runs with another count of shards · Error{Io} ·
  ///         DiskFull
  JournalWriter(const Manifest& manifest, const Shard& shard);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Whole, or not at all. Errors  Error{Io} · DiskFull
  void append(const JournalEntry& entry);
  /// To the disk. Errors  Error{Io}
  void sync();

 private:
  void lockCount(const std::filesystem::path& file, const Shard& shard);
  [[noreturn]] void fail(const std::string& what, int errorNumber) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  int count_ = -1;  // descriptor of the file that says how many shards run
  std::int64_t size_ = 0;
};

}  // namespace bankside

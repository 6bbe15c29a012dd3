/// What became of one image of a batch: a line of a journal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bankside {

/// A result of an image.
struct BatchOutput {
  std::string file;  ///< path below the output folder
  std::int64_t bytes = 0;
  std::optional<std::uint64_t> hash = {};  ///< of its bytes, where that was asked for
  bool operator==(const BatchOutput&) const = default;
};

struct JournalEntry {
  std::int64_t number = 0;  ///< of the manifest's entry, from 0
  int attempt = 1;
  bool done = false;
  std::string id;
  std::string error;       ///< one sentence if not done
  std::string errorClass;  ///< as `toString(ErrorCode)`, or "stale", "mismatch", "memory", "internal"
  std::vector<BatchOutput> outputs;
  std::vector<std::string> notes;  ///< what reading changed, what was dropped
  std::string engine;
  int pages = 0;
  double decodeSeconds = 0;
  double filterSeconds = 0;
  double encodeSeconds = 0;
  std::int64_t clippedValues = 0;
  std::int64_t nonFiniteValues = 0;
  std::optional<double> maxAbsError = {};  ///< where it was verified
};

std::string toLine(const JournalEntry& entry);
/// Errors  Error{BadInput}
JournalEntry parseJournalEntry(const std::string& line, const std::string& name);

/// Notes, and how many images have them. Of more kinds than these, the rest are one.
using NoteCounts = std::map<std::string, std::int64_t>;
inline constexpr std::size_t mostNotes = 100;
void countNotes(const JournalEntry& entry, NoteCounts& notes);
/// "2 images: colour mixed to luma", a line each, the first ten.
std::string toText(const NoteCounts& notes);

/// The hash of a file's bytes (core/hash.h). Errors  Error{Io}
std::uint64_t hashOfFile(const std::filesystem::path& file);

}  // namespace bankside

/// What all journals of a manifest say of each image.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/batch/journal.h"
#include "core/imageio/readable_file.h"

namespace bankside {

/// Where what became of every image stands, over all journals of a manifest. Of several attempts the last one
/// counts. Units  16 bytes an image
class Ledger {
 public:
  /// Reads every journal; lines that cannot be read are counted. Errors  Error{Io} · Error{BadInput}
  explicit Ledger(const Manifest& manifest);

  int attempts(std::int64_t number) const { return slots_[index(number)].attempt; }  ///< 0: never tried
  bool done(std::int64_t number) const { return slots_[index(number)].done; }
  /// The last attempt. Errors  Error{Io} · Error{BadInput} if the line was damaged
  JournalEntry read(std::int64_t number) const;

  std::int64_t damagedLines() const { return damaged_; }
  std::int64_t tornLines() const { return torn_; }  ///< of runs that were ended
  /// Images that two runs did which knew nothing of each other.
  std::int64_t doneTwice() const { return doneTwice_; }
  std::size_t journals() const { return files_.size(); }

 private:
  struct Slot {
    std::int64_t offset = 0;
    std::uint32_t file = 0;
    std::uint16_t attempt = 0;
    bool done = false;
  };
  static std::size_t index(std::int64_t number) { return static_cast<std::size_t>(number); }
  void readFile(const std::filesystem::path& file);

  std::vector<std::filesystem::path> files_;
  std::vector<std::unique_ptr<ReadableFile>> open_;  ///< the first of them
  std::vector<Slot> slots_;
  std::int64_t damaged_ = 0;
  std::int64_t torn_ = 0;
  std::int64_t doneTwice_ = 0;
};

/// Whether the results of an image that is done are what its journal says. `content`: their bytes too, where
/// the journal has their hashes, and not their sizes alone. Errors  Error{Io}
enum class ResultState { Present, Missing, Torn };
ResultState stateOf(const JournalEntry& entry, const std::filesystem::path& output, bool content);

/// Whether the file of an image is the one that was planned. A copy elsewhere has another time.
enum class InputState { Same, Missing, Changed };
enum class InputPlace { Planned, Copied };
InputState stateOf(const ManifestEntry& entry, const std::filesystem::path& input, InputPlace place);

}  // namespace bankside

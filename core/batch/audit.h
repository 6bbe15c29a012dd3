/// Proof that every image of a batch was done once: manifest, journals and results held against each other.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/batch/ledger.h"
#include "core/batch/manifest.h"

namespace bankside {

/// Untried: no journal has it. Failed: its last attempt. Missing: done, but a result is not there. Torn: a
/// result is not as long, or not as it was (`content`). Stale: the image's file changed after it was planned.
/// Duplicate: a result that two images claim, or an image done by two runs that knew nothing of each other.
/// Unexpected: an image file among the results that no image claims. Part: an unfinished file. Damaged: a
/// line of a journal that cannot be read.
enum class Finding { Untried, Failed, Missing, Torn, Stale, Duplicate, Unexpected, Part, Damaged };
inline constexpr int findingCount = 9;
const char* toString(Finding finding);  ///< "untried", ...

struct Audit {
  static constexpr const char* fileKind = "batch-audit";

  std::int64_t images = 0;
  std::int64_t done = 0;      ///< of which everything is as it should be
  std::int64_t results = 0;   ///< files that they claim
  std::int64_t unhashed = 0;  ///< of which the content was asked for, and no journal has a hash
  std::array<std::int64_t, findingCount> counts = {};
  /// The first ones, of each kind.
  struct Example {
    Finding finding;
    std::string what;
  };
  std::vector<Example> examples;

  static constexpr int mostExamples = 20;  ///< of a kind
  std::int64_t& count(Finding finding) { return counts[static_cast<std::size_t>(finding)]; }
  /// What was asked for and could not be looked at is not clean.
  bool clean() const {
    return done == images && unhashed == 0 && counts == std::array<std::int64_t, findingCount>{};
  }
};

/// Reads everything, changes nothing. `content`: the bytes of results too, where journals have their hashes.
/// Units  8 bytes of memory a result  Errors  Error{Io} · Error{BadInput} · Cancelled
Audit audit(const Manifest& manifest, const Ledger& ledger, const std::filesystem::path& input,
            const std::filesystem::path& output, bool content);

std::string toJson(const Audit& audit, const Manifest& manifest);
/// "done 12 of 12 images, 24 results" and a line a finding.
std::string toText(const Audit& audit);

}  // namespace bankside

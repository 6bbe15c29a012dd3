/// The plan of a batch, scanned once and frozen: what is filtered, how, and where results go. Everything
/// later reads it, never the folder.
///
///   {"bankside": "manifest", "schema_version": 1, "program": "0.1.0 (9f55e81)", "input": "/scans",
///    "output": "/results", "recipe": {...}, "recipe_hash": "...", "banks": [...], "page": 0, ...}
///   {"id": "left/0001.png", "bytes": 65521, "mtime_ns": 1690000000000000000, "pixels_per_degree": 31}
///   ...
///   {"images": 135867, "left_out": {"GIF": 2}, "hash": "0123456789abcdef"}
///
/// A line an image, by id in byte order; the last line says that all are there, which files of the folder
/// were left out, if any were, and the hash of every byte before it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/batch/left_out.h"
#include "core/hash.h"
#include "core/imageio/atomic_file.h"
#include "core/run/recipe.h"
#include "core/run/run_report.h"

namespace bankside {

struct ManifestHead {
  static constexpr const char* fileKind = "manifest";
  static constexpr int schemaVersion = 1;
  std::string program;  ///< `versionText` of whoever planned
  std::string input;    ///< the folder that ids are below
  std::string output;
  Recipe recipe;
  std::vector<FilterReport::Bank> banks;  ///< of the recipe, as they were
  int page = 0;                           ///< 1-based; 0: all
  double pixelsPerDegree = 0;             ///< of images that say nothing themselves; 0: not said
  std::int64_t maxPixels = 0;
  double sample = 1;  ///< which part of the images is verified, where the recipe verifies
};

struct ManifestEntry {
  std::string id;              ///< path below the input folder, UTF-8
  std::int64_t bytes = 0;      ///< of the file; 0 with `modified` 0: it could not be looked at
  std::int64_t modified = 0;   ///< nanoseconds since 1970
  double pixelsPerDegree = 0;  ///< 0: the head's
};

class ManifestWriter {
 public:
  /// Errors  Error{Io} · Error{BadInput} a text of the head is no UTF-8
  ManifestWriter(const std::filesystem::path& file, const ManifestHead& head);
  /// In byte order of ids. Errors  Error{BadInput} an id that is no UTF-8 · Error{Io}
  void add(const ManifestEntry& entry);
  std::int64_t images() const { return images_; }
  std::uint64_t hash() const { return hash_.value(); }  ///< as Manifest's, once all are added
  /// It appears. Errors  Error{Io} · WouldReplace
  void finish(Existing existing, const LeftOut& leftOut = {});

 private:
  void put(const std::string& text);
  void flush();

  AtomicFile file_;
  Hash hash_;
  std::string buffer_;
  std::int64_t images_ = 0;
};

class Manifest {
 public:
  /// Looks at all of it. Errors  Error{Io} · Error{BadInput} if it is none, was cut short or changed
  explicit Manifest(const std::filesystem::path& file);

  const std::filesystem::path& path() const { return path_; }
  const ManifestHead& head() const { return head_; }
  std::int64_t images() const { return images_; }
  const LeftOut& leftOut() const { return leftOut_; }
  std::uint64_t hash() const { return hash_; }  ///< of its bytes: two with one hash are the same plan

  /// Every entry with its number from 0, until `take` returns false; where `wanted` is given, those whose ids
  /// it wants, in far less time than all of them. Errors  Error{BadInput}
  void forEach(const std::function<bool(std::int64_t number, const ManifestEntry& entry)>& take,
               const std::function<bool(std::string_view id)>& wanted = {}) const;

 private:
  std::filesystem::path path_;
  ManifestHead head_;
  std::int64_t images_ = 0;
  LeftOut leftOut_;
  std::uint64_t hash_ = 0;
};

/// What names of results begin with: the id without its last extension.
std::string stemOf(const std::string& id);

}  // namespace bankside

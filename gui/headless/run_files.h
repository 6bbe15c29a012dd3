/// What a run reads and what it writes, so that it replaces nothing of its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace bankside::headless {

/// A file is known by its folder and its name in there, and, where it exists, by itself: the system's numbers
/// say so whatever links, mounts and dots lead there.
class RunFiles {
 public:
  /// The tuning table that BANKSIDE_TUNING names is read by every run.
  RunFiles();

  /// A file that is read, under any name that leads to it; a word that names none is nobody's. `what`: "an
  /// input", "the recipe" ...
  void read(const std::filesystem::path& file, const std::string& what);

  /// A file that is about to be written. Throws Error{BadInput} if the run reads it, or writes it already.
  void write(const std::filesystem::path& file, const std::string& what);
  /// The same of one among many, which may be another name of a file of an earlier run, as programs leave it
  /// that keep equal files once.
  void writeResult(const std::filesystem::path& file, const std::string& what);

 private:
  using Identity = std::pair<dev_t, ino_t>;

  std::string placeOf(const std::filesystem::path& file);
  void place(const std::filesystem::path& file, const std::string& what);

  std::map<std::string, std::string> places_;  // what they are
  std::map<Identity, std::string> files_;      // the same
  std::map<std::filesystem::path, std::string> folders_;
};

}  // namespace bankside::headless

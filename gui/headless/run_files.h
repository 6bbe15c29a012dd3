/// What a run reads and what it writes, so that it replaces nothing of its own.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace bankside::headless {

class RunFiles {
 public:
  /// The tuning table that BANKSIDE_TUNING names is read by every run.
  RunFiles();

  /// A file that is read, under any name that leads to it; a word that names none is nobody's. `what`: "an
  /// input", "the recipe" ...
  void read(const std::filesystem::path& file, const std::string& what);

  /// A file that is about to be written. Throws Error{BadInput} if the run reads it, or writes it already.
  void write(const std::filesystem::path& file, const std::string& what);

 private:
  std::string keyOf(const std::filesystem::path& file);

  std::map<std::string, std::string> files_;  // what they are, by the path that no link is in
  std::map<std::filesystem::path, std::filesystem::path> folders_;  // without links
};

}  // namespace bankside::headless

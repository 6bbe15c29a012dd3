#include "gui/headless/run_files.h"

#include <cstdlib>

#include "core/error.h"

namespace bankside::headless {

namespace fs = std::filesystem;

namespace {

fs::path withoutLinks(const fs::path& path) {
  std::error_code failure;
  fs::path there = fs::weakly_canonical(fs::absolute(path, failure), failure);
  return failure ? path.lexically_normal() : there;
}

}  // namespace

RunFiles::RunFiles() {
  if (const char* table = std::getenv("BANKSIDE_TUNING"); table != nullptr && *table != '\0')
    read(table, "the tuning table");
}

/// A folder's links are followed once: file systems of clusters are slow at names.
std::string RunFiles::keyOf(const fs::path& file) {
  std::error_code failure;
  const fs::path name = file.filename();
  if (name.empty() || name == "." || name == ".." || fs::is_symlink(file, failure))
    return withoutLinks(file).string();
  const fs::path folder = file.parent_path();
  auto known = folders_.find(folder);
  if (known == folders_.end()) known = folders_.emplace(folder, withoutLinks(folder)).first;
  return (known->second / name).string();
}

void RunFiles::read(const fs::path& file, const std::string& what) {
  std::error_code failure;
  if (fs::exists(file, failure)) files_.emplace(keyOf(file), what);
}

void RunFiles::write(const fs::path& file, const std::string& what) {
  const auto [entry, fresh] = files_.emplace(keyOf(file), what);
  if (fresh) return;
  throw Error(ErrorCode::BadInput, file.string() + (entry->second == what ? ": would be " + what + " twice"
                                                                          : ": is " + entry->second + "; " +
                                                                                what + " would replace it"));
}

}  // namespace bankside::headless

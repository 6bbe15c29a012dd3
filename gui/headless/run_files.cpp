#include "gui/headless/run_files.h"

#include <sys/stat.h>

#include <cstdlib>
#include <optional>

#include "core/error.h"

namespace bankside::headless {

namespace fs = std::filesystem;

namespace {

std::optional<std::pair<dev_t, ino_t>> identityOf(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return std::nullopt;
  return std::pair{status.st_dev, status.st_ino};
}

fs::path withoutLinks(const fs::path& path) {
  std::error_code failure;
  fs::path there = fs::weakly_canonical(fs::absolute(path.empty() ? "." : path, failure), failure);
  return failure ? path.lexically_normal() : there;
}

/// By the folder that is there, and what is to be made below it.
std::string textOf(const fs::path& folder) {
  fs::path there = withoutLinks(folder);
  if (!there.has_filename()) there = there.parent_path();
  std::string below;
  auto identity = identityOf(there);
  for (; !identity && there.has_relative_path(); identity = identityOf(there)) {
    below = "/" + there.filename().string() + below;
    there = there.parent_path();
  }
  if (!identity) return there.string() + below;
  return std::to_string(identity->first) + ":" + std::to_string(identity->second) + below;
}

[[noreturn]] void refuseTwice(const fs::path& file, const std::string& what, const std::string& is) {
  throw Error(ErrorCode::BadInput,
              file.string() + (is == what ? ": would be " + what + " twice"
                                          : ": is " + is + "; " + what + " would replace it"));
}

}  // namespace

RunFiles::RunFiles() {
  if (const char* table = std::getenv("BANKSIDE_TUNING"); table != nullptr && *table != '\0')
    read(table, "the tuning table");
}

/// A folder is looked at once: file systems of clusters are slow at names.
std::string RunFiles::placeOf(const fs::path& file) {
  std::error_code failure;
  const fs::path name = file.filename();
  if (name.empty() || name == "." || name == ".." || fs::is_symlink(file, failure)) {
    const fs::path there = withoutLinks(file);
    return textOf(there.parent_path()) + "/" + there.filename().string();
  }
  const fs::path folder = file.parent_path();
  auto known = folders_.find(folder);
  if (known == folders_.end()) known = folders_.emplace(folder, textOf(folder)).first;
  return known->second + "/" + name.string();
}

void RunFiles::read(const fs::path& file, const std::string& what) {
  const auto identity = identityOf(file);
  if (!identity) return;
  files_.emplace(*identity, what);
  places_.emplace(placeOf(file), what);
}

void RunFiles::place(const fs::path& file, const std::string& what) {
  const auto [entry, fresh] = places_.emplace(placeOf(file), what);
  if (!fresh) refuseTwice(file, what, entry->second);
}

void RunFiles::write(const fs::path& file, const std::string& what) {
  place(file, what);
  const auto identity = identityOf(file);
  if (!identity) return;
  const auto [entry, fresh] = files_.emplace(*identity, what);
  if (!fresh) refuseTwice(file, what, entry->second);
}

void RunFiles::writeResult(const fs::path& file, const std::string& what) {
  place(file, what);
  const auto identity = identityOf(file);
  if (!identity) return;
  if (const auto known = files_.find(*identity); known != files_.end())
    refuseTwice(file, what, known->second);
}

}  // namespace bankside::headless

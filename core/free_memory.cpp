#include "core/free_memory.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace bankside {
namespace {

namespace fs = std::filesystem;

/// The number after that word at the beginning of a line.
std::optional<std::int64_t> numberAfter(const fs::path& file, const std::string& word) {
  std::ifstream in(file);
  for (std::string name; in >> name; in.ignore(1 << 12, '\n')) {
    std::int64_t number = 0;
    if (name == word && in >> number) return number;
  }
  return std::nullopt;
}

/// None where it is no number, as "max".
std::optional<std::int64_t> numberIn(const fs::path& file) {
  std::int64_t number = 0;
  std::ifstream in(file);
  return in >> number ? std::optional(number) : std::nullopt;
}

/// Below the root of all groups; empty where there are none.
fs::path groupOf(const fs::path& root) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("0::/")) return line.substr(4);
  }
  return {};
}

}  // namespace

std::int64_t freeMemory(const fs::path& root) {
  std::int64_t bytes = numberAfter(root / "proc/meminfo", "MemAvailable:").value_or(0) * 1024;
  // What a group may take, those around it may take too.
  const fs::path top = root / "sys/fs/cgroup";
  fs::path group = groupOf(root);
  for (bool last = false; !last; group = group.parent_path()) {
    last = group.empty();
    const fs::path folder = top / group;
    const auto most = numberIn(folder / "memory.max");
    const auto taken = numberIn(folder / "memory.current");
    if (!most || !taken) continue;
    // Files that were read are dropped where memory is wanted.
    const std::int64_t files = numberAfter(folder / "memory.stat", "inactive_file").value_or(0);
    bytes = std::min(bytes, std::max<std::int64_t>(0, *most - *taken + files));
  }
  return bytes;
}

std::int64_t memoryForMaps(std::int64_t least) { return std::max(least, freeMemory() / 2); }

}  // namespace bankside

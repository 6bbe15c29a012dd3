#include "core/folder.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

namespace bankside {

void forEachEntry(const std::filesystem::path& folder, std::error_code& failure,
                  const std::function<void(const char* name, unsigned char type)>& take) {
  struct Close {
    void operator()(DIR* open) const { ::closedir(open); }
  };
  const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
  errno = open == nullptr ? errno : 0;
  while (open != nullptr) {
    errno = 0;
    const dirent* entry = ::readdir(open.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") take(entry->d_name, entry->d_type);
  }
  failure.assign(errno, std::generic_category());
}

std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder, std::error_code& failure) {
  std::vector<std::filesystem::path> entries;
  forEachEntry(folder, failure, [&](const char* name, unsigned char) { entries.push_back(folder / name); });
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace bankside

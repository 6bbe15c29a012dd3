#include "core/folder.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

namespace bankside {

std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder, std::error_code& failure) {
  struct Close {
    void operator()(DIR* open) const { ::closedir(open); }
  };
  std::vector<std::filesystem::path> entries;
  const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
  errno = open == nullptr ? errno : 0;
  while (open != nullptr) {
    errno = 0;
    const dirent* entry = ::readdir(open.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") entries.push_back(folder / name);
  }
  failure.assign(errno, std::generic_category());
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace bankside

#include "core/batch/left_out.h"

#include "core/text.h"

namespace bankside {

std::string LeftOut::sentence() const {
  if (empty()) return "";
  std::int64_t files = 0;
  std::string list;
  for (const auto& [kind, count] : kinds) {
    files += count;
    list += (list.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  }
  return counted(files, "file") + (files == 1 ? " is" : " are") + " left out, as not read here: " + list;
}

}  // namespace bankside

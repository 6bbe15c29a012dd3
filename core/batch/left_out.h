/// Files among the images of a folder that are left out, as a person would like to know.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace bankside {

struct LeftOut {
  std::map<std::string, std::int64_t> kinds;  ///< files by what they are: "GIF"

  bool empty() const { return kinds.empty(); }
  /// "3 files are left out, as not read here: 2 GIF, 1 WebP"; empty where none is.
  std::string sentence() const;
};

/// The kind of files whose names no manifest holds.
inline constexpr const char* withoutUtf8 = "with a name that is no UTF-8";

}  // namespace bankside

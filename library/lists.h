/// Lists that stay for ever, as the public header gives them: how many, and which name a number has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "library/status.h"

namespace bankside::library {

/// 0 where the list cannot be made. `list` gives it, and may throw.
template <class List>
std::int32_t countOf(const List& list) noexcept {
  std::size_t count = 0;
  guarded([&] { count = list().size(); });
  return static_cast<std::int32_t>(count);
}

/// Null for a number that no name has.
inline const char* nameAt(const std::vector<std::string>& (*list)(), std::int32_t index) noexcept {
  const char* name = nullptr;
  guarded([&] {
    const std::vector<std::string>& names = list();
    if (index >= 0 && index < static_cast<std::int32_t>(names.size()))
      name = names[static_cast<std::size_t>(index)].c_str();
  });
  return name;
}

}  // namespace bankside::library

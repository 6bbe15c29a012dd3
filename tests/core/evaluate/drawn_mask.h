/// Masks drawn as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image.h"

namespace bankside::testing {

/// '#' is 1, everything else 0; rows of one length.
inline Image drawn(const std::vector<std::string>& rows) {
  Image image(1, static_cast<int>(rows.size()), static_cast<int>(rows.front().size()), ElementType::U8);
  auto view = image.view<std::uint8_t>(0);
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x)
      view.at(x, y) = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#' ? 1 : 0;
  return image;
}

inline std::vector<std::string> rowsOf(const Image& image) {
  const auto view = image.view<std::uint8_t>(0);
  std::vector<std::string> rows(static_cast<std::size_t>(view.height));
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) rows[static_cast<std::size_t>(y)] += view.at(x, y) != 0 ? '#' : '.';
  return rows;
}

}  // namespace bankside::testing

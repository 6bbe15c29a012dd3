#include "core/maps/contrast.h"

#include <algorithm>
#include <cmath>

#include "core/maps/field_parts.h"

namespace bankside {
namespace {

constexpr float rounding = 0x1p-20f;  ///< of several operations on f32, over the value's size

}  // namespace

bool OneValue::take(float value) {
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
  return std::isfinite(value) && most_ - least_ <= rounding * std::max(std::fabs(least_), std::fabs(most_));
}

bool isFlat(const Maps& maps) {
  std::vector<OneValue> values(maps.size());
  return isFlat(maps, values);
}

bool isFlat(const Maps& rows, std::vector<OneValue>& values) {
  for (std::size_t m = 0; m < rows.size(); ++m) {
    const auto view = rows.view(m);
    OneValue& value = values[m];
    for (int y = 0; y < view.height; ++y) {
      const float* const row = view.row(y);
      if (!std::all_of(row, row + view.width, [&](float pixel) { return value.take(pixel); })) return false;
    }
  }
  return true;
}

bool mayBeFlat(const Maps& image, FieldOfView& field, const Extent& extent, double erode) {
  const auto inside = field.at(extent.height, extent.width).view<std::uint8_t>(0);
  // The other maps' pixels are means of several of the image's, at the rim too.
  const int away = static_cast<int>(std::ceil(erode)) + 1;
  const auto isInner = [&](int x, int y) {
    for (const int dy : {-away, 0, away}) {
      for (const int dx : {-away, 0, away}) {
        const int atX = std::clamp(x + dx, 0, inside.width - 1);
        if (inside.at(atX, std::clamp(y + dy, 0, inside.height - 1)) == 0) return false;
      }
    }
    return true;
  };
  for (std::size_t m = 0; m < image.size(); ++m) {
    const auto view = image.view(m);
    OneValue value;
    for (int y = 0; y < inside.height; ++y) {
      const float* const row = view.row(underMiddle(y, view.height, inside.height));
      for (int x = 0; x < inside.width; ++x) {
        if (isInner(x, y) && !value.take(row[underMiddle(x, view.width, inside.width)])) return false;
      }
    }
  }
  return true;
}

bool sumsToNothing(const FilterBank& bank) {
  const auto channels = static_cast<std::size_t>(bank.channels());
  return std::all_of(bank.filters().begin(), bank.filters().end(), [&](const Filter& f) {
    // Every channel's map has a value of its own.
    const std::size_t taps = f.taps.size() / channels;
    for (std::size_t first = 0; first < f.taps.size(); first += taps) {
      double sum = 0;
      double size = 0;
      for (std::size_t i = first; i < first + taps; ++i) {
        sum += static_cast<double>(f.taps[i]);
        size += std::fabs(static_cast<double>(f.taps[i]));
      }
      if (std::fabs(sum) > static_cast<double>(rounding) * size) return false;
    }
    return true;
  });
}

}  // namespace bankside

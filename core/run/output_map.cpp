#include "core/run/output_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/error.h"

namespace bankside {
namespace {

bool isFinite(float value) { return std::abs(value) <= std::numeric_limits<float>::max(); }

template <class T>
MappedPlane clip(const Image& plane) {
  const float top = elementTypeOf<T> == ElementType::U8 ? 255.0f : 65535.0f;
  MappedPlane result{Image(1, plane.height(), plane.width(), elementTypeOf<T>), 0};
  const auto src = plane.view<float>(0);
  const auto dst = result.image.view<T>(0);
  for (int y = 0; y < src.height; ++y) {
    const float* values = src.row(y);
    T* out = dst.row(y);
    int clipped = 0;
    for (int x = 0; x < src.width; ++x) {
      // -0.5 and top + 0.5 round into the range and lose no more than rounding does.
      clipped += values[x] >= -0.5f && values[x] <= top + 0.5f ? 0 : 1;
      out[x] = fromFloat<T>(values[x]);
    }
    result.clipped += clipped;
  }
  return result;
}

MappedPlane stretch(const Image& plane, const ValueRange& range) {
  MappedPlane result{Image(1, plane.height(), plane.width(), ElementType::U16), 0};
  const double span = static_cast<double>(range.high) - range.low;
  const double scale = span > 0 ? 65535.0 / span : 0.0;
  const auto src = plane.view<float>(0);
  const auto dst = result.image.view<std::uint16_t>(0);
  const double low = range.low;
  for (int y = 0; y < src.height; ++y) {
    const float* values = src.row(y);
    std::uint16_t* out = dst.row(y);
    int clipped = 0;
    for (int x = 0; x < src.width; ++x) {
      clipped += isFinite(values[x]) ? 0 : 1;
      out[x] = fromFloat<std::uint16_t>(static_cast<float>((static_cast<double>(values[x]) - low) * scale));
    }
    result.clipped += clipped;
  }
  return result;
}

MappedPlane binary(const Image& plane, float threshold) {
  MappedPlane result{Image(1, plane.height(), plane.width(), ElementType::U8), 0};
  const auto src = plane.view<float>(0);
  const auto dst = result.image.view<std::uint8_t>(0);
  for (int y = 0; y < src.height; ++y) {
    const float* values = src.row(y);
    int clipped = 0;
    for (int x = 0; x < src.width; ++x) {
      clipped += isFinite(values[x]) ? 0 : 1;
      dst.row(y)[x] = values[x] >= threshold ? 255 : 0;
    }
    result.clipped += clipped;
  }
  return result;
}

/// Values side by side, so that compilers take many at a time.
struct Lanes {
  static constexpr int count = 16;
  float low[count];
  float high[count];
  std::int32_t nonFinite[count] = {};

  Lanes() {
    std::fill_n(low, count, std::numeric_limits<float>::infinity());
    std::fill_n(high, count, -std::numeric_limits<float>::infinity());
  }
  void take(int lane, float value) {
    const bool finite = isFinite(value);
    const float least = finite ? value : std::numeric_limits<float>::infinity();
    const float most = finite ? value : -std::numeric_limits<float>::infinity();
    low[lane] = least < low[lane] ? least : low[lane];
    high[lane] = most > high[lane] ? most : high[lane];
    nonFinite[lane] += finite ? 0 : 1;
  }
  void empty(std::int64_t& sum) {
    for (std::int32_t& each : nonFinite) sum += std::exchange(each, 0);
  }
};

}  // namespace

const char* toString(OutputMap map) {
  switch (map) {
    case OutputMap::None: return "none";
    case OutputMap::Clip: return "clip";
    case OutputMap::Stretch: return "stretch";
    case OutputMap::Binary: return "binary";
  }
  return "?";
}

std::optional<OutputMap> parseOutputMap(std::string_view text) {
  for (const OutputMap map : {OutputMap::None, OutputMap::Clip, OutputMap::Stretch, OutputMap::Binary}) {
    if (text == toString(map)) return map;
  }
  return std::nullopt;
}

void ValueRange::add(const ValueRange& other) {
  nonFinite += other.nonFinite;
  if (other.low > other.high) return;
  const bool none = low > high;
  low = none ? other.low : std::min(low, other.low);
  high = none ? other.high : std::max(high, other.high);
}

ValueRange valueRange(const Image& plane) {
  ValueRange range;
  if (plane.type() != ElementType::F32) return range;
  const auto view = plane.view<float>(0);
  Lanes lanes;
  for (int y = 0; y < view.height; ++y) {
    const float* row = view.row(y);
    int x = 0;
    for (; x + Lanes::count <= view.width; x += Lanes::count) {
      for (int i = 0; i < Lanes::count; ++i) lanes.take(i, row[x + i]);
    }
    for (; x < view.width; ++x) lanes.take(0, row[x]);
    lanes.empty(range.nonFinite);
  }
  const float low = *std::min_element(lanes.low, lanes.low + Lanes::count);
  const float high = *std::max_element(lanes.high, lanes.high + Lanes::count);
  if (low <= high) {
    range.low = low;
    range.high = high;
  }
  return range;
}

ElementType mappedType(OutputMap map, ElementType inputType) {
  if (map == OutputMap::None) return ElementType::F32;
  if (map == OutputMap::Stretch) return ElementType::U16;
  if (map == OutputMap::Binary) return ElementType::U8;
  if (inputType == ElementType::U8 || inputType == ElementType::U16) return inputType;
  throw Error(ErrorCode::BadInput,
              "--map clip keeps an 8- or 16-bit input's range, and the input is floating point; "
              "use --map stretch or a float format");
}

MappedPlane mapPlane(const Image& plane, OutputMap map, ElementType inputType, const ValueRange& range,
                     float threshold) {
  const ElementType type = mappedType(map, inputType);
  switch (map) {
    case OutputMap::None: break;
    case OutputMap::Clip:
      return type == ElementType::U8 ? clip<std::uint8_t>(plane) : clip<std::uint16_t>(plane);
    case OutputMap::Stretch: return stretch(plane, range);
    case OutputMap::Binary: return binary(plane, threshold);
  }
  return {plane.clone(), 0};
}

}  // namespace bankside

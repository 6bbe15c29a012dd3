/// From float responses to what a picture format can show: only when asked for, and counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/image.h"

namespace bankside {

/// None keeps every value. Clip rounds and saturates to the input's own 8- or 16-bit range. Stretch maps
/// smallest to 0 and largest to 65535 (16 bit), linearly, for looking at. Binary is 255 (8 bit) from a
/// threshold on, else 0.
enum class OutputMap { None, Clip, Stretch, Binary };

const char* toString(OutputMap map);
std::optional<OutputMap> parseOutputMap(std::string_view text);

/// Smallest and largest finite value of a plane; low > high where there is none.
struct ValueRange {
  float low = 1;
  float high = 0;
  std::int64_t nonFinite = 0;
  void add(const ValueRange& other);
};
ValueRange valueRange(const Image& plane);

/// The type that f32 values are mapped to.
/// Throws Error{BadInput} for Clip after float input: there is no range to clip to.
ElementType mappedType(OutputMap map, ElementType inputType);

struct MappedPlane {
  Image image;
  std::int64_t clipped = 0;  ///< values outside the range (Clip) and values that are not finite
};

/// Maps one f32 plane. `inputType` sets Clip's range; `range` sets Stretch's; `threshold` is Binary's. Errors
/// as for `mappedType`
MappedPlane mapPlane(const Image& plane, OutputMap map, ElementType inputType, const ValueRange& range,
                     float threshold = 0);

}  // namespace bankside

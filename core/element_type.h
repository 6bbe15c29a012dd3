/// The four types that a pixel can have, and the half-precision one in portable bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bankside {

enum class ElementType { U8, U16, F16, F32 };

inline constexpr ElementType allElementTypes[] = {ElementType::U8, ElementType::U16, ElementType::F16,
                                                  ElementType::F32};

/// IEEE 754 binary16 as stored; arithmetic happens in float.
struct Half {
  std::uint16_t bits = 0;
  bool operator==(const Half&) const = default;
};

/// Exact.
float toFloat(Half half);
/// Rounds to nearest, ties to even; overflows to infinity; keeps NaN a NaN.
Half toHalf(float value);

constexpr std::size_t sizeOf(ElementType type) {
  switch (type) {
    case ElementType::U8: return 1;
    case ElementType::U16:
    case ElementType::F16: return 2;
    case ElementType::F32: return 4;
  }
  return 0;
}

/// "u8", "u16", "f16", "f32".
const char* toString(ElementType type);
std::optional<ElementType> parseElementType(std::string_view text);

template <class T>
struct ElementTypeOf;
template <>
struct ElementTypeOf<std::uint8_t> {
  static constexpr ElementType value = ElementType::U8;
};
template <>
struct ElementTypeOf<std::uint16_t> {
  static constexpr ElementType value = ElementType::U16;
};
template <>
struct ElementTypeOf<Half> {
  static constexpr ElementType value = ElementType::F16;
};
template <>
struct ElementTypeOf<float> {
  static constexpr ElementType value = ElementType::F32;
};
template <class T>
inline constexpr ElementType elementTypeOf = ElementTypeOf<T>::value;

/// Calls `function` with a value-initialised element of the C++ type behind `type`:
/// `visit(type, [&](auto element) { using T = decltype(element); ... })`.
template <class Function>
decltype(auto) visit(ElementType type, Function&& function) {
  switch (type) {
    case ElementType::U8: return function(std::uint8_t{});
    case ElementType::U16: return function(std::uint16_t{});
    case ElementType::F16: return function(Half{});
    case ElementType::F32: break;
  }
  return function(float{});
}

/// Any element as float: exact for every type.
inline float asFloat(std::uint8_t value) { return static_cast<float>(value); }
inline float asFloat(std::uint16_t value) { return static_cast<float>(value); }
inline float asFloat(Half value) { return toFloat(value); }
inline float asFloat(float value) { return value; }

/// A float as element: integers round to nearest (ties to even) and saturate, NaN becomes 0, as OpenCV's
/// saturate_cast does for numbers in range.
template <class T>
T fromFloat(float value);
/// `top`: the largest. Without a branch or call, so that compilers turn loops over it into vectors: beyond
/// 2^23 floats are whole numbers, and a sum is rounded to one.
template <class T>
T roundAndSaturate(float value, float top) {
  constexpr float whole = 0x1p23f;
  value = value > 0 ? value : 0;  // NaN too
  value = value < top ? value : top;
  return static_cast<T>(static_cast<std::int32_t>(value + whole - whole));
}
template <>
inline std::uint8_t fromFloat<std::uint8_t>(float value) {
  return roundAndSaturate<std::uint8_t>(value, 255.0f);
}
template <>
inline std::uint16_t fromFloat<std::uint16_t>(float value) {
  return roundAndSaturate<std::uint16_t>(value, 65535.0f);
}
template <>
inline Half fromFloat<Half>(float value) {
  return toHalf(value);
}
template <>
inline float fromFloat<float>(float value) {
  return value;
}

}  // namespace bankside

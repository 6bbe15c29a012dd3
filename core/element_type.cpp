#include "core/element_type.h"

#include <bit>
#include <cmath>

namespace bankside {

float toFloat(Half half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000u) << 16;
  const std::uint32_t exponent = (half.bits >> 10) & 31u;
  const std::uint32_t fraction = half.bits & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // subnormal or zero
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

Half toHalf(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const auto half = [sign](std::uint32_t rest) { return Half{static_cast<std::uint16_t>(sign | rest)}; };
  if (magnitude > 0x7f800000u) return half(0x7e00u);   // NaN
  if (magnitude >= 0x477ff000u) return half(0x7c00u);  // 65520 and above round to infinity
  if (magnitude < 0x38800000u) {                       // below 2^-14: subnormal, in units of 2^-24
    return half(static_cast<std::uint32_t>(std::nearbyint(std::bit_cast<float>(magnitude) * 0x1p24f)));
  }
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  return half((magnitude - 0x38000000u + 0xfffu + odd) >> 13);
}

const char* toString(ElementType type) {
  switch (type) {
    case ElementType::U8: return "u8";
    case ElementType::U16: return "u16";
    case ElementType::F16: return "f16";
    case ElementType::F32: return "f32";
  }
  return "?";
}

std::optional<ElementType> parseElementType(std::string_view text) {
  for (const ElementType type : allElementTypes) {
    if (text == toString(type)) return type;
  }
  return std::nullopt;
}

}  // namespace bankside

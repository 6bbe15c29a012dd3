/// What operations do to one pixel: one definition for host and device. Every product and sum is rounded on
/// its own; compilers of both sides are told to leave it so.
#pragma once

#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/element_type.h"
#include "core/host_device.h"
#include "core/maps/elementary.h"

namespace bankside {

struct Operation;

/// Of one pixel. `a` and `b` are what its operation was given.
struct PixelFunction {
  enum class Kind { Over, Linear, Log, Exp, Abs, Relu, Square, Root, Power, Threshold };
  Kind kind = Kind::Linear;
  float a = 0;
  float b = 0;
};

/// none: the operation looks at more than a pixel, or has no form that both sides share. `type`: the image's.
std::optional<PixelFunction> pixelFunctionOf(const Operation& operation, ElementType type);

template <PixelFunction::Kind kind>
BANKSIDE_HOST_DEVICE inline float applied(float x, float a, float b) {
  using Kind = PixelFunction::Kind;
  if constexpr (kind == Kind::Over) return x / a;
  if constexpr (kind == Kind::Linear) return a * x + b;
  if constexpr (kind == Kind::Log) return logarithm(x + a);
  if constexpr (kind == Kind::Exp) return exponential(x);
  if constexpr (kind == Kind::Abs) return std::fabs(x);
  if constexpr (kind == Kind::Relu) return x < 0 ? 0.0f : x;
  if constexpr (kind == Kind::Square) return x * x;
  if constexpr (kind == Kind::Root) return std::sqrt(x);
  if constexpr (kind == Kind::Power) return power(x, a);
  if constexpr (kind == Kind::Threshold) return x >= a ? 1.0f : 0.0f;
}

/// Of several steps' pixels, from the first on: the result so far with the next one. `a` is the next one's
/// weight of a sum, of which the first is weighted too, and the floor of a quotient.
enum class PixelFold { Product, Quotient, Sum, Min, Max };

/// none: it folds nothing.
std::optional<PixelFold> pixelFoldOf(const Operation& operation);

template <PixelFold fold>
BANKSIDE_HOST_DEVICE inline float firstOf(float x, float a) {
  return fold == PixelFold::Sum ? a * x : x;
}

template <PixelFold fold>
BANKSIDE_HOST_DEVICE inline float folded(float v, float x, float a) {
  if constexpr (fold == PixelFold::Product) return v * x;
  if constexpr (fold == PixelFold::Quotient) return v / (x < a ? a : x);  // a NaN below the line stays one
  if constexpr (fold == PixelFold::Sum) return v + a * x;
  if constexpr (fold == PixelFold::Min) return x < v || x != x ? x : v;
  if constexpr (fold == PixelFold::Max) return x > v || x != x ? x : v;
}

/// Of a symmetric matrix, by magnitude.
struct Eigenvalues {
  float lesser;
  float greater;
};
BANKSIDE_HOST_DEVICE inline Eigenvalues eigenvaluesOf(float xx, float xy, float yy) {
  const float middle = 0.5f * (xx + yy);
  const float half = hypotenuse(0.5f * (xx - yy), xy);
  const float low = middle - half;
  const float high = middle + half;
  const bool lowIsLess = std::fabs(low) <= std::fabs(high);
  return {lowIsLess ? low : high, lowIsLess ? high : low};
}

/// Calls use(std::integral_constant) for the kind, which code is then made for.
template <class Use>
decltype(auto) withKind(PixelFunction::Kind kind, const Use& use) {
  using Kind = PixelFunction::Kind;
  switch (kind) {
    case Kind::Over: return use(std::integral_constant<Kind, Kind::Over>());
    case Kind::Linear: return use(std::integral_constant<Kind, Kind::Linear>());
    case Kind::Log: return use(std::integral_constant<Kind, Kind::Log>());
    case Kind::Exp: return use(std::integral_constant<Kind, Kind::Exp>());
    case Kind::Abs: return use(std::integral_constant<Kind, Kind::Abs>());
    case Kind::Relu: return use(std::integral_constant<Kind, Kind::Relu>());
    case Kind::Square: return use(std::integral_constant<Kind, Kind::Square>());
    case Kind::Root: return use(std::integral_constant<Kind, Kind::Root>());
    case Kind::Power: return use(std::integral_constant<Kind, Kind::Power>());
    default: return use(std::integral_constant<Kind, Kind::Threshold>());
  }
}

template <class Use>
decltype(auto) withFold(PixelFold fold, const Use& use) {
  switch (fold) {
    case PixelFold::Product: return use(std::integral_constant<PixelFold, PixelFold::Product>());
    case PixelFold::Quotient: return use(std::integral_constant<PixelFold, PixelFold::Quotient>());
    case PixelFold::Sum: return use(std::integral_constant<PixelFold, PixelFold::Sum>());
    case PixelFold::Min: return use(std::integral_constant<PixelFold, PixelFold::Min>());
    default: return use(std::integral_constant<PixelFold, PixelFold::Max>());
  }
}

/// What `a` is for each of so many steps. Errors  Error{BadInput} where there are as many weights neither as
/// steps nor one
std::vector<float> foldNumbers(const Operation& operation, std::size_t steps);

}  // namespace bankside

/// Operations that look at one pixel at a time. NaN stays NaN but for `threshold`, where it is 0, and where
/// an exponent is 0.
#include <limits>

#include "core/maps/map_rows.h"
#include "core/maps/pixel_function.h"

namespace bankside {
namespace {

OperationParameter number(const char* name, const char* description, double otherwise) {
  return {name, description, otherwise, -anything, anything};
}

Maps pixelwise(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const PixelFunction f = *pixelFunctionOf(op, context.type);
  return withKind(f.kind, [&](auto kind) {
    return mapPixels(*taken[0], context,
                     [f](float x) { return applied<decltype(kind)::value>(x, f.a, f.b); });
  });
}

}  // namespace

std::optional<PixelFunction> pixelFunctionOf(const Operation& op, ElementType type) {
  using Kind = PixelFunction::Kind;
  const std::string& name = op.entry->name;
  const auto given = [&](const char* parameter) { return static_cast<float>(op.number(parameter)); };
  if (name == "unit") {
    const float largest = type == ElementType::U8 ? 255.0f : type == ElementType::U16 ? 65535.0f : 1.0f;
    return PixelFunction{Kind::Over, largest};
  }
  if (name == "linear") return PixelFunction{Kind::Linear, given("times"), given("plus")};
  if (name == "log") return PixelFunction{Kind::Log, given("plus")};
  if (name == "exp") return PixelFunction{Kind::Exp};
  if (name == "abs") return PixelFunction{Kind::Abs};
  if (name == "relu") return PixelFunction{Kind::Relu};
  if (name == "square") return PixelFunction{Kind::Square};
  if (name == "root") return PixelFunction{Kind::Root};
  if (name == "power") return PixelFunction{Kind::Power, given("exponent")};
  if (name == "threshold") return PixelFunction{Kind::Threshold, given("at")};
  return std::nullopt;
}

std::vector<OperationEntry> pointwiseOperations() {
  return {
      {"unit",
       "over the largest that the image's type holds: 0 to 1; as it is where that is a float",
       1,
       1,
       {},
       pixelwise},
      {"linear",
       "times x + plus",
       1,
       1,
       {number("times", "the factor", 1), number("plus", "what is added", 0)},
       pixelwise},
      {"log", "ln(x + plus)", 1, 1, {number("plus", "what keeps zero finite", 0)}, pixelwise},
      {"exp", "e to the x", 1, 1, {}, pixelwise},
      {"abs", "the magnitude", 1, 1, {}, pixelwise},
      {"relu", "x where it is positive, else 0", 1, 1, {}, pixelwise},
      {"square", "x squared", 1, 1, {}, pixelwise},
      {"root", "the square root; NaN of what is negative", 1, 1, {}, pixelwise},
      {"power",
       "x to the exponent",
       1,
       1,
       {{"exponent", "the exponent", std::nullopt, -anything, anything}},
       pixelwise},
      {"threshold",
       "1 where x >= at, else 0",
       1,
       1,
       {{"at", "the threshold", std::nullopt, -anything, anything}},
       pixelwise},
  };
}

}  // namespace bankside

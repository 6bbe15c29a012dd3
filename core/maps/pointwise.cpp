/// Operations that look at one pixel at a time. NaN stays NaN but for `threshold`, where it is 0.
#include <cmath>
#include <limits>

#include "core/maps/map_rows.h"

namespace bankside {
namespace {

constexpr double anything = std::numeric_limits<float>::max();

OperationParameter number(const char* name, const char* description, double otherwise) {
  return {name, description, otherwise, -anything, anything};
}

Maps unit(const Operation&, const std::vector<const Maps*>& taken, OperationContext& context) {
  const float largest = context.type == ElementType::U8    ? 255.0f
                        : context.type == ElementType::U16 ? 65535.0f
                                                           : 1.0f;
  return mapPixels(*taken[0], context, [=](float x) { return x / largest; });
}

Maps linear(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const auto times = static_cast<float>(op.number("times"));
  const auto plus = static_cast<float>(op.number("plus"));
  return mapPixels(*taken[0], context, [=](float x) { return times * x + plus; });
}

Maps logarithm(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const auto plus = static_cast<float>(op.number("plus"));
  return mapPixels(*taken[0], context, [=](float x) { return std::log(x + plus); });
}

Maps exponential(const Operation&, const std::vector<const Maps*>& taken, OperationContext& context) {
  return mapPixels(*taken[0], context, [](float x) { return std::exp(x); });
}

Maps absolute(const Operation&, const std::vector<const Maps*>& taken, OperationContext& context) {
  return mapPixels(*taken[0], context, [](float x) { return std::fabs(x); });
}

Maps relu(const Operation&, const std::vector<const Maps*>& taken, OperationContext& context) {
  return mapPixels(*taken[0], context, [](float x) { return x < 0 ? 0.0f : x; });
}

Maps square(const Operation&, const std::vector<const Maps*>& taken, OperationContext& context) {
  return mapPixels(*taken[0], context, [](float x) { return x * x; });
}

Maps root(const Operation&, const std::vector<const Maps*>& taken, OperationContext& context) {
  return mapPixels(*taken[0], context, [](float x) { return std::sqrt(x); });
}

Maps power(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const auto exponent = static_cast<float>(op.number("exponent"));
  return mapPixels(*taken[0], context, [=](float x) { return std::pow(x, exponent); });
}

Maps threshold(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const auto at = static_cast<float>(op.number("at"));
  return mapPixels(*taken[0], context, [=](float x) { return x >= at ? 1.0f : 0.0f; });
}

}  // namespace

std::vector<OperationEntry> pointwiseOperations() {
  return {
      {"unit",
       "over the largest that the image's type holds: 0 to 1; as it is where that is a float",
       1,
       1,
       {},
       unit},
      {"linear",
       "times x + plus",
       1,
       1,
       {number("times", "the factor", 1), number("plus", "what is added", 0)},
       linear},
      {"log", "ln(x + plus)", 1, 1, {number("plus", "what keeps zero finite", 0)}, logarithm},
      {"exp", "e to the x", 1, 1, {}, exponential},
      {"abs", "the magnitude", 1, 1, {}, absolute},
      {"relu", "x where it is positive, else 0", 1, 1, {}, relu},
      {"square", "x squared", 1, 1, {}, square},
      {"root", "the square root; NaN of what is negative", 1, 1, {}, root},
      {"power",
       "x to the exponent",
       1,
       1,
       {{"exponent", "the exponent", std::nullopt, -anything, anything}},
       power},
      {"threshold",
       "1 where x >= at, else 0",
       1,
       1,
       {{"at", "the threshold", std::nullopt, -anything, anything}},
       threshold},
  };
}

}  // namespace bankside

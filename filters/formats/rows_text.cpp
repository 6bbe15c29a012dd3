#include "filters/formats/rows_text.h"

#include "core/text.h"

namespace bankside {

std::string tapText(float tap) {
  const std::string text = formatNumber(tap);
  // Those who read it as a double and round once more must come to the same.
  return static_cast<float>(parseNumber(text).value()) == tap ? text : formatNumber(static_cast<double>(tap));
}

std::string rowsText(const Filter& filter, const std::string& between, const std::string& lineEnd) {
  std::string text;
  for (int y = 0; y < filter.height; ++y) {
    for (int x = 0; x < filter.width; ++x) text += (x > 0 ? between : "") + tapText(filter.tap(0, y, x));
    text += lineEnd;
  }
  return text;
}

}  // namespace bankside

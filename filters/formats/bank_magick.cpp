/// ImageMagick's kernel strings: "3x3+1+1: -1,0,1 -2,0,2 -1,0,1", several with ';' between.
///
/// `-morphology Convolve` turns a kernel by 180 degrees as it is slid, so that taps are for convolution. The
/// anchor is X, Y, and ((width - 1) / 2, (height - 1) / 2) where none is given. "nan" and "-" are places that
/// do not count, which is what a tap of 0 is. Nine numbers alone, or 25 and so on, are a square.
/// Source  ImageMagick's manual, "Morphology of Shapes" and "Convolution of Images".
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/text_file.h"
#include "filters/formats/bank_formats.h"
#include "filters/formats/format_entries.h"
#include "filters/formats/limits.h"
#include "filters/formats/rows_text.h"
#include "filters/formats/text_scanner.h"

namespace bankside {
namespace {

constexpr std::string_view blanks = " \t\n,'\"";
constexpr std::string_view ends = " \t,;'\"";

std::vector<float> readTaps(TextScanner& text) {
  std::vector<float> taps;
  while (true) {
    text.skip(blanks);
    if (text.atEnd() || text.peek() == ';') return taps;
    const std::string_view word = text.rest().substr(0, text.rest().find_first_of(" \t\n,;'\""));
    if (word == "-" || word == "nan" || word == "NaN" || word == "NAN") {
      text.until(ends);
      taps.push_back(0);
    } else {
      taps.push_back(static_cast<float>(text.number(ends)));
    }
    if (taps.size() > static_cast<std::size_t>(maxFilterSide) * maxFilterSide)
      text.refuse("found more than " + std::to_string(maxFilterSide) + " x " + std::to_string(maxFilterSide) +
                  " numbers, the most that a filter has");
  }
}

/// "WxH+X+Y:" or "W:"; nothing where numbers come at once.
bool readGeometry(TextScanner& text, Filter& f) {
  if (text.rest().substr(0, text.rest().find(';')).find(':') == std::string_view::npos) return false;
  const char first = text.peek();
  if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z'))
    text.refuse(
        "found a kernel by name, expected numbers; ImageMagick shows them with "
        "-define morphology:showKernel=1");
  f.width = text.integer("x+:<>@^", 1, maxFilterSide);
  f.height = text.take("x") ? text.integer("+:<>@^", 1, maxFilterSide) : f.width;
  f.anchorX = (f.width - 1) / 2;
  f.anchorY = (f.height - 1) / 2;
  if (text.take("+")) {
    f.anchorX = text.integer("+:<>@^", 0, f.width - 1);
    text.expect("+");
    f.anchorY = text.integer(":<>@^", 0, f.height - 1);
  }
  if (text.peek() == '<' || text.peek() == '>' || text.peek() == '@' || text.peek() == '^')
    text.refuse("found a flag that makes several kernels of one, expected \":\"; write them all down");
  text.expect(":");
  return true;
}

Filter readKernel(TextScanner& text, std::size_t number) {
  Filter f;
  f.label = "filter" + std::to_string(number);
  const std::size_t start = text.place();
  const bool sized = readGeometry(text, f);
  f.taps = readTaps(text);
  if (!sized) {
    const int side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(f.taps.size()))));
    if (side % 2 == 0 || f.taps.size() != static_cast<std::size_t>(side) * static_cast<std::size_t>(side))
      text.refuseAt(start, "found " + std::to_string(f.taps.size()) +
                               " numbers without a size before them, expected an odd number squared");
    f.width = f.height = side;
    f.anchorX = f.anchorY = side / 2;
  }
  const std::size_t expected = static_cast<std::size_t>(f.width) * static_cast<std::size_t>(f.height);
  if (f.taps.size() != expected)
    text.refuse("found " + std::to_string(f.taps.size()) + " numbers, expected " + std::to_string(f.width) +
                " x " + std::to_string(f.height));
  return f;
}

FilterBank readMagick(const std::filesystem::path& file) {
  return parseMagick(readTextFile(file, maxBankFileBytes), file.string());
}

std::string magickText(const FilterBank& bank) {
  std::string text;
  for (const Filter& f : bank.filters()) {
    text += (text.empty() ? "" : ";\n") + std::to_string(f.width) + "x" + std::to_string(f.height) + "+" +
            std::to_string(f.anchorX) + "+" + std::to_string(f.anchorY) + ":\n" + rowsText(f, ",", "\n");
  }
  return text;
}

}  // namespace

FilterBank parseMagick(std::string bytes, const std::string& name) {
  TextScanner text(name, std::move(bytes));
  std::vector<Filter> filters;
  text.skip(blanks);
  while (!text.atEnd()) {
    if (filters.size() == static_cast<std::size_t>(maxFilterCount))
      text.refuse("found more than " + std::to_string(maxFilterCount) + " kernels");
    filters.push_back(readKernel(text, filters.size()));
    text.skip(blanks);
    if (!text.atEnd()) text.expect(";");
    text.skip(blanks);
  }
  if (filters.empty()) text.expected("a kernel such as \"3x3: -1,0,1 -2,0,2 -1,0,1\"");
  return FilterBank({.name = name, .title = "Kernels of ImageMagick", .mode = FilterMode::Convolution},
                    std::move(filters));
}

BankFormat magickFormat() {
  return {.name = "imagemagick",
          .title = "kernel strings of ImageMagick's -morphology Convolve",
          .endings = ".kernel",
          .mode = FilterMode::Convolution,
          .anchors = true,
          .warning = "ImageMagick clips what is below 0 unless it is given -bias or built with HDRI",
          .read = readMagick,
          .write = magickText};
}

}  // namespace bankside

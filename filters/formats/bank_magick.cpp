/// ImageMagick's kernel strings: "3x3+1+1: -1,0,1 -2,0,2 -1,0,1", several with ';' between.
///
/// `-morphology Convolve` turns a kernel by 180 degrees as it is slid, so that taps are for convolution. The
/// anchor is X, Y, and ((width - 1) / 2, (height - 1) / 2) where none is given. "nan" and "-" are places that
/// do not count, which is what a tap of 0 is. Nine numbers alone, or 25 and so on, are a square. A flag
/// behind the size turns a kernel clockwise, taps and anchor: '@' by 45 degrees and '>' by 90 until it is
/// itself again, '<' by 180, 270 and 90.
/// Source  ImageMagick's manual, "Morphology of Shapes" and "Convolution of Images"; what 6.9.11 shows with
///         -define morphology:showKernel=1.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
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

Filter turnedBy90(const Filter& f) {
  Filter turned = f;
  turned.width = f.height;
  turned.height = f.width;
  turned.anchorX = f.height - 1 - f.anchorY;
  turned.anchorY = f.anchorX;
  auto tap = turned.taps.begin();
  for (int y = 0; y < turned.height; ++y) {
    for (int x = 0; x < turned.width; ++x) *tap++ = f.tap(0, f.height - 1 - x, y);
  }
  return turned;
}

/// Of 3 x 3: what lies around the middle moves on by one place.
Filter turnedBy45(const Filter& f) {
  constexpr std::array<std::size_t, 9> from = {3, 0, 1, 6, 4, 2, 7, 8, 5};
  Filter turned = f;
  for (std::size_t i = 0; i < from.size(); ++i) {
    turned.taps[i] = f.taps[from[i]];
    if (from[i] == static_cast<std::size_t>(3 * f.anchorY + f.anchorX)) {
      turned.anchorX = static_cast<int>(i) % 3;
      turned.anchorY = static_cast<int>(i) / 3;
    }
  }
  return turned;
}

/// The kernels that a flag makes of one, each with the degrees in its label.
std::vector<Filter> turned(const Filter& f, char flag) {
  std::vector<Filter> all = {f};
  const int step = flag == '@' ? 45 : 90;
  while (static_cast<int>(all.size()) * step < 360) {
    Filter next = step == 45 ? turnedBy45(all.back()) : turnedBy90(all.back());
    const bool again = next.taps == f.taps && next.width == f.width && next.anchorX == f.anchorX &&
                       next.anchorY == f.anchorY;
    if (again && flag != '<') break;
    all.push_back(std::move(next));
  }
  if (all.size() == 1) return all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string degrees = std::to_string(static_cast<int>(i) * step);
    all[i].label += "-turn" + std::string(3 - degrees.size(), '0') + degrees;
  }
  if (flag == '<') std::rotate(all.begin() + 1, all.begin() + 2, all.end());
  return all;
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// "WxH+X+Y:" or "W:", the flag before the colon, or '\0'; nothing where numbers come at once.
std::optional<char> readGeometry(TextScanner& text, Filter& f) {
  const std::string_view kernel = text.rest().substr(0, text.rest().find(';'));
  const bool named = !kernel.empty() && isLetter(kernel.front()) && !kernel.starts_with("nan") &&
                     !kernel.starts_with("NaN") && !kernel.starts_with("NAN");
  if (named)
    text.refuse(
        "found a kernel by name, expected numbers; ImageMagick shows them with "
        "-define morphology:showKernel=1");
  if (kernel.find(':') == std::string_view::npos) return std::nullopt;
  f.width = text.integer("x+:<>@^", 1, maxFilterSide);
  f.height = text.take("x") ? text.integer("+:<>@^", 1, maxFilterSide) : f.width;
  f.anchorX = (f.width - 1) / 2;
  f.anchorY = (f.height - 1) / 2;
  if (text.take("+")) {
    f.anchorX = text.integer("+:<>@^", 0, f.width - 1);
    text.expect("+");
    f.anchorY = text.integer(":<>@^", 0, f.height - 1);
  }
  const std::size_t place = text.place();
  char flag = 0;
  for (const char* known : {"@", ">", "<"}) {
    if (flag == 0 && text.take(known)) flag = *known;
  }
  if (flag == '@' && (f.width != 3 || f.height != 3))
    text.refuseAt(place, "found the flag @, which turns kernels of 3 x 3 alone");
  if (flag != 0 && f.width != f.height && f.width != 1 && f.height != 1)
    text.refuseAt(place, std::string("found the flag ") + flag + ", which turns squares and lines alone");
  text.expect(":");
  return flag;
}

std::vector<Filter> readKernel(TextScanner& text, std::size_t number) {
  Filter f;
  f.label = "filter" + std::to_string(number);
  const std::size_t start = text.place();
  const std::optional<char> flag = readGeometry(text, f);
  f.taps = readTaps(text);
  if (!flag) {
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
  return flag.value_or(0) != 0 ? turned(f, *flag) : std::vector<Filter>{std::move(f)};
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
  for (std::size_t number = 0; !text.atEnd(); ++number) {
    for (Filter& f : readKernel(text, number)) filters.push_back(std::move(f));
    if (filters.size() > static_cast<std::size_t>(maxFilterCount))
      text.refuse("found more than " + std::to_string(maxFilterCount) + " kernels");
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

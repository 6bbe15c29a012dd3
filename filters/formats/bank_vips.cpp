/// libvips's matrix files: "WIDTH HEIGHT SCALE OFFSET", then a row a line.
///
/// `vips_conv` slides the matrix as it stands and divides by the scale, which goes into the taps here. An
/// offset is added to every result, which no filter does: it is refused.
/// Source  libvips's manual, vips_matrixload and vips_conv.
#include <cmath>
#include <utility>

#include "core/text_file.h"
#include "filters/formats/bank_formats.h"
#include "filters/formats/format_entries.h"
#include "filters/formats/limits.h"
#include "filters/formats/rows_text.h"
#include "filters/formats/text_scanner.h"

namespace bankside {
namespace {

constexpr std::string_view blanks = " \t,;\"";

FilterBank readVips(const std::filesystem::path& file) {
  return parseVips(readTextFile(file, std::size_t{1} << 20), file.string());
}

}  // namespace

FilterBank parseVips(std::string bytes, const std::string& name) {
  TextScanner text(name, std::move(bytes));
  Filter f;
  f.label = "filter0";
  text.skip(" \t\n");
  f.width = text.integer(blanks, 1, maxFilterSide);
  text.skip(blanks);
  f.height = text.integer(blanks, 1, maxFilterSide);
  f.anchorX = f.width / 2;
  f.anchorY = f.height / 2;
  text.skip(blanks);
  double scale = 1;
  if (text.peek() != '\n') {
    const std::size_t place = text.place();
    scale = text.number(blanks);
    if (scale == 0) text.refuseAt(place, "found the scale 0, expected a number to divide by");
    text.skip(blanks);
    const std::size_t offset = text.place();
    if (text.peek() != '\n' && text.number(blanks) != 0)
      text.refuseAt(offset, "found an offset, expected 0: a filter adds nothing to its result");
    text.skip(blanks);
  }
  f.taps.clear();
  for (int y = 0; y < f.height; ++y) {
    text.expect("\n");
    for (int x = 0; x < f.width; ++x) {
      text.skip(blanks);
      const std::size_t place = text.place();
      const double tap = text.number(blanks) / scale;
      if (!(std::fabs(tap) < roundsToInfinity))
        text.refuseAt(place, "the tap over the scale does not fit 32-bit float");
      f.taps.push_back(static_cast<float>(tap));
    }
    text.skip(blanks);
  }
  text.skip(" \t\n");
  if (!text.atEnd()) text.expected("nothing more: the matrix is complete");
  return FilterBank({.name = name, .title = "A matrix of libvips"}, {std::move(f)});
}

BankFormat vipsFormat() {
  return {.name = "vips",
          .title = "a matrix of libvips with scale and offset",
          .endings = ".mat",
          .several = false,
          .warning = "vips_conv gives whole numbers for whole numbers unless precision is float",
          .read = readVips,
          .write = [](const FilterBank& bank) {
            return std::to_string(bank[0].width) + " " + std::to_string(bank[0].height) + " 1 0\n" +
                   rowsText(bank[0], " ", "\n");
          }};
}

}  // namespace bankside

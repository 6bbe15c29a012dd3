#include "filters/formats/bank_formats.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "filters/formats/format_entries.h"

namespace bankside {
namespace {

/// The least side on which a filter of `side` taps has its anchor at side / 2, and the zeros before it.
struct Centred {
  int side;
  int before;
};

Centred centred(int side, int anchor, bool oddOnly) {
  const int odd = 2 * std::max(anchor, side - 1 - anchor) + 1;
  const int even = 2 * std::max(anchor, side - anchor);
  const int whole = oddOnly ? odd : std::min(odd, even);
  return {whole, whole / 2 - anchor};
}

Filter onGrid(const Filter& f, int height, int width, int top, int left) {
  Filter grown = f;
  grown.height = height;
  grown.width = width;
  grown.anchorY += top;
  grown.anchorX += left;
  grown.taps.assign(static_cast<std::size_t>(f.channels) * static_cast<std::size_t>(height) *
                        static_cast<std::size_t>(width),
                    0);
  for (int c = 0; c < f.channels; ++c) {
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x)
        grown.taps[(static_cast<std::size_t>(c) * static_cast<std::size_t>(height) +
                    static_cast<std::size_t>(top + y)) *
                       static_cast<std::size_t>(width) +
                   static_cast<std::size_t>(left + x)] = f.tap(c, y, x);
    }
  }
  return grown;
}

[[noreturn]] void cannot(const BankFormat& format, const std::string& sentence) {
  throw Error(ErrorCode::Unsupported, "the format " + format.name + " " + sentence);
}

void requireHeld(const FilterBank& bank, const BankFormat& format) {
  if (bank.size() > 1 && !format.several)
    cannot(format, "holds one filter and this bank has " + std::to_string(bank.size()) +
                       "; choose one with --filter LABEL");
  if (bank.channels() > 1 && !format.channels)
    cannot(format, "holds filters of one channel and these have " + std::to_string(bank.channels()));
}

/// Turned, where the format slides the other way.
bool turn(std::vector<Filter>& filters) {
  bool changed = false;
  for (Filter& f : filters) {
    Filter turned = rotated180(f);
    changed = changed || turned != f;
    f = std::move(turned);
  }
  return changed;
}

/// Grown by zeros, where the format cannot say where the anchor is, or that sizes differ.
bool grow(std::vector<Filter>& filters, const BankFormat& format) {
  bool changed = false;
  for (Filter& f : filters) {
    const Centred rows = centred(f.height, f.anchorY, format.oddOnly);
    const Centred columns = centred(f.width, f.anchorX, format.oddOnly);
    if (rows.side == f.height && columns.side == f.width) continue;
    changed = true;
    if (std::max(rows.side, columns.side) > maxFilterSide)
      cannot(format, "has anchors in the middle, and filter " + f.label + " would be " +
                         std::to_string(rows.side) + " x " + std::to_string(columns.side) + "; at most " +
                         std::to_string(maxFilterSide) + " a side");
    f = onGrid(f, rows.side, columns.side, rows.before, columns.before);
  }
  if (!format.oneSize) return changed;
  int height = 1, width = 1;
  // Odd and even middles differ: all go onto an odd grid where sizes do.
  const bool differ = std::any_of(filters.begin(), filters.end(), [&](const Filter& f) {
    return f.height != filters.front().height || f.width != filters.front().width;
  });
  if (!differ) return changed;
  for (const Filter& f : filters) {
    height = std::max(height, centred(f.height, f.anchorY, true).side);
    width = std::max(width, centred(f.width, f.anchorX, true).side);
  }
  if (std::max(height, width) > maxFilterSide)
    cannot(format, "holds filters of one size, and these would be " + std::to_string(height) + " x " +
                       std::to_string(width));
  for (Filter& f : filters) f = onGrid(f, height, width, height / 2 - f.anchorY, width / 2 - f.anchorX);
  return true;
}

}  // namespace

const std::vector<BankFormat>& bankFormats() {
  static const std::vector<BankFormat> all = {imageJFormat(), magickFormat(), vipsFormat(), yamlFormat(),
                                              jsonFormat(),   npyFormat(),    npzFormat()};
  return all;
}

const BankFormat* findBankFormat(const std::string& name) {
  const auto& all = bankFormats();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const BankFormat* bankFormatOfFile(const std::filesystem::path& file) {
  const std::string ending = inSmallLetters(file.extension().string());
  for (const BankFormat& format : bankFormats()) {
    const std::vector<std::string> endings = split(format.endings, ' ');
    if (!ending.empty() && std::find(endings.begin(), endings.end(), ending) != endings.end()) return &format;
  }
  return nullptr;
}

WrittenBank writeBank(const FilterBank& bank, const BankFormat& format) {
  requireHeld(bank, format);
  WrittenBank written;
  std::vector<Filter> filters = bank.filters();
  if (bank.info().mode != format.mode && turn(filters)) {
    written.notes.push_back(std::string("taps are turned by 180 degrees: the bank is written for ") +
                            toString(bank.info().mode) + ", " + format.name + " for " +
                            toString(format.mode));
  }
  if (!format.anchors && grow(filters, format))
    written.notes.push_back("zeros are added around taps: " + format.name + " has anchors in the middle" +
                            (format.oneSize ? " and one size" : ""));
  BankInfo info = bank.info();
  info.mode = format.mode;
  written.bytes = format.write(FilterBank(std::move(info), std::move(filters)));
  if (!format.warning.empty()) written.notes.push_back(format.warning);
  return written;
}

}  // namespace bankside

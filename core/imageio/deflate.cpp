#include "core/imageio/deflate.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/imageio/deflate_codes.h"
#include "core/imageio/huffman.h"

namespace bankside::codec {
namespace {

constexpr std::size_t literals = 256;
constexpr std::size_t endOfBlock = 256;
constexpr std::size_t firstLength = 257;  // the symbol of the shortest match
constexpr std::size_t symbols = deflateSymbols;
/// Four codes, and what is left of a byte, fit 57 bits.
constexpr int longestCode = 12;

/// Shorter ones cost more as a match than as the short codes that they bring about.
constexpr std::size_t shortestRun = 16;
constexpr std::size_t shortestMatch = 3;
constexpr std::size_t longestMatch = 258;

/// Matches of `from` bytes up to the next row's (RFC 1951, section 3.2.5).
struct LengthSymbol {
  std::uint16_t from;
  std::uint16_t extraBits;
};
constexpr std::array<LengthSymbol, symbols - firstLength> lengthSymbols = [] {
  std::array<LengthSymbol, symbols - firstLength> rows{};
  unsigned from = shortestMatch;
  for (unsigned i = 0; i + 1 < rows.size(); ++i) {
    const unsigned extraBits = i < 4 ? 0 : i / 4 - 1;
    rows[i] = {static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(extraBits)};
    from += 1u << extraBits;
  }
  rows.back() = {longestMatch, 0};
  return rows;
}();
constexpr std::array<std::uint8_t, longestMatch + 1> lengthSymbolOf = [] {
  std::array<std::uint8_t, longestMatch + 1> rows{};
  for (std::size_t row = 0; row < lengthSymbols.size(); ++row)
    for (std::size_t length = lengthSymbols[row].from; length <= longestMatch; ++length)
      rows[length] = static_cast<std::uint8_t>(row);
  return rows;
}();

/// A run as matches, none of which is too short.
template <class Function>
void forEachMatch(std::size_t run, Function&& function) {
  while (run > 0) {
    std::size_t length = std::min(run, longestMatch);
    if (run > length && run - length < shortestMatch) length -= shortestMatch;
    function(length);
    run -= length;
  }
}

BitWriter writeLiterals(BitWriter writer, std::span<const std::byte> bytes,
                        std::span<const PrefixCode> codes) {
  std::size_t i = 0;
  const auto code = [&](std::size_t at) { return codes[static_cast<std::size_t>(bytes[at])]; };
  for (; i + 4 <= bytes.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) writer.put(code(i + k));
    writer.write();
  }
  for (; i < bytes.size(); ++i) {
    writer.put(code(i));
    writer.write();
  }
  return writer;
}

}  // namespace

Deflater::Deflater(bool compress)
    : compress_(compress), out_(largestBlock * longestCode / 8 + 1024) {  // codes and eight bytes beside
  runs_.reserve(largestBlock / shortestRun);
}

std::span<const std::byte> Deflater::block(std::span<const std::byte> bytes, bool last) {
  const BitWriter before = writer_;
  writer_.begin(out_.data());
  if (compress_) encode(bytes, last);
  const auto length = [&] { return static_cast<std::size_t>(writer_.end() - out_.data()); };
  if (!compress_ || length() > bytes.size() + 4) {
    writer_ = before;
    writer_.begin(out_.data());
    store(bytes, last);
  }
  if (last) writer_.align();
  return {out_.data(), length()};
}

/// Eight bytes that equal the eight beside them lie in every run of 17, wherever it begins.
void Deflater::findRuns(std::span<const std::byte> bytes) {
  runs_.clear();
  std::size_t free = 0;  // of what lies before, the end of the last run
  for (std::size_t at = 0; at + 9 <= bytes.size();) {
    std::uint64_t here = 0;
    std::uint64_t beside = 0;
    std::memcpy(&here, &bytes[at], 8);
    std::memcpy(&beside, &bytes[at + 1], 8);
    if (here != beside) {
      at += 8;
      continue;
    }
    std::size_t begin = at;
    while (begin > free && bytes[begin - 1] == bytes[at]) --begin;
    std::size_t end = at + 9;
    while (end < bytes.size() && bytes[end] == bytes[at]) ++end;
    ++begin;  // the first is what the others repeat
    at = end;
    if (end - begin < shortestRun) continue;
    runs_.push_back({begin, end});
    free = end;
  }
}

void Deflater::countSymbols(std::span<const std::byte> bytes, std::span<std::uint32_t> counts) const {
  // Four tables, so that equal bytes in a row do not wait for each other's count.
  std::array<std::array<std::uint32_t, literals>, 4> tables{};
  const auto countBytes = [&](std::size_t from, std::size_t to) {
    for (; from + 4 <= to; from += 4)
      for (std::size_t k = 0; k < 4; ++k) ++tables[k][static_cast<std::size_t>(bytes[from + k])];
    for (; from < to; ++from) ++tables[0][static_cast<std::size_t>(bytes[from])];
  };
  std::fill(counts.begin(), counts.end(), 0);
  counts[endOfBlock] = 1;
  std::size_t from = 0;
  for (const Run& run : runs_) {
    countBytes(from, run.begin);
    forEachMatch(run.end - run.begin,
                 [&](std::size_t length) { ++counts[firstLength + lengthSymbolOf[length]]; });
    from = run.end;
  }
  countBytes(from, bytes.size());
  for (const auto& table : tables)
    for (std::size_t i = 0; i < literals; ++i) counts[i] += table[i];
}

void Deflater::encode(std::span<const std::byte> bytes, bool last) {
  findRuns(bytes);
  std::array<std::uint32_t, symbols> counts;
  countSymbols(bytes, counts);
  if (bytes.empty()) counts[0] = 1;  // a code has two symbols
  std::array<PrefixCode, symbols> codes;
  huffmanCode(counts, longestCode, codes);

  BitWriter writer = writer_;
  writeCodes(writer, codes, last);
  std::size_t from = 0;
  for (const Run& run : runs_) {
    writer = writeLiterals(writer, bytes.subspan(from, run.begin - from), codes);
    forEachMatch(run.end - run.begin, [&](std::size_t length) {
      const std::size_t row = lengthSymbolOf[length];
      writer.put(codes[firstLength + row]);
      writer.put(length - lengthSymbols[row].from, lengthSymbols[row].extraBits);
      writer.put(0, 1);  // the distance
      writer.write();
    });
    from = run.end;
  }
  writer = writeLiterals(writer, bytes.subspan(from), codes);
  writer.put(codes[endOfBlock]);
  writer.write();
  writer_ = writer;
}

void Deflater::store(std::span<const std::byte> bytes, bool last) {
  writer_.put(last ? 1 : 0, 1);
  writer_.put(0, 2);
  writer_.align();
  const auto length = static_cast<std::uint64_t>(bytes.size());
  writer_.put(length | (length ^ 0xffff) << 16, 32);
  writer_.write();
  std::copy(bytes.begin(), bytes.end(), writer_.end());
  writer_.begin(writer_.end() + bytes.size());
}

}  // namespace bankside::codec

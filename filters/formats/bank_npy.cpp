#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/element_type.h"
#include "core/error.h"
#include "core/imageio/npy_header.h"
#include "filters/formats/bank_array.h"
#include "filters/formats/format_entries.h"
#include "filters/formats/limits.h"

namespace bankside {
namespace {

template <class T>
double numberFrom(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

double halfFrom(const unsigned char* bytes) {
  Half half;
  std::memcpy(&half.bits, bytes, sizeof(half.bits));
  return toFloat(half);
}

/// How to read one element once its bytes are in this machine's order.
struct Element {
  std::size_t bytes = 0;
  bool swapped = false;
  double (*read)(const unsigned char*) = nullptr;
};

Element elementOf(const ReadableFile& file, const std::string& description) {
  constexpr struct {
    const char* kind;
    Element element;
  } kinds[] = {{"f2", {2, false, halfFrom}},
               {"f4", {4, false, numberFrom<float>}},
               {"f8", {8, false, numberFrom<double>}},
               {"i1", {1, false, numberFrom<std::int8_t>}},
               {"i2", {2, false, numberFrom<std::int16_t>}},
               {"i4", {4, false, numberFrom<std::int32_t>}},
               {"i8", {8, false, numberFrom<std::int64_t>}},
               {"u1", {1, false, numberFrom<std::uint8_t>}},
               {"u2", {2, false, numberFrom<std::uint16_t>}},
               {"u4", {4, false, numberFrom<std::uint32_t>}},
               {"u8", {8, false, numberFrom<std::uint64_t>}}};
  constexpr bool little = std::endian::native == std::endian::little;
  for (const auto& [kind, element] : kinds) {
    if (description.size() != 3 || description.substr(1) != kind) continue;
    Element found = element;
    const char order = description[0];
    if (order != '<' && order != '>' && order != '=' && !(order == '|' && element.bytes == 1)) break;
    found.swapped = (order == '<' && !little) || (order == '>' && little);
    return found;
  }
  file.fail(ErrorCode::Unsupported, "is an NPY file of elements '" + description.substr(0, 20) +
                                        "'; taps are floats or whole numbers");
}

std::string npyBytes(const FilterBank& bank) {
  const Filter& first = bank.filters().front();
  std::vector<int> shape = {first.height, first.width};
  if (bank.channels() > 1) shape.insert(shape.begin(), bank.channels());
  if (bank.size() > 1 || bank.channels() > 1) shape.insert(shape.begin(), bank.size());
  std::vector<float> taps;
  for (const Filter& f : bank.filters()) taps.insert(taps.end(), f.taps.begin(), f.taps.end());
  return npyArray(shape, taps);
}

}  // namespace

BankFormat npyFormat() {
  return {.name = "npy",
          .title = "a NumPy array [F,C,kh,kw], [F,kh,kw] or [kh,kw]",
          .endings = ".npy",
          .channels = true,
          .oneSize = true,
          .warning = "",
          .read = readBankNpy,
          .write = npyBytes};
}

std::string npyArray(const std::vector<int>& shape, const std::vector<float>& numbers) {
  std::string axes;
  for (const int length : shape) axes += (axes.empty() ? "" : ", ") + std::to_string(length);
  constexpr bool little = std::endian::native == std::endian::little;
  std::string header = std::string("{'descr': '") + (little ? "<" : ">") +
                       "f4', 'fortran_order': False, 'shape': (" + axes + "), }";
  constexpr std::size_t before = 10;  // magic, version, the header's length
  while ((before + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  return bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
}

FilterBank readBankNpy(const std::filesystem::path& path) { return parseBankNpy(ReadableFile(path)); }

FilterBank parseBankNpy(const ReadableFile& file) {
  const NpyHeader header = readNpyHeader(file);
  const Element element = elementOf(file, header.description);
  const std::string is = "is an NPY array of shape " + npyShapeText(header).substr(0, 80) + ", ";
  const std::size_t axes = header.shape.size();
  if (axes < 2 || axes > 4) {
    file.fail(
        ErrorCode::BadInput,
        is + "expected [kh,kw], [F,kh,kw] or [F,C,kh,kw] (filters, channels, rows and columns of taps)");
  }
  // Always [F,C,kh,kw].
  NpyHeader full = header;
  while (full.shape.size() < 4) full.shape.insert(full.shape.begin() + (full.shape.size() == 3 ? 1 : 0), 1);
  const std::vector<std::int64_t>& shape = full.shape;
  constexpr std::int64_t most[] = {maxFilterCount, maxFilterCount, maxFilterSide, maxFilterSide};
  for (std::size_t i = 0; i < 4; ++i) {
    if (shape[i] < 1 || shape[i] > most[i]) {
      file.fail(ErrorCode::BadInput, is + "expected 1 to " + std::to_string(maxFilterCount) +
                                         " filters and channels of 1 to " + std::to_string(maxFilterSide) +
                                         " rows and columns");
    }
  }
  const std::int64_t count = shape[0] * shape[1] * shape[2] * shape[3];  // below 2^38
  if (count * 4 > static_cast<std::int64_t>(maxBankFileBytes)) {
    file.fail(ErrorCode::Limit, is + "more than the " + std::to_string(maxBankFileBytes >> 20) +
                                    " MiB of taps that a bank may have");
  }
  const auto bytes = count * static_cast<std::int64_t>(element.bytes);
  if (header.dataOffset + bytes > file.size()) {
    file.damaged(
        "is cut short: its header promises " + std::to_string(count) + " taps, the file has " +
        std::to_string((file.size() - header.dataOffset) / static_cast<std::int64_t>(element.bytes)));
  }
  std::vector<unsigned char> data(static_cast<std::size_t>(bytes));
  file.read(header.dataOffset, data.data(), data.size());

  // In column-major order the inserted axes of one lie outside: strides of the axes that the file has.
  const auto given = npyAxisSteps(header, static_cast<std::int64_t>(element.bytes));
  std::vector<std::int64_t> step(4, 0);
  step[3] = given[axes - 1];
  step[2] = given[axes - 2];
  if (axes == 4) step[1] = given[1];
  if (axes >= 3) step[0] = given[0];
  std::vector<Filter> filters;
  for (std::int64_t f = 0; f < shape[0]; ++f) {
    Filter filter = {.channels = static_cast<int>(shape[1]),
                     .height = static_cast<int>(shape[2]),
                     .width = static_cast<int>(shape[3]),
                     .anchorX = static_cast<int>(shape[3]) / 2,
                     .anchorY = static_cast<int>(shape[2]) / 2,
                     .taps = {},
                     .label = "filter" + std::to_string(f)};
    filter.taps.reserve(static_cast<std::size_t>(shape[1] * shape[2] * shape[3]));
    for (std::int64_t c = 0; c < shape[1]; ++c) {
      for (std::int64_t y = 0; y < shape[2]; ++y) {
        for (std::int64_t x = 0; x < shape[3]; ++x) {
          unsigned char one[8] = {};
          std::copy_n(data.data() + f * step[0] + c * step[1] + y * step[2] + x * step[3], element.bytes,
                      one);
          if (element.swapped) std::reverse(one, one + element.bytes);
          const double tap = element.read(one);
          if (!(std::fabs(tap) < roundsToInfinity)) {
            file.damaged("tap [" + std::to_string(f) + "," + std::to_string(c) + "," + std::to_string(y) +
                         "," + std::to_string(x) + "] is not a number that fits 32-bit float");
          }
          filter.taps.push_back(static_cast<float>(tap));
        }
      }
    }
    filters.push_back(std::move(filter));
  }
  return FilterBank({.name = file.path().string(), .title = "Taps of an NPY array " + npyShapeText(header)},
                    std::move(filters));
}

}  // namespace bankside

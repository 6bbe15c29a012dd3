#include "tests/kernels/cuda/on_host/product_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace bankside::on_host {
namespace {

/// Bits that the tensor cores keep below the last of the largest addend: so their error bounds have it
/// (kernels/cuda/tensor/tensor_bank.h; kernels/cuda/multichannel/tensor/tensor_taps.h).
constexpr int extraBits = 1;
constexpr int keptBits = 23 + extraBits;

/// 2^exponent, and the exponent of a number: of doubles that are not denormal, as every float is.
double powerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}
int exponentOf(double positive) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(positive) >> 52) - 1023;
}

/// Addends cut at one unit, their sum cut to 24 bits. Finite numbers.
float cutSum(const float* addends, int count) {
  float largest = 0;
  for (int i = 0; i < count; ++i) largest = std::max(largest, std::fabs(addends[i]));
  if (largest == 0) return 0;
  const int exponent = exponentOf(largest) - keptBits;
  const double perUnit = powerOfTwo(-exponent);
  std::int32_t total = 0;
  for (int i = 0; i < count; ++i) total += static_cast<std::int32_t>(addends[i] * perUnit);
  const auto magnitude = static_cast<std::uint32_t>(std::abs(total));
  const int tooLong = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 24);
  const auto kept = static_cast<double>(magnitude >> tooLong << tooLong) * powerOfTwo(exponent);
  return static_cast<float>(total < 0 ? -kept : kept);
}

constexpr int lanes = 8;
using Floats = float __attribute__((vector_size(lanes * sizeof(float))));
using Words = std::int32_t __attribute__((vector_size(lanes * sizeof(float))));

/// `cutSum` of every lane whose largest addend's exponent lies well inside f32's, or of zeros alone; which
/// those are not is in `others`. There a power of two times a float is as exact as in double.
template <int count>
void cutLanes(const Floats (&addends)[count], Floats& sum, Words& others) {
  const Words noSign = Words{} + 0x7fffffff;
  Words largest{};
  for (const Floats& addend : addends) {
    const Words magnitude = __builtin_bit_cast(Words, addend) & noSign;
    largest = magnitude > largest ? magnitude : largest;
  }
  const Words exponent = largest >> 23;  // with f32's bias
  others = (exponent == 255) | ((exponent <= keptBits) & (largest != 0));
  const Words scale = (2 * 127 + keptBits - exponent) << 23;
  const Words unit = (exponent - keptBits) << 23;
  static_assert(count < 63);  // each addend has less than 25 bits
  Words total{};
  for (const Floats& addend : addends)
    total += __builtin_convertvector(addend * __builtin_bit_cast(Floats, scale), Words);
  Words magnitude = total < 0 ? -total : total;
  for (int more = 1; more <= 6; ++more)
    magnitude = magnitude >> (23 + more) != 0 ? magnitude & -(1 << more) : magnitude;
  const Floats kept = __builtin_convertvector(magnitude, Floats) * __builtin_bit_cast(Floats, unit);
  const Words signedBits = __builtin_bit_cast(Words, kept) | (total < 0 ? ~noSign : Words{});
  const Words zeroOrSum = largest == 0 ? Words{} : signedBits;
  sum = __builtin_bit_cast(Floats, zeroOrSum);
}

template <int count>
void addProducts(float* sums, const float* row, const Columns& columns, int firstRow, bool cut) {
  const Words none{};
  for (int first = 0; first < columns.width; first += lanes) {
    Floats sum;
    std::memcpy(&sum, sums + first, sizeof(sum));
    Floats addends[count + 1];
    for (int k = 0; k < count; ++k) {
      Floats column;
      std::memcpy(&column, columns.at[firstRow + k] + first, sizeof(column));
      addends[k] = row[k] * column;
    }
    if (!cut) {
      for (int k = 0; k < count; ++k) sum += addends[k];
      std::memcpy(sums + first, &sum, sizeof(sum));
      continue;
    }
    addends[count] = sum;
    Words others;
    Floats result;
    cutLanes(addends, result, others);
    const bool all = std::memcmp(&others, &none, sizeof(others)) == 0;
    for (int i = 0; i < lanes && !all; ++i) {
      if (others[i] == 0) continue;
      float own[count + 1];
      bool finite = true;
      for (int k = 0; k <= count; ++k) {
        own[k] = addends[k][i];
        finite = finite && std::isfinite(own[k]);
      }
      result[i] = own[count];
      if (finite) {
        result[i] = cutSum(own, count + 1);
      } else {
        for (int k = 0; k < count; ++k) result[i] += own[k];
      }
    }
    std::memcpy(sums + first, &result, sizeof(result));
  }
}

}  // namespace

void Columns::add(const float* column, int place) {
  for (int k = 0; k < 16; ++k) at[k][width] = column[k];
  places[width++] = static_cast<unsigned char>(place);
}

void Columns::close() {
  for (auto& row : at) std::fill(row + width, row + (width + lanes - 1) / lanes * lanes, 0.0f);
}

void addProductsOfEight(float* sums, const float* row, const Columns& columns, int first, bool cut) {
  addProducts<8>(sums, row, columns, first, cut);
}

void addProductsOfSixteen(float* sums, const float* row, const Columns& columns, bool cut) {
  addProducts<16>(sums, row, columns, 0, cut);
}

}  // namespace bankside::on_host

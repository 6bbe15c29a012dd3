#include "kernels/highway/karatsuba_choice.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace bankside::direct {
namespace {

/// Programs of larger banks would take hundreds of megabytes.
constexpr std::size_t mostTaps = std::size_t{1} << 21;
/// Sums that stay below cannot overflow.
constexpr double largestSum = 0x1p126;
/// Nor can sums of taps whose magnitudes add up to less in every filter.
constexpr double largestGain = 0x1p96;

/// What bounds the sums of a bank.
struct Sizes {
  double largest = 0;  ///< over the filters, sum of |tap|
  double quantum = 0;  ///< every tap is a multiple of this power of two; 0: all are zero
};

/// The lowest bit that is set in a value.
double lowestBit(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(std::fabs(value), &exponent);
  auto bits = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
  bits &= -bits;
  return std::ldexp(static_cast<double>(bits), exponent - 53);
}

Sizes sizesOf(const ConvolutionProblem& p, const CorrelationTaps& taps) {
  Sizes sizes;
  const std::size_t filterTaps = taps.taps.size() / static_cast<std::size_t>(p.filterCount);
  for (std::size_t at = 0; at < taps.taps.size(); at += filterTaps) {
    double sum = 0;
    for (std::size_t i = at; i < at + filterTaps; ++i) {
      const double tap = std::fabs(static_cast<double>(taps.taps[i]));
      sum += tap;
      if (tap == 0) continue;
      const double bit = lowestBit(tap);
      sizes.quantum = sizes.quantum == 0 ? bit : std::min(sizes.quantum, bit);
    }
    sizes.largest = std::max(sizes.largest, sum);
  }
  return sizes;
}

/// The largest sum of |tap x pixel| in units of its last bit; infinity where pixels need not be integers.
double integerSum(const ConvolutionProblem& p, const Sizes& sizes) {
  if (p.srcType != ElementType::U8 && p.srcType != ElementType::U16)
    return std::numeric_limits<double>::infinity();
  double pixel = p.srcType == ElementType::U8 ? 255 : 65535;
  double bit = 1;
  const double outside = p.border.isConstant() ? std::fabs(p.border.value) : 0;
  if (!std::isfinite(outside)) return std::numeric_limits<double>::infinity();
  if (outside != 0) {
    pixel = std::max(pixel, outside);
    bit = std::min(bit, lowestBit(outside));
  }
  return sizes.quantum == 0 ? 0 : sizes.largest * pixel / (sizes.quantum * bit);
}

}  // namespace

KaratsubaChoice chooseKaratsuba(const ConvolutionProblem& p, const CorrelationTaps& taps) {
  KaratsubaChoice choice;
  choice.bound = {gammaBound(static_cast<double>(p.tapChannels()) * p.filterHeight * p.filterWidth), true};
  const auto direct = [&](const char* why) {
    choice.program = makeGroupProgram(p, taps, 1);
    choice.whyNot = why;
    return choice;
  };
  if (p.filterHeight < 2) return direct("one filter row");
  if (p.height < 2) return direct("one row of results");
  if (taps.taps.size() > mostTaps) return direct("too many taps");
  const Sizes sizes = sizesOf(p, taps);
  if (!(sizes.largest < largestGain)) return direct("taps too large");
  const double sum = integerSum(p, sizes);
  double least = 0;
  int rows = 1;
  for (const int candidate : {2, 4}) {
    if (sum < 0x1p24 && sum * groupGrowth(candidate) >= 0x1p24) continue;
    if (candidate > p.height) continue;
    GroupProgram program = makeGroupProgram(p, taps, candidate);
    const double work = groupWork(program);
    if (rows > 1 && work >= least) continue;
    choice.program = std::move(program);
    least = work;
    rows = candidate;
  }
  if (rows == 1) return direct("integers would not stay exact");
  const double growth = groupGrowth(rows);
  choice.bound.factor = std::max(choice.bound.factor, growth * gammaBound(roundings(p, rows)));
  choice.bound.rowsTogether = rows;
  choice.bound.growth = growth;
  const bool integers = p.srcType == ElementType::U8 || p.srcType == ElementType::U16;
  const double pixel = std::max(65535.0, std::fabs(static_cast<double>(p.border.value)));
  // Rows are subtracted before they are multiplied: of four at most.
  const double most = largestSum / std::max(growth * sizes.largest, 4.0);
  const bool never = integers && pixel <= most;
  choice.mostPixel = never ? std::numeric_limits<float>::infinity() : static_cast<float>(most);
  return choice;
}

}  // namespace bankside::direct

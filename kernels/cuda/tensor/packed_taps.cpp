#include "kernels/cuda/tensor/packed_taps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "kernels/cuda/tensor/split.h"

namespace bankside::cuda {
namespace {

/// One tap after scaling.
struct Split {
  Half high;
  Half low;
};

Split splitTap(float scaled) {
  const Half high = toHalf(scaled);
  return {high, toHalf((scaled - toFloat(high)) / lowWeight)};
}

/// Whether nothing is left for a low half.
bool isHalf(float tap) { return tap == 0 || toFloat(splitTap(std::scalbn(tap, -std::ilogb(tap))).low) == 0; }

class TapColumns {
 public:
  TapColumns(const TensorLayout& layout, const ConvolutionProblem& p, const std::vector<float>& taps,
             const std::vector<float>& scales)
      : layout_(layout), p_(p), taps_(taps), scales_(scales) {}

  /// Half `k` of a block's column `column` in instruction `step`.
  Half at(int pass, int block, int step, int column, int k) const {
    const int output = column % layout_.outputs();
    const int unit = pass * layout_.units() + block * layout_.unitsPerBlock() + output / layout_.shifts();
    const int filter = unit / layout_.rowStep;
    const int core = 2 * step + k / 8;
    const int tapRow = core / layout_.cores - unit % layout_.rowStep;
    const int tapColumn = core % layout_.cores * 8 + k % 8 - output % layout_.shifts();
    if (filter >= p_.filterCount || tapRow < 0 || tapRow >= p_.filterHeight || tapColumn < 0 ||
        tapColumn >= p_.filterWidth)
      return {};
    const auto index = (static_cast<std::size_t>(filter) * static_cast<std::size_t>(p_.filterHeight) +
                        static_cast<std::size_t>(tapRow)) *
                           static_cast<std::size_t>(p_.filterWidth) +
                       static_cast<std::size_t>(tapColumn);
    const Split split = splitTap(taps_[index] / scales_[static_cast<std::size_t>(filter)]);
    return column < layout_.outputs() ? split.high : split.low;
  }

 private:
  const TensorLayout& layout_;
  const ConvolutionProblem& p_;
  const std::vector<float>& taps_;
  const std::vector<float>& scales_;
};

}  // namespace

float tapScale(const float* taps, int count) {
  float largest = 0;
  for (int i = 0; i < count; ++i) largest = std::max(largest, std::fabs(taps[i]));
  if (largest == 0) return 1.0f;
  const int exponent = std::ilogb(largest) - 14;
  const float scale = std::ldexp(1.0f, exponent);
  const bool wide = std::any_of(taps, taps + count, [&](float tap) {
    return tap != 0 && std::fabs(tap) < std::ldexp(smallestSplit, exponent);
  });
  if (wide || std::abs(exponent) > mostScaleExponent) {
    throw Error(
        ErrorCode::Unsupported,
        "a filter's taps lie further apart than 2^27, or are too large or small, for the tensor cores' "
        "halves");
  }
  return scale;
}

MagnitudeRange pixelRange(const std::vector<float>& taps, const std::vector<float>& scales) {
  const auto [least, most] = std::minmax_element(scales.begin(), scales.end());
  float smallest = std::numeric_limits<float>::max();
  for (const float tap : taps)
    if (tap != 0) smallest = std::min(smallest, std::fabs(tap));
  // A largest pixel 2^e is brought to 2^14, the smallest beside it is 2^(e - 27) then.
  constexpr int lowest = std::numeric_limits<float>::min_exponent - 1;
  constexpr int highest = std::numeric_limits<float>::max_exponent - 1;
  const int from =
      std::max({lowest + 14, lowest + 14 - std::ilogb(*least), lowest + 27 - std::ilogb(smallest)});
  const int to = std::min(highest, highest + 14 - std::ilogb(*most));
  if (from > to) return {std::numeric_limits<float>::max(), 0};
  const float end = to == highest ? std::numeric_limits<float>::infinity() : std::ldexp(1.0f, to + 1);
  return {std::ldexp(1.0f, from), std::nextafter(end, 0.0f)};
}

bool sumsAreExact(const ConvolutionProblem& p, const std::vector<float>& taps) {
  if (p.srcType != ElementType::U8 && p.srcType != ElementType::U16) return false;
  double pixel = p.srcType == ElementType::U8 ? 255 : 65535;
  if (p.border.isConstant()) {
    if (p.border.value != std::trunc(p.border.value)) return false;
    pixel = std::max(pixel, std::fabs(static_cast<double>(p.border.value)));
  }
  const std::size_t each = taps.size() / static_cast<std::size_t>(p.filterCount);
  for (auto filter = taps.begin(); filter != taps.end(); filter += static_cast<std::ptrdiff_t>(each)) {
    const auto end = filter + static_cast<std::ptrdiff_t>(each);
    double sum = 0;
    for (auto tap = filter; tap != end; ++tap) sum += std::fabs(static_cast<double>(*tap));
    if (sum == 0) continue;
    // Taps are rounded to halves first, the rest is added after: high halves alone sum to a little more.
    const double largest = sum * pixel * (1 + 0x1p-10);
    if (!(largest < 0x1p127)) return false;
    const int lastBit = std::ilogb(largest) - 23;
    const auto isMultiple = [&](float tap) {
      const double units = std::ldexp(static_cast<double>(tap), -lastBit);
      return units == std::trunc(units);
    };
    if (!std::all_of(filter, end, isMultiple)) return false;
  }
  return true;
}

PartialProducts productsFor(const ConvolutionProblem& p, const std::vector<float>& taps) {
  const auto isInteger = [](float tap) { return tap == std::rint(tap); };
  if (std::all_of(taps.begin(), taps.end(), isHalf))
    return p.srcType == ElementType::U8 && sumsAreExact(p, taps) ? PartialProducts::Exact
                                                                 : PartialProducts::Most;
  return std::all_of(taps.begin(), taps.end(), isInteger) ? PartialProducts::Every : PartialProducts::Most;
}

PackedTaps packTaps(const TensorLayout& layout, const ConvolutionProblem& p, const std::vector<float>& taps) {
  PackedTaps packed;
  const int each = p.filterHeight * p.filterWidth;
  for (int f = 0; f < p.filterCount; ++f)
    packed.scales.push_back(tapScale(taps.data() + static_cast<std::ptrdiff_t>(f) * each, each));
  const TapColumns columns(layout, p, taps, packed.scales);
  packed.halves.reserve(static_cast<std::size_t>(layout.passes) *
                        static_cast<std::size_t>(layout.passBytes() / 2));
  for (int pass = 0; pass < layout.passes; ++pass)
    for (int block = 0; block < layout.blocks; ++block)
      for (int step = 0; step < layout.steps; ++step)
        for (int first = 0; first < layout.tapColumns; first += 8)
          for (int k = 0; k < 16; k += 8)
            for (int column = first; column < first + 8; ++column)
              for (int i = k; i < k + 8; ++i)
                packed.halves.push_back(columns.at(pass, block, step, column, i).bits);
  return packed;
}

}  // namespace bankside::cuda

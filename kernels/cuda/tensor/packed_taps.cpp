#include "kernels/cuda/tensor/packed_taps.h"

#include <algorithm>
#include <cmath>

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

class TapColumns {
 public:
  TapColumns(const TensorLayout& layout, const ConvolutionProblem& p, const std::vector<float>& taps,
             const std::vector<float>& scales)
      : layout_(layout), p_(p), taps_(taps), scales_(scales) {}

  /// Half `k` of a block's column `column` in instruction `step`.
  Half at(int pass, int block, int step, int column, int k) const {
    const int ofHalf = layout_.tapColumns / 2;
    const int output = column % ofHalf;
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
    return column < ofHalf ? split.high : split.low;
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

bool needsEveryProduct(const std::vector<float>& taps, int filters) {
  const std::size_t each = taps.size() / static_cast<std::size_t>(filters);
  if (!std::all_of(taps.begin(), taps.end(), [](float tap) { return tap == std::rint(tap); })) return false;
  for (std::size_t first = 0; first < taps.size(); first += each) {
    const float scale = tapScale(taps.data() + first, static_cast<int>(each));
    for (std::size_t i = first; i < first + each; ++i)
      if (toFloat(splitTap(taps[i] / scale).low) != 0) return true;
  }
  return false;
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

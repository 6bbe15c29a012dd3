#include "kernels/cuda/multichannel/tensor/tensor_taps.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/element_type.h"
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"

namespace bankside::cuda {
namespace {

std::uint32_t bitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }

float largestOf(const std::vector<float>& taps) {
  float largest = 0;
  for (const float tap : taps)
    if (std::isfinite(tap)) largest = std::max(largest, std::fabs(tap));
  return largest;
}

}  // namespace

std::uint32_t knownLargestBits(const ConvolutionProblem& p) {
  if (looksForLargest(p)) return 0;
  // At 2^14 the scale is 1, which u8 and f16 pixels need no more than; u16 ones go at half their size.
  return bitsOf(p.srcType == ElementType::U16 ? 0x1p15f : 0x1p14f);
}

bool looksForLargest(const ConvolutionProblem& p) {
  // A border that is no half may be far below what the type's pixels can be.
  return p.srcType == ElementType::F32 || !borderIsHalf(p);
}

TensorTaps tensorTaps(TensorMode mode, const ConvolutionProblem& p, const std::vector<float>& taps) {
  const int each = p.filterHeight * p.filterWidth;
  const int channels = p.tapChannels();
  const int blocks = ceilDiv(p.filterCount, TensorTile::filtersPerBlock);
  TensorTaps out;
  out.words.resize(static_cast<std::size_t>(blocks) *
                   static_cast<std::size_t>(ceilDiv(channels, channelsPerProduct)) *
                   static_cast<std::size_t>(each) * static_cast<std::size_t>(4 * tapUnits(mode)));
  const std::uint32_t scaleBits = halfScaleBits(bitsOf(largestOf(taps)));
  const auto scale = std::bit_cast<float>(scaleBits);
  out.scaleBack = std::bit_cast<float>(halfScaleBackBits(scaleBits));
  const auto setHalf = [&](std::size_t at, float value) {
    out.words[at / 2] |= std::uint32_t{toHalf(value).bits} << (at % 2 * 16);
  };
  std::size_t from = 0;
  for (int f = 0; f < p.filterCount; ++f) {
    for (int c = 0; c < channels; ++c) {
      for (int t = 0; t < each; ++t, ++from) {
        const auto at = [&](bool lower) { return tensorTapPosition(mode, f, c, t, channels, each, lower); };
        const float tap = taps[from] * scale;
        setHalf(at(false), tap);
        if (partsOfTap(mode) == 2) setHalf(at(true), tap - toFloat(toHalf(tap)));
      }
    }
  }
  return out;
}

ErrorBound tensorErrorBound(TensorMode mode, const ConvolutionProblem& p, int parts) {
  const int taps = p.filterHeight * p.filterWidth;
  const int perStep = tapsPerStep(mode, p.filterHeight, p.filterWidth);
  const int products = perStep * productsOfTap(mode);
  const double terms = channelsPerProduct + 1;
  const double adding = gammaBound(terms * 2 * products + sumsInF32(mode, p) + parts);
  double rounding = mode == TensorMode::Fp16 ? 0x1p-10 + 0x1p-22 : 0x1p-20;
  if (mode == TensorMode::Fp16 && pixelsAreHalves(p)) rounding = 0x1p-11;
  const double small = (1.0 + static_cast<double>(p.tapChannels()) * taps) * 0x1p-38;
  return {(1 + adding) * (1 + rounding + small) - 1, false};
}

}  // namespace bankside::cuda

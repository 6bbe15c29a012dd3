#include "kernels/cuda/multichannel/tensor/tensor_parts.h"

#include <algorithm>
#include <cmath>

#include "core/element_type.h"
#include "kernels/cuda/multichannel/fma/predicted_device.h"

namespace bankside::cuda {
namespace {

// One block is on a multiprocessor at a time. Thousands of cycles: until the first products; of a tile's end,
// alone or with the sums of a cluster; to load a slab's pixels, which go ahead of its products.
constexpr double ofStart = 6.2;
double ofEnd(TensorTile tile, int parts) {
  if (parts > 1) return tile == narrowTile ? 5.0 : 9.0;
  return tile == narrowTile ? 3.8 : 5.0;
}
double ofPixels(const ConvolutionProblem& p, TensorTile tile) {
  return (p.srcType == ElementType::F32 ? 2.7 : 2.15) +
         0.003 * tile.stagedPixels(p.filterHeight, p.filterWidth);
}
/// One warpgroup waits at the end of every step; two do in turn, unless steps are short.
double ofProducts(TensorMode mode, const ConvolutionProblem& p, TensorTile tile) {
  const int products = productsOfTap(mode);
  const double taps = p.filterHeight * p.filterWidth;
  const double steps = taps / tapsPerStep(mode, p.filterHeight, p.filterWidth);
  if (tile == narrowTile) return 0.064 * products * taps + 0.38 * steps;
  return 0.126 * products * taps + (products == 1 ? 0.55 * steps : 0.6);
}

double kilocycles(TensorMode mode, const ConvolutionProblem& p, int images, TensorSplit split) {
  const auto [tile, parts] = split;
  const double slab = std::max(ofPixels(p, tile), ofProducts(mode, p, tile));
  const int slabs = ceilDiv(ceilDiv(p.tapChannels(), channelsPerProduct), parts);
  const double blocks =
      static_cast<double>(tensorTasks(tile, p.width, p.height, p.filterCount)) * images * parts;
  const double waves = std::ceil(blocks / (predictedMultiprocessors - placesLeftOver(parts)));
  return (parts > 1 ? waves : 1) * ofStart + waves * (slabs * slab + ofEnd(tile, parts));
}

}  // namespace

bool borderIsHalf(const ConvolutionProblem& p) {
  const float border = p.border.isConstant() ? p.border.value : 0.0f;
  return std::fabs(border) <= largestHalf && toFloat(toHalf(border)) == border;
}

bool pixelsAreHalves(const ConvolutionProblem& p) {
  return (p.srcType == ElementType::U8 || p.srcType == ElementType::F16) && borderIsHalf(p);
}

TensorMode withoutEmptyParts(TensorMode mode, const ConvolutionProblem& p) {
  return mode == TensorMode::Fp16x3 && pixelsAreHalves(p) ? TensorMode::Fp16x2 : mode;
}

TensorSplit tensorSplit(TensorMode mode, const ConvolutionProblem& p, int images) {
  const int slabs = ceilDiv(p.tapChannels(), channelsPerProduct);
  TensorSplit best{wideTile, 1};
  for (const TensorTile tile : {wideTile, narrowTile})
    for (int parts = 1; parts <= std::min(mostParts, slabs); parts *= 2)
      if (ceilDiv(slabs, parts) * (parts - 1) < slabs &&
          kilocycles(mode, p, images, {tile, parts}) < kilocycles(mode, p, images, best))
        best = {tile, parts};
  return best;
}

int tensorChannelsOfPart(int channels, int parts) {
  return ceilDiv(ceilDiv(channels, channelsPerProduct), parts) * channelsPerProduct;
}

int sumsInF32(TensorMode mode, const ConvolutionProblem& p) {
  const int taps = p.filterHeight * p.filterWidth;
  return ceilDiv(p.tapChannels(), channelsPerProduct) *
         (taps / tapsPerStep(mode, p.filterHeight, p.filterWidth));
}

double tensorKilocycles(TensorMode mode, const ConvolutionProblem& p) {
  mode = withoutEmptyParts(mode, p);
  return kilocycles(mode, p, 1, tensorSplit(mode, p));
}

}  // namespace bankside::cuda

#include "kernels/cuda/multichannel/tensor/tensor_parts.h"

#include <algorithm>
#include <cmath>

#include "core/element_type.h"
#include "kernels/cuda/multichannel/fma/predicted_device.h"

namespace bankside::cuda {
namespace {

// One block is on a multiprocessor at a time. Thousands of cycles: of a slab beside its taps, a tap, a wave
// of blocks, the sums of a cluster.
constexpr double ofSlab = 0.25;
constexpr double ofBlock = 1.06;
constexpr double ofExchange = 1.96;
double ofTap(TensorMode mode) { return 0.15 * productsOfTap(mode) + (productsOfTap(mode) < 3 ? 0.047 : 0); }

double kilocycles(TensorMode mode, const ConvolutionProblem& p, int images, int parts) {
  const double slab = ofSlab + ofTap(mode) * p.filterHeight * p.filterWidth;
  const int slabs = ceilDiv(ceilDiv(p.tapChannels(), channelsPerProduct), parts);
  const double blocks = static_cast<double>(tensorTasks(p.width, p.height, p.filterCount)) * images * parts;
  const double waves = std::ceil(blocks / (predictedMultiprocessors - placesLeftOver(parts)));
  return waves * (slabs * slab + ofBlock) + (parts > 1 ? ofExchange : 0);
}

}  // namespace

bool borderIsHalf(const ConvolutionProblem& p) {
  const float border = p.border.kind == BorderKind::Constant ? p.border.value : 0.0f;
  return std::fabs(border) <= largestHalf && toFloat(toHalf(border)) == border;
}

bool pixelsAreHalves(const ConvolutionProblem& p) {
  return (p.srcType == ElementType::U8 || p.srcType == ElementType::F16) && borderIsHalf(p);
}

TensorMode withoutEmptyParts(TensorMode mode, const ConvolutionProblem& p) {
  return mode == TensorMode::Fp16x3 && pixelsAreHalves(p) ? TensorMode::Fp16x2 : mode;
}

int tensorParts(TensorMode mode, const ConvolutionProblem& p, int images) {
  const int slabs = ceilDiv(p.tapChannels(), channelsPerProduct);
  int best = 1;
  for (int parts = 2; parts <= std::min(8, slabs); ++parts)
    if (ceilDiv(slabs, parts) * (parts - 1) < slabs &&
        kilocycles(mode, p, images, parts) < kilocycles(mode, p, images, best))
      best = parts;
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
  return kilocycles(mode, p, 1, tensorParts(mode, p));
}

}  // namespace bankside::cuda

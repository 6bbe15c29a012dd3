#include "kernels/opencv/filter2d_path.h"

#include <algorithm>
#include <cmath>

namespace bankside {
namespace {

constexpr double int32Range = 2147483648.0;

/// Upper bound on a block's side in crossCorr: 4.5 filter sides or what fills 256, plus the filter, up to the
/// next size whose only factors are 2, 3 and 5 (less than a quarter above for every length that occurs).
double largestDftSide(int filterSide) {
  const double block = std::max(std::round(4.5 * filterSide), 257.0 - filterSide);
  return 1.25 * (block + filterSide - 1);
}

}  // namespace

bool filter2dUsesDft(ElementType src, ElementType dst, int filterWidth, int filterHeight, bool sse3) {
  const bool wellKnownPair = (src == ElementType::U8 && dst == ElementType::U8) ||
                             (src == ElementType::F32 && dst == ElementType::F32);
  return filterWidth * filterHeight >= (sse3 && wellKnownPair ? 130 : 50);
}

Filter2dPath chooseFilter2dPath(const ConvolutionProblem& p, int anchorX, int anchorY, double largestTapSum,
                                bool sse3) {
  Filter2dPath path;
  path.dft = filter2dUsesDft(ElementType::F32, ElementType::F32, p.filterWidth, p.filterHeight, sse3);
  const bool plainResponses = p.combine == Combine::None && p.tapChannels() == 1;
  if (p.srcType == ElementType::U8) {
    path.response8 = p.dstType == ElementType::U8 && plainResponses && p.filterWidth * p.filterHeight < 16 &&
                     255.0 * largestTapSum < int32Range / 2;
    path.source8 = path.dft || path.response8;
  }
  const bool reachesFurtherRight =
      p.filterWidth - 1 - anchorX > anchorX || p.filterHeight - 1 - anchorY > anchorY;
  // crossCorr pads each block by mirroring the pixels of that block alone. The last block of a row may be
  // narrower than the filter's reach to the right; what it then mirrors is not the image.
  if (path.dft && p.border.mirrors() && reachesFurtherRight) path.ownBorder = false;
  // filter2D has no parameter for the constant, and no wrapping border.
  if ((p.border.isConstant() && !p.border.isZero()) || p.border.wraps()) path.ownBorder = false;
  return path;
}

ErrorBound filter2dErrorBound(const ConvolutionProblem& p, const Filter2dPath& path) {
  const double channels = p.tapChannels();
  if (!path.dft) return {gammaBound(channels * p.filterHeight * p.filterWidth), true};
  const double points = largestDftSide(p.filterWidth) * largestDftSide(p.filterHeight);
  const double stages = std::log2(points);
  const double worstInDouble = 3 * points * 8 * stages * 0x1p-53;
  const double likelyInSingle = path.source8 ? 4 * stages * 0x1p-24 : 0;
  return {gammaBound(channels) + worstInDouble + likelyInSingle, false};
}

}  // namespace bankside

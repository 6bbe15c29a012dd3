#include "kernels/cuda/paper/traffic.h"

namespace bankside::cuda {
namespace {

double tileFloats(const BlockShape& s, int filterHeight, int filterWidth) {
  return static_cast<double>(s.tileWidth + filterWidth - 1) * (s.tileHeight + filterHeight - 1);
}

double windowFloats(const BlockShape& s, int filterHeight, int filterWidth) {
  return static_cast<double>(s.tilePixels()) * filterHeight * filterWidth;
}

double bytesWith(double floatsOfChannel, const BlockShape& s, const ConvolutionProblem& p) {
  return sizeof(float) * blocksOf(s, p) * p.tapChannels() *
         (floatsOfChannel + s.stagedTaps(p.filterHeight, p.filterWidth));
}

}  // namespace

double specialPixelShare(int unitPixels, int width, int height, int filterSize) {
  const int halo = roundUp(filterSize / 2, unitPixels);
  return static_cast<double>(width + 2 * halo) * (height + filterSize - 1) /
         (static_cast<double>(width) * height);
}

double blocksOf(const BlockShape& s, const ConvolutionProblem& p) {
  return static_cast<double>(ceilDiv(p.width, s.tileWidth)) * ceilDiv(p.height, s.tileHeight) *
         ceilDiv(p.filterCount, s.filtersPerBlock);
}

double globalPixelShare(const BlockShape& s, int filterHeight, int filterWidth) {
  return tileFloats(s, filterHeight, filterWidth) / windowFloats(s, filterHeight, filterWidth);
}

double globalLoadBytes(const BlockShape& s, const ConvolutionProblem& p) {
  return bytesWith(tileFloats(s, p.filterHeight, p.filterWidth), s, p);
}

double gemmLoadBytes(const BlockShape& s, const ConvolutionProblem& p) {
  return bytesWith(windowFloats(s, p.filterHeight, p.filterWidth), s, p);
}

double sharedPixelShare(const BlockShape& s, int filterWidth) {
  return 4.0 * s.windowUnits(filterWidth) / (static_cast<double>(s.pixelsPerThread) * filterWidth);
}

double sharedLoads(const BlockShape& s, const ConvolutionProblem& p) {
  const double ofRow = s.windowUnits(p.filterWidth) + p.filterWidth * s.filtersPerThread / 4.0;
  return blocksOf(s, p) * ceilDiv(s.threads(), 32) * p.tapChannels() * p.filterHeight * ofRow;
}

}  // namespace bankside::cuda

#include "kernels/fft/tile_shape.h"

#include <cmath>

#include "kernels/fft/transform.h"

namespace bankside::fft {
namespace {

/// Columns of output that are worth whole, aligned vectors on every target.
constexpr int columnStep = 16;
/// A thread's share of the caches: spectrum, filter and work of one pair of tiles.
constexpr double residentBytes = 640.0 * 1024;

int tilesOver(int pixels, int step) { return (pixels + step - 1) / step; }

/// Work for the whole image, in units of one radix-2 butterfly a complex element.
double cost(const ConvolutionProblem& p, const TileShape& s) {
  const double n = static_cast<double>(s.width) * s.height;
  const double stages = std::log2(n);
  const double channels = p.tapChannels();
  double oneFilter = n * (stages + 5.0 + 1.5 * channels);
  const double bytes = 8 * n * (2 * channels + 1);
  if (bytes > residentBytes) oneFilter *= 1 + 0.3 * std::log2(bytes / residentBytes);
  const double pair = channels * n * (stages + 4.0) + p.filterCount * oneFilter;
  return pair * s.pairsX() * s.tilesY * p.responseGroups();
}

}  // namespace

double TileShape::spectraBytes(const ConvolutionProblem& p) const {
  return 8.0 * width * height * p.filterCount * p.tapChannels();
}

TileShape chooseTile(const ConvolutionProblem& problem) {
  TileShape best;
  double least = 0;
  for (const int width : transformLengths()) {
    if (width < problem.filterWidth) continue;
    for (const int height : transformLengths()) {
      if (height < problem.filterHeight) continue;
      const int widest = width - problem.filterWidth + 1;
      for (const int stepX : {widest, widest / columnStep * columnStep}) {
        TileShape s{width, height, stepX, height - problem.filterHeight + 1, 0, 0};
        if (stepX < 1 || s.spectraBytes(problem) > maxSpectraBytes) continue;
        s.tilesX = tilesOver(problem.width, s.stepX);
        s.tilesY = tilesOver(problem.height, s.stepY);
        const double price = cost(problem, s) * (stepX % columnStep == 0 ? 1.0 : 1.03);
        if (best.width == 0 || price < least) {
          best = s;
          least = price;
        }
      }
    }
  }
  return best;
}

}  // namespace bankside::fft

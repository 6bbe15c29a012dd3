#include "kernels/fft/tile_grid.h"

#include <algorithm>
#include <cmath>

#include "kernels/fft/transform.h"

namespace bankside::fft {
namespace {

/// Columns of output that are worth whole, aligned vectors on every target.
constexpr int columnStep = 16;
/// Bytes of one filter's work on a pair of tiles (source spectrum, filter, space) that no cache level feels,
/// and those beyond which a second-level cache of 1 MiB overflows.
constexpr double easyBytes = 96.0 * 1024;
constexpr double fullBytes = 640.0 * 1024;

int tilesOver(int pixels, int step) { return (pixels + step - 1) / step; }

}  // namespace

/// Fitted to measurements of one core with 1 MiB of second-level cache (AVX-512, tiles from 32 to 512): a
/// stage is alike in all of them, larger tiles pay for their caches, and results in rows that are not whole
/// vectors cannot go around them. Result type and combine have no say, so that a combined map is made of the
/// very responses.
double tileWork(const ConvolutionProblem& p, const TileGrid& s) {
  const double n = static_cast<double>(s.width) * s.height;
  const double stages = std::log2(n);
  const double channels = p.tapChannels();
  const double bytes = 8 * n * (2 * channels + 1);
  const double caches = 1 + 0.10 * std::log2(std::max(1.0, bytes / easyBytes)) +
                        0.25 * std::log2(std::max(1.0, bytes / fullBytes));
  const double store = s.stepX % columnStep == 0 ? 3 : 8;
  const double oneFilter = n * (stages + 2 * (channels - 1)) * caches + 2.0 * s.stepX * s.stepY * store;
  const double pair = channels * n * (stages + 6) + p.filterCount * oneFilter;
  return pair * s.pairsX() * s.tilesY * p.responseGroups();
}

double TileGrid::spectraBytes(const ConvolutionProblem& p) const {
  return 8.0 * width * height * p.filterCount * p.tapChannels();
}

TileGrid chooseTile(const ConvolutionProblem& problem) {
  TileGrid best;
  double least = 0;
  for (const int width : transformLengths()) {
    if (width < problem.filterWidth) continue;
    for (const int height : transformLengths()) {
      if (height < problem.filterHeight) continue;
      const int widest = width - problem.filterWidth + 1;
      for (const int stepX : {widest, widest / columnStep * columnStep}) {
        TileGrid s{width, height, stepX, height - problem.filterHeight + 1, 0, 0};
        if (stepX < 1 || s.spectraBytes(problem) > maxSpectraBytes) continue;
        s.tilesX = tilesOver(problem.width, s.stepX);
        s.tilesY = tilesOver(problem.height, s.stepY);
        const double price = tileWork(problem, s);
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

/// How an image is cut into tiles for transforms. Pure; no CUDA, so that the planner reckons with it too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/problem.h"

namespace bankside::cuda {

/// Overlap-save: a tile of `width` x `height` source pixels gives `stepX` x `stepY` results.
struct FftLayout {
  int width = 0;  ///< 0: no tile fits
  int height = 0;
  int stepX = 0;  ///< a multiple of four
  int stepY = 0;
  int tilesX = 0;  ///< over the whole image
  int tilesY = 0;

  double points() const { return static_cast<double>(tilesX) * tilesY * width * height; }
  std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
  std::size_t spectrum() const {
    return static_cast<std::size_t>(width / 2 + 1) * static_cast<std::size_t>(height);
  }
};

inline constexpr int leastFftSide = 32;
inline constexpr int mostFftSide = 1024;
/// Spectra of a bank, and all responses of a tile, take no more.
inline constexpr double mostFftBytes = 1024.0 * 1024 * 1024;

/// The fewest points among sides that are powers of two: those are what transforms are fastest at, and
/// scaling by them is exact.
inline FftLayout chooseFftLayout(const ConvolutionProblem& p) {
  FftLayout best;
  for (int height = leastFftSide; height <= mostFftSide; height *= 2) {
    for (int width = leastFftSide; width <= mostFftSide; width *= 2) {
      FftLayout l{width, height, (width - p.filterWidth + 1) / 4 * 4, height - p.filterHeight + 1, 0, 0};
      if (l.stepX < 4 || l.stepY < 1) continue;
      if (static_cast<double>(l.spectrum()) * p.filterCount * 8 > mostFftBytes) continue;
      l.tilesX = (p.width + l.stepX - 1) / l.stepX;
      l.tilesY = (p.height + l.stepY - 1) / l.stepY;
      if (best.width == 0 || l.points() < best.points()) best = l;
    }
  }
  return best;
}

}  // namespace bankside::cuda

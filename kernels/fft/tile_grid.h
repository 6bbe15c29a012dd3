/// Which tile: how long the transforms are and how far apart the tiles lie.
#pragma once

#include "core/problem.h"

namespace bankside::fft {

/// Tiles lie on a grid that starts at the image's top left pixel, whatever region is asked for: tile (i, j)
/// makes output pixels [i stepX, (i + 1) stepX) x [j stepY, (j + 1) stepY), and tiles 2 i and 2 i + 1 of a
/// row of tiles are one complex tile. So a pixel's bytes depend on the image and the bank alone.
struct TileGrid {
  int width = 0;   ///< of the transform; 0 where no tile can be had
  int height = 0;  ///< of the transform
  int stepX = 0;
  int stepY = 0;
  int tilesX = 0;
  int tilesY = 0;

  int pairsX() const { return (tilesX + 1) / 2; }
  /// Bytes of all filters' spectra.
  double spectraBytes(const ConvolutionProblem& p) const;
};

/// Spectra may take so much memory (bytes).
inline constexpr double maxSpectraBytes = 2.0 * 1024 * 1024 * 1024;

/// Work for a whole image, in units of one radix-2 stage of one complex element.
double tileWork(const ConvolutionProblem& problem, const TileGrid& shape);

/// The cheapest by a model of the work (see the source). Width 0 if all would pass maxSpectraBytes.
TileGrid chooseTile(const ConvolutionProblem& problem);

}  // namespace bankside::fft

/// `cuda:fft`: filter banks over one channel by transforms of tiles.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// Overlap-save with cuFFT, which is opened at run time: any border (resolved as tiles are filled), type,
/// anchor, combine, region and number of filters whose spectra fit. Its time hardly depends on the filters'
/// size; its error bound is not pixelwise. Tiles with pixels that a transform would spoil (NaN, infinities,
/// far too large or small) are summed directly. In a build without nvcc: an engine that refuses.
std::unique_ptr<Engine> makeCudaFftEngine();

}  // namespace bankside

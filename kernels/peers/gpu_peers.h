/// NVIDIA's libraries as engines, only there to be compared with. Opened at run time: where one is missing
/// its engine stays in the list and says so.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `cudnn:fma` and `cudnn:tf32`: the fastest of cuDNN 9's forward algorithms that is right, in f32 or with
/// TF32 allowed. Zero borders, odd filters anchored in the middle.
std::unique_ptr<Engine> makeCudnnEngine(bool allowTensorFloat32);

/// `npp:filter-border`: nppiFilterBorder_32f, a call a filter. Replicated borders, odd filters anchored in
/// the middle.
std::unique_ptr<Engine> makeNppEngine();

/// `cufft:bank`: one forward transform of the image, products with the stored spectra of the filters, one
/// batch of inverse transforms. Wrapped borders: what a transform gives without a padded copy.
std::unique_ptr<Engine> makeCufftEngine();

}  // namespace bankside

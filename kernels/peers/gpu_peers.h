/// NVIDIA's libraries as engines, only there to be compared with. Opened at run time: where one is missing
/// its engine stays in the list and says so.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// What cuDNN multiplies in: f32, with TF32 allowed, or half precision with f32 sums (pixels and taps rounded
/// to 11 bits, results too; converting from and to f32 counts as its time).
enum class CudnnMath { Fma, Tf32, Fp16 };

/// `cudnn:fma`, `cudnn:tf32` and `cudnn:fp16`: the fastest of cuDNN 9's forward algorithms that is right.
/// Zero borders, odd filters anchored in the middle.
std::unique_ptr<Engine> makeCudnnEngine(CudnnMath math);

/// `cublas:im2col`: every pixel's window as a column of a matrix, and one f32 product with the bank: the
/// direct GEMM method that the paper's section 4 is held against. Any border, any filter.
std::unique_ptr<Engine> makeIm2colEngine();

/// `npp:filter-border`: nppiFilterBorder_32f, a call a filter. Replicated borders, odd filters anchored in
/// the middle.
std::unique_ptr<Engine> makeNppEngine();

/// `cufft:bank`: one forward transform of the image, products with the stored spectra of the filters, one
/// batch of inverse transforms. Wrapped borders: what a transform gives without a padded copy.
std::unique_ptr<Engine> makeCufftEngine();

}  // namespace bankside

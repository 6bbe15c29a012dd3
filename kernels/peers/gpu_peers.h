/// NVIDIA's libraries as engines, only there to be compared with. Opened at run time: where one is missing
/// its engine stays in the list and says so.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// What cuDNN multiplies in: f32, with TF32 allowed, or half precision with f32 sums (pixels and taps rounded
/// to 11 bits, results too).
enum class CudnnMath { Fma, Tf32, Fp16 };

/// The calls of before cuDNN 8, on f32 planes, whose conversions from and to f32 count as its time; or
/// graphs, on pixels and results that lie as the plan wants them.
enum class CudnnInterface { Legacy, Graph };

/// `cudnn:fma`, `cudnn:tf32` and `cudnn:fp16`: the fastest of cuDNN 9's forward algorithms that is right;
/// `cudnn:graph-fma` ...: of what its heuristics propose. Zero borders, odd filters anchored in the middle.
std::unique_ptr<Engine> makeCudnnEngine(CudnnInterface interface, CudnnMath math);

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

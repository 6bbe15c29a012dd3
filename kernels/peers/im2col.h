/// Every pixel's window as a column of a matrix: what turns a filter bank into one product of matrices.
#pragma once

#include <cuda_runtime_api.h>

#include "core/problem.h"

namespace bankside::cuda {

/// Windows of pixels [first, first + count), counted row by row: columns[tap][i] is what tap `tap`
/// ([C][kh][kw]) of a filter reads at pixel first + i, the border resolved. `src` is [C,H,W] without gaps;
/// anchors are those of the correlation form. Errors  Error{Device}
void startIm2col(const ConvolutionProblem& problem, int anchorX, int anchorY, const float* src, int first,
                 int count, float* columns, cudaStream_t stream);

}  // namespace bankside::cuda

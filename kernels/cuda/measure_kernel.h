/// Times one variant on one problem whose pixels lie on the device: what figures and the tuner are made of.
#pragma once

#include "kernels/cuda/measure_limits.h"
#include "kernels/cuda/variant.h"

namespace bankside::cuda {

/// `hot` works on one set of buffers again and again, `cold` on sets that together hold more than twice the
/// L2. Units  seconds
struct KernelTime {
  Interval hot;
  Interval cold;
  int coldSets = 1;
};

/// Random pixels, the bank given; borders as in the problem, resolved in the kernel. One channel.
/// Errors  Error{Device}, Error{Limit}, Error{Unsupported} if the variant does not fit
KernelTime timeKernel(const ConvolutionProblem& problem, const FilterBank& bank, int variant);

/// As `timeKernel` for other code: `launch(src, dst, stream)` on f32 planes laid out without gaps.
KernelTime timeOnPlanes(int side, int planes,
                        const std::function<void(const float*, float*, void* stream)>& launch);

}  // namespace bankside::cuda

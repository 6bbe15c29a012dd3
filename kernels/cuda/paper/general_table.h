/// From a shape of Algorithm 2 to its compiled kernel.
#pragma once

#include <vector>

namespace bankside::cuda {

/// Kernels of `generalVariants()[i]` at position i.
const std::vector<const void*>& generalKernels();

}  // namespace bankside::cuda

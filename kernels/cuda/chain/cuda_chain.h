/// A chain's device side with CUDA: two banks, whole planes of image and maps between them.
#pragma once

#include <memory>

#include "core/chained_plan.h"
#include "kernels/cuda/chain/chain_device.h"
#include "kernels/cuda/runtime/band_kernel.h"

namespace bankside::cuda {

/// Bytes on the device that a chain of whole planes takes: image, maps, a band of results, and what the banks
/// work with.
double chainBytes(const ChainedProblem& chain, const BandKernel& first, const BandKernel& second,
                  double bandBytes);

/// Memory is taken when it is first needed. Whoever runs it holds `deviceMutex()`.
std::unique_ptr<ChainDevice> makeCudaChain(const ChainedProblem& chain, std::unique_ptr<BandKernel> first,
                                           std::unique_ptr<BandKernel> second);

}  // namespace bankside::cuda

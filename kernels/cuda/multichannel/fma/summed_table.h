/// From a multichannel variant to its compiled kernel.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "kernels/cuda/multichannel/fma/choose_summed.h"
#include "kernels/cuda/multichannel/fma/summed_arguments.h"

namespace bankside::cuda {

/// Kernels of `summedVariants()[i]` at position i.
const std::vector<const void*>& summedKernels();

/// Starts one launch over the images of `arguments.batch`. Errors  Error{Device}, Error{Limit} for too many
/// images
void launchSummed(const SummedChoice& choice, const SummedArguments& arguments, cudaStream_t stream);

// One function a translation unit of instances; they fill their rows.
void addSquareKernels(std::vector<const void*>& table);
void addAnySizeKernels(std::vector<const void*>& table);
void addFewFilterKernels(std::vector<const void*>& table);
void addTrialSummedKernels(std::vector<const void*>& table);

}  // namespace bankside::cuda

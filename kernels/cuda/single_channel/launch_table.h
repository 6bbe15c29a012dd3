/// From a variant to its compiled kernel.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "kernels/cuda/pixels/fused.h"
#include "kernels/cuda/pixels/kernel_arguments.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/cuda/single_channel/variant.h"

namespace bankside::cuda {

/// The instances of one variant. `kernel[source type][fused]`; the tile forms have one for all source types.
struct KernelRow {
  const void* kernel[4][3] = {};
  const void* constantTaps = nullptr;  ///< the symbol that the kernels read their taps from
};

/// Kernels of `variants()[i]` at position i.
const std::vector<KernelRow>& launchTable();

/// How many kernels were compiled.
int compiledKernels();

/// Starts one launch, behind `before` if there is such. `a.filterCount` taps must be in the variant's
/// constant memory (or at `a.taps`). Errors  Error{Device}
void launch(int variant, const KernelArguments& a, cudaStream_t stream, const KernelLaunch* before = nullptr);

// One function a translation unit of instances; they fill their rows.
void addRowsKernels(std::vector<KernelRow>& table);
void addSmallTileKernels(std::vector<KernelRow>& table);
void addLargeTileKernels(std::vector<KernelRow>& table);
void addPaperKernels(std::vector<KernelRow>& table);
void addTrialKernels(std::vector<KernelRow>& table);

}  // namespace bankside::cuda

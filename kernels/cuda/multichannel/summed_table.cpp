#include "kernels/cuda/multichannel/summed_table.h"

#include "kernels/cuda/cuda_error.h"

namespace bankside::cuda {

const std::vector<const void*>& summedKernels() {
  static const std::vector<const void*> table = [] {
    std::vector<const void*> rows(summedVariants().size());
    addSquareKernels(rows);
    addAnySizeKernels(rows);
    addFewFilterKernels(rows);
    return rows;
  }();
  return table;
}

void launchSummed(const SummedChoice& choice, const SummedArguments& s, cudaStream_t stream) {
  const SummedVariant& variant = summedVariants()[static_cast<std::size_t>(choice.variant)];
  const void* kernel = summedKernels()[static_cast<std::size_t>(choice.variant)];
  const KernelArguments& a = s.base;
  const std::size_t shared = variant.shape.sharedBytes(a.filterHeight, a.filterWidth, s.sumsShared);
  if (shared > 48 * 1024) {
    BANKSIDE_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  }
  const auto parts = static_cast<unsigned>(choice.parts);
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 1;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = parts;
  // Left to itself the device puts the blocks of a cluster on one multiprocessor and leaves others idle.
  attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
  attributes[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(ceilDiv(a.width, variant.shape.tileWidth)),
                        static_cast<unsigned>(ceilDiv(a.height, variant.shape.tileHeight)),
                        static_cast<unsigned>(ceilDiv(a.filterCount, variant.shape.filtersPerBlock)) * parts);
  config.blockDim = dim3(static_cast<unsigned>(variant.shape.threads()));
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 2;
  void* arguments[] = {const_cast<SummedArguments*>(&s)};
  BANKSIDE_CUDA_CHECK(cudaLaunchKernelExC(&config, kernel, arguments));
}

}  // namespace bankside::cuda

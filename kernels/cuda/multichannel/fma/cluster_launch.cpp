#include "kernels/cuda/multichannel/fma/cluster_launch.h"

#include "core/error.h"
#include "kernels/cuda/multichannel/fma/block_shape.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/cuda/runtime/shared_memory.h"

namespace bankside::cuda {

unsigned gridDepth(int images, int each) {
  if (images > mostGridDepth / each)
    throw Error(ErrorCode::Limit, std::to_string(images) + " images are more than the " +
                                      std::to_string(mostGridDepth / each) + " that one launch takes");
  return static_cast<unsigned>(images) * static_cast<unsigned>(each);
}

void launchClusters(const void* kernel, dim3 grid, int threads, int blocksOfCluster, std::size_t shared,
                    const SummedArguments& s, cudaStream_t stream) {
  allowSharedMemory(kernel, shared);
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 1;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = static_cast<unsigned>(blocksOfCluster);
  // Left to itself the device puts the blocks of a cluster on one multiprocessor and leaves others idle.
  attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
  attributes[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing;
  void* arguments[] = {const_cast<SummedArguments*>(&s)};
  const std::span<const cudaLaunchAttribute> asked(attributes, deviceTraits().hasClusters() ? 2 : 0);
  launchKernel({kernel, grid, dim3(static_cast<unsigned>(threads)), arguments, shared, asked}, stream);
}

}  // namespace bankside::cuda

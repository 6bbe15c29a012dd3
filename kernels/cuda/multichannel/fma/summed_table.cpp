#include "kernels/cuda/multichannel/fma/summed_table.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/error.h"
#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {
namespace {

void launchBlocks(const void* kernel, dim3 grid, int threads, int blocksOfCluster, std::size_t shared,
                  const SummedArguments& s, cudaStream_t stream) {
  if (shared > 48 * 1024) {
    BANKSIDE_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  }
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 1;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = static_cast<unsigned>(blocksOfCluster);
  // Left to itself the device puts the blocks of a cluster on one multiprocessor and leaves others idle.
  attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
  attributes[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 2;
  void* arguments[] = {const_cast<SummedArguments*>(&s)};
  BANKSIDE_CUDA_CHECK(cudaLaunchKernelExC(&config, kernel, arguments));
}

}  // namespace

unsigned gridDepth(int images, int each) {
  if (images > mostGridDepth / each)
    throw Error(ErrorCode::Limit, std::to_string(images) + " images are more than the " +
                                      std::to_string(mostGridDepth / each) + " that one launch takes");
  return static_cast<unsigned>(images) * static_cast<unsigned>(each);
}

const std::vector<const void*>& summedKernels() {
  static const std::vector<const void*> table = [] {
    std::vector<const void*> rows(summedVariants().size());
    addSquareKernels(rows);
    addAnySizeKernels(rows);
    addFewFilterKernels(rows);
#ifdef BANKSIDE_CUDA_TRIALS
    addTrialSummedKernels(rows);
#endif
    return rows;
  }();
  return table;
}

void launchSummed(const SummedChoice& choice, const SummedArguments& s, cudaStream_t stream) {
  const auto& shape = summedVariants()[static_cast<std::size_t>(choice.variant)].shape;
  const KernelArguments& a = s.base;
  const dim3 grid(static_cast<unsigned>(ceilDiv(a.width, shape.tileWidth)),
                  static_cast<unsigned>(ceilDiv(a.height, shape.tileHeight)),
                  gridDepth(s.batch.images, ceilDiv(a.filterCount, shape.filtersPerBlock) * choice.parts));
  launchBlocks(summedKernels()[static_cast<std::size_t>(choice.variant)], grid, shape.threads(), choice.parts,
               shape.sharedBytes(a.filterHeight, a.filterWidth, s.sumsShared), s, stream);
}

void launchTensor(TensorMode mode, int parts, int multiprocessors, const SummedArguments& s,
                  cudaStream_t stream) {
  const KernelArguments& a = s.base;
  const std::int64_t all =
      std::int64_t{tensorTasks(a.width, a.height, a.filterCount)} * gridDepth(s.batch.images, 1);
  if (all > std::numeric_limits<int>::max()) throw Error(ErrorCode::Limit, "too many tiles for one launch");
  const auto tasks = static_cast<int>(all);
  // A cluster makes one tile; without, a block that is done goes on to another.
  const dim3 grid(static_cast<unsigned>(parts == 1 ? std::min(tasks, multiprocessors) : tasks), 1,
                  static_cast<unsigned>(parts));
  launchBlocks(tensorKernelAddress(mode), grid, TensorTile::threads(), parts,
               tensorSharedBytes(mode, a.filterHeight, a.filterWidth, s.tapsPerStep), s, stream);
}

}  // namespace bankside::cuda

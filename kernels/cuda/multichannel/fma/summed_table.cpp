#include "kernels/cuda/multichannel/fma/summed_table.h"

#include "kernels/cuda/multichannel/fma/cluster_launch.h"
#include "kernels/cuda/runtime/device_state.h"

namespace bankside::cuda {

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

namespace {

void launchParts(const SummedChoice& choice, const SummedArguments& s, cudaStream_t stream) {
  const auto& shape = summedVariants()[static_cast<std::size_t>(choice.variant)].shape;
  const KernelArguments& a = s.base;
  const dim3 grid(static_cast<unsigned>(ceilDiv(a.width, shape.tileWidth)),
                  static_cast<unsigned>(ceilDiv(a.height, shape.tileHeight)),
                  gridDepth(s.batch.images, ceilDiv(a.filterCount, shape.filtersPerBlock) * choice.parts));
  launchClusters(summedKernels()[static_cast<std::size_t>(choice.variant)], grid, shape.threads(),
                 choice.parts, shape.sharedBytes(a.filterHeight, a.filterWidth, s.sumsShared), s, stream);
}

}  // namespace

void launchSummed(const SummedChoice& choice, const SummedArguments& s, cudaStream_t stream) {
  if (choice.parts == 1 || deviceTraits().hasClusters()) return launchParts(choice, s, stream);
  SummedArguments part = s;
  part.sumsShared = false;
  for (; part.firstPart < choice.parts; ++part.firstPart) launchParts({choice.variant}, part, stream);
}

}  // namespace bankside::cuda

#include "kernels/cuda/multichannel/tensor/tensor_launch.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/error.h"
#include "kernels/cuda/multichannel/fma/cluster_launch.h"
#include "kernels/cuda/runtime/device_state.h"

namespace bankside::cuda {

void launchTensor(TensorMode mode, TensorSplit split, SummedArguments s, cudaStream_t stream) {
  const KernelArguments& a = s.base;
  const auto [tile, parts] = split;
  const DeviceTraits traits = deviceTraits();
  const std::int64_t all =
      std::int64_t{tensorTasks(tile, a.width, a.height, a.filterCount)} * gridDepth(s.batch.images, 1);
  if (all > std::numeric_limits<int>::max()) throw Error(ErrorCode::Limit, "too many tiles for one launch");
  const auto tasks = static_cast<int>(all);
  s.tapsPerStep = tapsPerStep(mode, a.filterHeight, a.filterWidth);
  s.rowFactor = rowFactor(tile.stagedColumns(a.filterWidth));
  const TensorStages stages =
      tensorStages(mode, tile, a.filterHeight, a.filterWidth, s.tapsPerStep, traits.mostShared);
  s.tapStages = stages.taps;
  s.sumsShared = !stages.sumsApart;
  // A cluster makes one tile; without, a block that is done goes on to another, if its sums have a place.
  const bool goesOn = parts == 1 && stages.sumsApart;
  const dim3 grid(static_cast<unsigned>(goesOn ? std::min(tasks, traits.multiprocessors) : tasks), 1,
                  static_cast<unsigned>(parts));
  launchClusters(tensorKernelAddress(mode, tile), grid, tile.threads(), parts,
                 tensorSharedBytes(mode, tile, a.filterHeight, a.filterWidth, s.tapsPerStep, stages), s,
                 stream);
}

}  // namespace bankside::cuda

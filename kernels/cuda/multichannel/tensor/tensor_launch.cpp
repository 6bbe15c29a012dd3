#include "kernels/cuda/multichannel/tensor/tensor_launch.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/error.h"
#include "kernels/cuda/multichannel/fma/cluster_launch.h"

namespace bankside::cuda {

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
  launchClusters(tensorKernelAddress(mode), grid, TensorTile::threads(), parts,
                 tensorSharedBytes(mode, a.filterHeight, a.filterWidth, s.tapsPerStep), s, stream);
}

}  // namespace bankside::cuda

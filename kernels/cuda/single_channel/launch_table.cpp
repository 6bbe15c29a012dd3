#include "kernels/cuda/single_channel/launch_table.h"

#include <algorithm>
#include <set>

#include "kernels/cuda/runtime/shared_memory.h"

namespace bankside::cuda {

const std::vector<KernelRow>& launchTable() {
  static const std::vector<KernelRow> table = [] {
    std::vector<KernelRow> rows(variants().size());
    addRowsKernels(rows);
    addSmallTileKernels(rows);
    addLargeTileKernels(rows);
    addPaperKernels(rows);
#ifdef BANKSIDE_CUDA_TRIALS
    addTrialKernels(rows);
#endif
    return rows;
  }();
  return table;
}

int compiledKernels() {
  std::set<const void*> kernels;
  for (const KernelRow& row : launchTable())
    for (const auto& type : row.kernel)
      for (const void* kernel : type)
        if (kernel != nullptr) kernels.insert(kernel);
  return static_cast<int>(kernels.size());
}

void launch(int index, const KernelArguments& a, cudaStream_t stream, const KernelLaunch* before) {
  const Variant& variant = variants()[static_cast<std::size_t>(index)];
  const void* kernel = launchTable()[static_cast<std::size_t>(index)]
                           .kernel[static_cast<int>(a.src.type)][static_cast<int>(fusedOf(a.combine))];
  const std::size_t shared = sharedBytes(variant, a.filterWidth, a.filterHeight);
  allowSharedMemory(kernel, shared);
  KernelArguments given = a;
  const int tileRows = ceilDiv(a.height, variant.blockHeight());
  given.wholeRows = std::min(a.wholeRows, tileRows);
  given.partsLog2 = partsLog2(a.filterCount, a.filtersPerBlock);
  if (blockRows(tileRows, given.wholeRows, given.partsLog2) > mostBlockRows) given.wholeRows = tileRows;
  const dim3 grid(static_cast<unsigned>(ceilDiv(a.width, variant.blockWidth())),
                  static_cast<unsigned>(blockRows(tileRows, given.wholeRows, given.partsLog2)));
  given.aheadX = a.ahead % static_cast<int>(grid.x);
  given.aheadY = a.ahead / static_cast<int>(grid.x);
  void* arguments[] = {&given};
  launchKernel({kernel, grid, dim3(static_cast<unsigned>(variant.shape.threads())), arguments, shared},
               stream, before);
}

}  // namespace bankside::cuda

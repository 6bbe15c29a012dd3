#include "kernels/cuda/tensor/tensor_kernels.h"

#include <set>

namespace bankside::cuda {

const void* tensorKernelOf(const TensorLayout& layout, int warpgroups, Fused fused) {
  return layout.parts == PixelParts::Whole ? wholeKernelOf(layout, warpgroups, fused)
                                           : splitKernelOf(layout, warpgroups, fused);
}

int tensorKernelCount() {
  std::set<const void*> kernels;
  TensorLayout layout;
  for (const PixelParts parts : {PixelParts::Whole, PixelParts::Split}) {
    for (const int columns : {64, 128}) {
      for (const int shifts : {2, 4}) {
        for (const int steps : {1, longestChain + 1}) {
          for (const Fused fused : {Fused::None, Fused::Value, Fused::Index}) {
            layout.parts = parts;
            layout.columns = columns;
            layout.shifts = shifts;
            layout.steps = steps;
            for (const int warpgroups : {2, 4}) kernels.insert(tensorKernelOf(layout, warpgroups, fused));
          }
        }
      }
    }
  }
  kernels.erase(nullptr);
  return static_cast<int>(kernels.size());
}

}  // namespace bankside::cuda

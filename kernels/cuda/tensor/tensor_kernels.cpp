#include "kernels/cuda/tensor/tensor_kernels.h"

#include <set>

namespace bankside::cuda {

const void* tensorKernelOf(const TensorLayout& layout, Fused fused) {
  return layout.parts == PixelParts::Whole ? wholeKernelOf(layout, fused) : splitKernelOf(layout, fused);
}

int tensorKernelCount() {
  std::set<const void*> kernels;
  TensorLayout layout;
  for (const PixelParts parts : {PixelParts::Whole, PixelParts::Split}) {
    for (const int tapColumns : {48, 64, 96, 128}) {
      for (const int chains : {1, 2}) {
        for (const Fused fused : {Fused::None, Fused::Value, Fused::Index}) {
          layout.parts = parts;
          layout.tapColumns = tapColumns;
          layout.chains = chains;
          kernels.insert(tensorKernelOf(layout, fused));
        }
      }
    }
  }
  kernels.erase(nullptr);
  return static_cast<int>(kernels.size());
}

}  // namespace bankside::cuda

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
    for (const int columns : {24, 64}) {
      for (const bool paired : {false, true}) {
        for (const int rowStep : {1, 2}) {
          for (const Fused fused : {Fused::None, Fused::Value, Fused::Index}) {
            layout.parts = parts;
            layout.columns = columns;
            layout.paired = paired;
            layout.rowStep = rowStep;
            if (const void* kernel = tensorKernelOf(layout, fused)) kernels.insert(kernel);
          }
        }
      }
    }
  }
  return static_cast<int>(kernels.size());
}

}  // namespace bankside::cuda

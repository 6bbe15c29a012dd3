#include "kernels/cuda/tensor/tensor_kernels.h"

#include <set>

namespace bankside::cuda {

const void* tensorKernelOf(const TensorLayout& layout, Fused fused) {
  switch (layout.parts) {
    case PixelParts::Split: return splitKernelOf(layout, fused);
    case PixelParts::Rounded: return roundedKernelOf(layout, fused);
    case PixelParts::Whole: break;
  }
  return layout.halves == TapHalves::High ? highKernelOf(layout, fused) : wholeKernelOf(layout, fused);
}

int tensorKernelCount() {
  std::set<const void*> kernels;
  TensorLayout layout;
  for (const PixelParts parts : {PixelParts::Whole, PixelParts::Split, PixelParts::Rounded}) {
    for (const TapHalves halves : {TapHalves::Both, TapHalves::Apart, TapHalves::High}) {
      for (const int tapColumns : {48, 64, 96, 128}) {
        for (const int chains : {1, 2}) {
          for (const Fused fused : {Fused::None, Fused::Value, Fused::Index}) {
            layout.parts = parts;
            layout.halves = halves;
            layout.tapColumns = tapColumns;
            layout.chains = chains;
            kernels.insert(tensorKernelOf(layout, fused));
          }
        }
      }
    }
  }
  kernels.erase(nullptr);
  return static_cast<int>(kernels.size());
}

}  // namespace bankside::cuda

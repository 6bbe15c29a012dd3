#include "kernels/cuda/tensor/tensor_kernels.h"

#include <set>

namespace bankside::cuda {
namespace {

const void* warpgroupKernelOf([[maybe_unused]] const TensorLayout& layout, [[maybe_unused]] Fused fused) {
#ifdef BANKSIDE_TENSOR_WARPGROUPS
  switch (layout.parts) {
    case PixelParts::Split: return splitKernelOf(layout, fused);
    case PixelParts::Rounded: return roundedKernelOf(layout, fused);
    case PixelParts::Whole: break;
  }
  return layout.halves == TapParts::High ? highKernelOf(layout, fused) : wholeKernelOf(layout, fused);
#else
  return nullptr;
#endif
}

const void* warpKernelOf([[maybe_unused]] const TensorLayout& layout, [[maybe_unused]] Fused fused) {
#ifdef BANKSIDE_TENSOR_WARPS
  return layout.parts == PixelParts::Whole ? warpWholeKernelOf(layout, fused)
                                           : warpWideKernelOf(layout, fused);
#else
  return nullptr;
#endif
}

}  // namespace

const void* tensorKernelOf(const TensorLayout& layout, Fused fused) {
  return layout.form == TensorForm::Warps ? warpKernelOf(layout, fused) : warpgroupKernelOf(layout, fused);
}

bool hasTensorKernels(TensorForm form) {
  TensorLayout layout;
  layout.form = form;
  return tensorKernelOf(layout, Fused::None) != nullptr;
}

int tensorKernelCount(TensorForm form) {
  std::set<const void*> kernels;
  TensorLayout layout;
  layout.form = form;
  for (const PixelParts parts : {PixelParts::Whole, PixelParts::Split, PixelParts::Rounded}) {
    for (const TapParts halves : {TapParts::Both, TapParts::Apart, TapParts::High}) {
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

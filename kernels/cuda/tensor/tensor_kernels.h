/// From a layout to its compiled kernel.
#pragma once

#include "kernels/cuda/fused.h"
#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

/// Never null for a layout of `tensorLayout`; layouts that stack rows keep nothing.
const void* tensorKernelOf(const TensorLayout& layout, Fused fused);

/// How many were compiled.
int tensorKernelCount();

// One function a translation unit of instances; null where it has none.
const void* wholeKernelOf(const TensorLayout& layout, Fused fused);
const void* splitKernelOf(const TensorLayout& layout, Fused fused);

}  // namespace bankside::cuda

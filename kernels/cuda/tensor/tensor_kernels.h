/// From a layout to its compiled kernel.
#pragma once

#include "kernels/cuda/fused.h"
#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

const void* tensorKernelOf(const TensorLayout& layout, int warpgroups, Fused fused);

/// How many were compiled.
int tensorKernelCount();

// One function a translation unit of instances.
const void* wholeKernelOf(const TensorLayout& layout, int warpgroups, Fused fused);
const void* splitKernelOf(const TensorLayout& layout, int warpgroups, Fused fused);

}  // namespace bankside::cuda

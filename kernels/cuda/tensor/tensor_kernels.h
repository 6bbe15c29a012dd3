/// From a layout to its compiled kernel.
#pragma once

#include "kernels/cuda/pixels/fused.h"
#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

const void* tensorKernelOf(const TensorLayout& layout, Fused fused);

/// How many were compiled.
int tensorKernelCount();

// One function a translation unit of instances.
const void* wholeKernelOf(const TensorLayout& layout, Fused fused);
const void* splitKernelOf(const TensorLayout& layout, Fused fused);
const void* highKernelOf(const TensorLayout& layout, Fused fused);
const void* roundedKernelOf(const TensorLayout& layout, Fused fused);

}  // namespace bankside::cuda

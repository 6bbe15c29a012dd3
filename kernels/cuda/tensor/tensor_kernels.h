/// From a layout to its compiled kernel.
#pragma once

#include "kernels/cuda/pixels/fused.h"
#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

/// Null where the build has none.
const void* tensorKernelOf(const TensorLayout& layout, Fused fused);

/// Whether this build has kernels of the form.
bool hasTensorKernels(TensorForm form);

/// How many of them it has.
int tensorKernelCount(TensorForm form);

// One function a translation unit of instances.
const void* wholeKernelOf(const TensorLayout& layout, Fused fused);
const void* splitKernelOf(const TensorLayout& layout, Fused fused);
const void* highKernelOf(const TensorLayout& layout, Fused fused);
const void* roundedKernelOf(const TensorLayout& layout, Fused fused);
const void* warpWholeKernelOf(const TensorLayout& layout, Fused fused);
const void* warpWideKernelOf(const TensorLayout& layout, Fused fused);

}  // namespace bankside::cuda

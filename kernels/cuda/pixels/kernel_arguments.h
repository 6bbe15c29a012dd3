/// Everything a single-channel launch needs beside its shape; passed to kernels by value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/border.h"
#include "core/element_type.h"
#include "core/problem.h"
#include "kernels/cuda/pixels/fallback_map.h"

namespace bankside::cuda {

/// Rows of one image plane in device memory; rows start on a boundary of four pixels.
///
/// Row i of the buffer is image row `firstRow` + i. Where `rowsResolved`, rows that lie outside the image
/// were put there by the border rule already (an image in bands); else the buffer holds the whole image and
/// the kernel resolves them. A Constant border is always the kernel's.
struct SourceRows {
  const void* pixels = nullptr;
  std::ptrdiff_t stride = 0;  ///< elements
  ElementType type = ElementType::F32;
  int width = 0;        ///< of the image
  int imageHeight = 0;  ///< of the image, not of the buffer
  int firstRow = 0;
  bool rowsResolved = false;
};

/// Where results go: plane p, row y of the launch at pixels + p * planeStride + y * stride. Rows start on a
/// 16-byte boundary. `index` is ArgMax's second plane, rows `stride` apart as well.
struct ResultRows {
  void* pixels = nullptr;
  std::uint16_t* index = nullptr;
  std::ptrdiff_t planeStride = 0;  ///< elements
  std::ptrdiff_t stride = 0;       ///< elements
  ElementType type = ElementType::F32;
};

struct KernelArguments {
  SourceRows src;
  ResultRows dst;
  Border border;
  Combine combine = Combine::None;
  int filterCount = 1;
  int filterHeight = 1;
  int filterWidth = 1;
  int anchorX = 0;
  int anchorY = 0;
  int filtersPerBlock = 1;  ///< filters that a thread block makes (see placeOf)
  int wholeRows = 0;        ///< rows of tiles whose blocks make all filters
  int partsLog2 = 0;
  int x = 0;  ///< of the image, where the result begins
  int y = 0;
  int width = 0;  ///< of the result
  int height = 0;
  const float* taps = nullptr;  ///< the bank in device memory, for the kernel of any size
  int ahead = 0;                ///< thread blocks that a device runs at a time; 0: unknown
  int aheadX = 0;               ///< as columns and rows of the grid (launch)
  int aheadY = 0;
  FallbackMap fallback;  ///< of a faster kernel what it leaves; of the direct one all that it makes
};

/// `a`, which says where from and where to, with all that is a bank's; `taps` in device memory.
inline KernelArguments withBank(KernelArguments a, const ConvolutionProblem& problem, int anchorX,
                                int anchorY, const void* taps) {
  a.border = problem.border;
  a.combine = problem.combine;
  a.filterCount = problem.filterCount;
  a.filterHeight = problem.filterHeight;
  a.filterWidth = problem.filterWidth;
  a.anchorX = anchorX;
  a.anchorY = anchorY;
  a.taps = static_cast<const float*>(taps);
  return a;
}

}  // namespace bankside::cuda

/// Which strips a block multiplies, and which results of them lie in the region.
#pragma once

#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// The strips of a block: a turn is 64 groups of one of them.
struct Turns {
  int pass;    ///< where blocks share passes; 0 where a block does them all
  int x0, y0;  ///< of the first result; the band may begin further right and below
  int strips;
  int last;   ///< turn of a strip: 0 or 1
  int parts;  ///< of a strip, that have results
  /// Parts and strips whose results all lie in the region and begin at an even column; none where combined.
  int firstWholePart, endWholePart, firstWholeStrip, endWholeStrip;
  __device__ __forceinline__ explicit Turns(const TensorArguments& a)
      : pass(static_cast<int>(blockIdx.y)),
        x0(static_cast<int>(blockIdx.x) * a.layout.width() - a.before),
        y0(static_cast<int>(blockIdx.z) * a.walk.blockStrips * a.layout.rowStep - a.above),
        strips(min(a.walk.blockStrips, a.strips - static_cast<int>(blockIdx.z) * a.walk.blockStrips)),
        last(a.layout.groups / groupsOfProduct - 1) {
    static_assert(groupsOfProduct == 64);
    const int widthLog2 = 6 + a.layout.shiftsLog2;
    const int columns = a.base.width - x0;
    parts = ((columns - 1) >> widthLog2) + 1;
    firstWholePart = x0 < 0 ? 1 : 0;
    endWholePart = a.base.combine == Combine::None && (x0 & 1) == 0 ? columns >> widthLog2 : 0;
    firstWholeStrip = y0 < 0 ? 1 : 0;
    endWholeStrip = a.wholeStrips - static_cast<int>(blockIdx.z) * a.walk.blockStrips;
  }
  __device__ __forceinline__ int count() const { return strips << last; }
  __device__ __forceinline__ int strip(int turn) const { return turn >> last; }
  /// Of its strip.
  __device__ __forceinline__ int part(int turn) const { return turn & last; }
  __device__ __forceinline__ bool whole(int strip, int part) const {
    return part >= firstWholePart && part < endWholePart && strip >= firstWholeStrip && strip < endWholeStrip;
  }
  /// Whether the rows do, results are not combined and begin at an even column.
  __device__ __forceinline__ bool wholeRows(int strip, Combine combine) const {
    return strip >= firstWholeStrip && strip < endWholeStrip && combine == Combine::None && (x0 & 1) == 0;
  }
};

}  // namespace bankside::cuda

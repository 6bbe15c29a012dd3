/// What becomes of finished sums: written as they are, or combined in registers and written once.
#pragma once

#include "kernels/cuda/pixels/fused_combine.cuh"
#include "kernels/cuda/pixels/pixel_io.cuh"

namespace bankside::cuda {

/// What this thread block makes.
__device__ __forceinline__ BlockPlace placeOf(const KernelArguments& a) {
  return placeOf(static_cast<int>(blockIdx.y), a.wholeRows, a.filterCount, a.filtersPerBlock, a.partsLog2);
}

template <int rows, int pixels, Fused fused>
class ResultSink {
 public:
  /// For results at (x, y) of filter `first` and those after it.
  __device__ __forceinline__ ResultSink(const KernelArguments&, int, int, int) {}
  /// Filters must come in order, the first of the launch with `filter` 0 where results are fused.
  __device__ __forceinline__ void take(const KernelArguments& a, int filter, int x, int y,
                                       const float (&sum)[rows][pixels]) {
    if (filter == 0) {
      forEach([&](int r, int p) {
        value_[r][p] = combineFirst(a.combine, sum[r][p]);
        if constexpr (fused == Fused::Index) index_[r][p] = 0;
      });
    } else if constexpr (fused == Fused::Index) {
      forEach([&](int r, int p) { keepLarger(value_[r][p], index_[r][p], sum[r][p], filter); });
    } else {
      withRule(a.combine, [&](const auto& rule) {
        forEach([&](int r, int p) { value_[r][p] = rule(value_[r][p], sum[r][p]); });
      });
    }
  }

  __device__ __forceinline__ void finish(const KernelArguments& a, int x, int y) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (y + r >= a.height) return;
#pragma unroll
      for (int p = 0; p < pixels; ++p) value_[r][p] = combineFinish(a.combine, value_[r][p], a.filterCount);
      const std::ptrdiff_t offset = (y + r) * a.dst.stride + x;
      storeRun(a.dst.pixels, a.dst.type, offset, a.width - x, value_[r]);
      if constexpr (fused == Fused::Index) storeIndices(a.dst.index, offset, a.width - x, index_[r]);
    }
  }

 private:
  template <class Function>
  __device__ __forceinline__ static void forEach(Function&& function) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int p = 0; p < pixels; ++p) function(r, p);
  }

  float value_[rows][pixels];
  std::uint32_t index_[fused == Fused::Index ? rows : 1][pixels];
};

template <int rows, int pixels>
class ResultSink<rows, pixels, Fused::None> {
 public:
  __device__ __forceinline__ ResultSink(const KernelArguments& a, int first, int x, int y) {
    if (a.dst.type == ElementType::F32 && x + pixels <= a.width && y + rows <= a.height)
      whole_ = static_cast<float*>(a.dst.pixels) + first * a.dst.planeStride + y * a.dst.stride + x;
  }
  __device__ __forceinline__ void take(const KernelArguments& a, int filter, int x, int y,
                                       const float (&sum)[rows][pixels]) {
    if (whole_ != nullptr) {
      float* out = whole_;
#pragma unroll
      for (int r = 0; r < rows; ++r, out += a.dst.stride) storeFull(out, sum[r]);
      whole_ += a.dst.planeStride;
      return;
    }
    std::ptrdiff_t offset = filter * a.dst.planeStride + y * a.dst.stride + x;
#pragma unroll
    for (int r = 0; r < rows; ++r, offset += a.dst.stride) {
      if (y + r < a.height) storeRun(a.dst.pixels, a.dst.type, offset, a.width - x, sum[r]);
    }
  }
  __device__ __forceinline__ void finish(const KernelArguments&, int, int) {}

 private:
  float* whole_ = nullptr;  ///< the next filter's first result, where every run is a full one of f32
};

}  // namespace bankside::cuda

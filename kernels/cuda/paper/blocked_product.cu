#include "kernels/cuda/paper/blocked_product.h"

#include <vector>

#include "kernels/cuda/paper/paper_kernel.cuh"
#include "kernels/cuda/runtime/cublas_library.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/time_launches.h"

namespace bankside::cuda {
namespace {

constexpr int productSide = 2048;
constexpr int productTile = 64;
constexpr int productDepth = 32;

/// C = A^T B for matrices [depth][side]: a block makes 64 x 64 elements, a thread 4 x 4 in units of `unit`
/// neighbours, units of neighbouring threads side by side.
template <class T, int unit>
__global__ void __launch_bounds__(256) productKernel(const T* a, const T* b, float* c, int side) {
  using Elements = Unit<T, unit>;
  __shared__ Elements tileA[productDepth][productTile / unit];
  __shared__ Elements tileB[productDepth][productTile / unit];
  constexpr int units = 4 / unit;
  const int tx = static_cast<int>(threadIdx.x) % 16;
  const int ty = static_cast<int>(threadIdx.x) / 16;
  const int firstRow = static_cast<int>(blockIdx.y) * productTile;
  const int firstColumn = static_cast<int>(blockIdx.x) * productTile;
  float sum[4][4] = {};
  for (int depth = 0; depth < side; depth += productDepth) {
    for (int i = static_cast<int>(threadIdx.x); i < productDepth * productTile / unit; i += 256) {
      const int d = i / (productTile / unit);
      const int u = i % (productTile / unit);
      tileA[d][u] = *reinterpret_cast<const Elements*>(a + (depth + d) * side + firstRow + u * unit);
      tileB[d][u] = *reinterpret_cast<const Elements*>(b + (depth + d) * side + firstColumn + u * unit);
    }
    __syncthreads();
#pragma unroll 4
    for (int d = 0; d < productDepth; ++d) {
      float left[4], right[4];
#pragma unroll
      for (int u = 0; u < units; ++u) {
        const Elements fromA = tileA[d][u * 16 + ty];
        const Elements fromB = tileB[d][u * 16 + tx];
#pragma unroll
        for (int i = 0; i < unit; ++i) {
          left[u * unit + i] = asFloat(fromA.pixel[i]);
          right[u * unit + i] = asFloat(fromB.pixel[i]);
        }
      }
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int s = 0; s < 4; ++s) sum[r][s] = __fmaf_rn(left[r], right[s], sum[r][s]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r)
#pragma unroll
    for (int s = 0; s < 4; ++s)
      c[(firstRow + (r / unit * 16 + ty) * unit + r % unit) * side + firstColumn +
        (s / unit * 16 + tx) * unit + s % unit] = sum[r][s];
}

/// Small integers: every sum is exact.
float elementOf(int matrix, int row, int column) {
  return static_cast<float>((row * 7 + column * 13 + matrix * 5) % 9 - 4);
}

/// Both matrices on the device, and what a product of them should be.
template <class T>
class Factors {
 public:
  Factors() : a_(count * sizeof(T)), b_(count * sizeof(T)), c_(count * sizeof(float)) {
    for (int m = 0; m < 2; ++m) {
      std::vector<T> host(count);
      for (int d = 0; d < productSide; ++d)
        for (int i = 0; i < productSide; ++i)
          host[static_cast<std::size_t>(d) * productSide + static_cast<std::size_t>(i)] =
              static_cast<T>(elementOf(m, d, i));
      BANKSIDE_CUDA_CHECK(
          cudaMemcpy((m == 0 ? a_ : b_).data(), host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
  }
  const T* a() const { return reinterpret_cast<const T*>(a_.data()); }
  const T* b() const { return reinterpret_cast<const T*>(b_.data()); }
  float* c() const { return reinterpret_cast<float*>(c_.data()); }

  /// What is wrong with C, on a sample; empty if nothing is. `transposed`: columns lie side by side.
  std::string wrong(bool transposed) const {
    std::vector<float> out(count);
    BANKSIDE_CUDA_CHECK(cudaMemcpy(out.data(), c(), count * sizeof(float), cudaMemcpyDeviceToHost));
    for (int sample = 0; sample < 200; ++sample) {
      const int row = sample * 977 % productSide;
      const int column = sample * 1931 % productSide;
      float expected = 0;
      for (int d = 0; d < productSide; ++d) expected += elementOf(0, d, row) * elementOf(1, d, column);
      const int at = transposed ? column * productSide + row : row * productSide + column;
      const float got = out[static_cast<std::size_t>(at)];
      if (got != expected)
        return "element (" + std::to_string(row) + ", " + std::to_string(column) + ") is " +
               std::to_string(got) + " and not " + std::to_string(expected);
    }
    return {};
  }

 private:
  static constexpr std::size_t count = std::size_t{productSide} * productSide;
  DeviceBuffer a_, b_, c_;
};

template <class T, int unit>
BlockedProduct product() {
  const Factors<T> factors;
  BlockedProduct result;
  result.seconds = timeLaunches(
                       [&](int, void* stream) {
                         productKernel<T, unit><<<dim3(productSide / productTile, productSide / productTile),
                                                  256, 0, static_cast<cudaStream_t>(stream)>>>(
                             factors.a(), factors.b(), factors.c(), productSide);
                       },
                       1, 2)
                       .median;
  result.wrong = factors.wrong(false);
  return result;
}

template <class T>
BlockedProduct productOf(int unit) {
  return unit == 1 ? product<T, 1>() : unit == 2 ? product<T, 2>() : product<T, 4>();
}

}  // namespace

BlockedProduct timeBlockedProduct(ElementType type, int unitElements) {
  return type == ElementType::F16 ? productOf<__half>(unitElements) : productOf<float>(unitElements);
}

BlockedProduct timeLibraryProduct() {
  const CublasLibrary& library = cublasLibrary();
  if (const Support there = library.file.available(); !there) return {0, there.reason};
  const Factors<float> factors;
  cublasHandle_t handle = nullptr;
  checkCublas(library.cublasCreate_v2(&handle), "create");
  checkCublas(library.cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH), "math");  // f32, no TF32
  const float one = 1.0f;
  const float zero = 0.0f;
  BlockedProduct result;
  // cuBLAS counts in columns: to it the matrices are [side][depth].
  PassTiming launched;
  launched.graph = false;
  result.seconds =
      timeLaunches(
          [&](int, void* stream) {
            checkCublas(library.cublasSetStream_v2(handle, static_cast<cudaStream_t>(stream)), "stream");
            checkCublas(library.cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_T, productSide, productSide,
                                               productSide, &one, factors.a(), productSide, factors.b(),
                                               productSide, &zero, factors.c(), productSide),
                        "product");
          },
          1, 2, launched)
          .median;
  library.cublasDestroy_v2(handle);
  result.wrong = factors.wrong(true);
  return result;
}

}  // namespace bankside::cuda

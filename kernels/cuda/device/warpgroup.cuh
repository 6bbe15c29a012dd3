/// Hopper's warpgroup matrix instruction: 64 x 16 halves times 16 x N halves, both in shared memory, added
/// to f32 sums. Four warps together; asynchronous until `waitForProducts`.
#pragma once

#include <cstdint>

namespace bankside::cuda {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || !defined(__CUDA_ARCH__)
#define BANKSIDE_WARPGROUP(...) asm volatile(__VA_ARGS__)
#else
#define BANKSIDE_WARPGROUP(...)
#endif

/// A matrix in shared memory: cores of 8 rows (or columns) x 8 halves, 128 bytes each, a row's halves side by
/// side. The lower half of a descriptor says where, in units of 16 bytes: the first core, and how far on the
/// core with halves 8 to 15 lies. The upper half: how far on the next 8 rows lie.
__device__ __forceinline__ std::uint32_t sharedUnits(const void* shared) {
  return (static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)) & 0x3ffff) >> 4;
}

/// Ordinary stores of this thread to shared memory are read by the products that follow the next barrier.
__device__ __forceinline__ void showToProducts() {
  BANKSIDE_WARPGROUP("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Registers written before belong to the products that follow.
__device__ __forceinline__ void beginProducts() {
  BANKSIDE_WARPGROUP("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void waitForProducts() {
  BANKSIDE_WARPGROUP("wgmma.commit_group.sync.aligned;" ::: "memory");
  BANKSIDE_WARPGROUP("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/// sum = (add ? sum : 0) + taps x pixels, given as lower halves of descriptors; 8 rows of taps lie 256 bytes
/// apart, 8 columns of pixels 128. Lane 4g + t of warp w holds rows 16w + g and 16w + g + 8, of them columns
/// 8j + 2t and 8j + 2t + 1: of the first row at 4j, of the second at 4j + 2. 128 columns, or 64.
template <bool add>
__device__ __forceinline__ void addProducts(float (&sum)[64], std::uint32_t taps, std::uint32_t pixels) {
  BANKSIDE_WARPGROUP(
      "{.reg .b64 a, b;\n mov.b64 a, {%64, 16};\n mov.b64 b, {%65, 8};\n"
      " wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
      "}, a, b, %66, 1, 1, 0, 0;}"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]), "+f"(sum[6]),
        "+f"(sum[7]), "+f"(sum[8]), "+f"(sum[9]), "+f"(sum[10]), "+f"(sum[11]), "+f"(sum[12]), "+f"(sum[13]),
        "+f"(sum[14]), "+f"(sum[15]), "+f"(sum[16]), "+f"(sum[17]), "+f"(sum[18]), "+f"(sum[19]),
        "+f"(sum[20]), "+f"(sum[21]), "+f"(sum[22]), "+f"(sum[23]), "+f"(sum[24]), "+f"(sum[25]),
        "+f"(sum[26]), "+f"(sum[27]), "+f"(sum[28]), "+f"(sum[29]), "+f"(sum[30]), "+f"(sum[31]),
        "+f"(sum[32]), "+f"(sum[33]), "+f"(sum[34]), "+f"(sum[35]), "+f"(sum[36]), "+f"(sum[37]),
        "+f"(sum[38]), "+f"(sum[39]), "+f"(sum[40]), "+f"(sum[41]), "+f"(sum[42]), "+f"(sum[43]),
        "+f"(sum[44]), "+f"(sum[45]), "+f"(sum[46]), "+f"(sum[47]), "+f"(sum[48]), "+f"(sum[49]),
        "+f"(sum[50]), "+f"(sum[51]), "+f"(sum[52]), "+f"(sum[53]), "+f"(sum[54]), "+f"(sum[55]),
        "+f"(sum[56]), "+f"(sum[57]), "+f"(sum[58]), "+f"(sum[59]), "+f"(sum[60]), "+f"(sum[61]),
        "+f"(sum[62]), "+f"(sum[63])
      : "r"(taps), "r"(pixels), "n"(add ? 1 : 0));
}
template <bool add>
__device__ __forceinline__ void addProducts(float (&sum)[32], std::uint32_t taps, std::uint32_t pixels) {
  BANKSIDE_WARPGROUP(
      "{.reg .b64 a, b;\n mov.b64 a, {%32, 16};\n mov.b64 b, {%33, 8};\n"
      " wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
      "}, a, b, %34, 1, 1, 0, 0;}"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]), "+f"(sum[6]),
        "+f"(sum[7]), "+f"(sum[8]), "+f"(sum[9]), "+f"(sum[10]), "+f"(sum[11]), "+f"(sum[12]), "+f"(sum[13]),
        "+f"(sum[14]), "+f"(sum[15]), "+f"(sum[16]), "+f"(sum[17]), "+f"(sum[18]), "+f"(sum[19]),
        "+f"(sum[20]), "+f"(sum[21]), "+f"(sum[22]), "+f"(sum[23]), "+f"(sum[24]), "+f"(sum[25]),
        "+f"(sum[26]), "+f"(sum[27]), "+f"(sum[28]), "+f"(sum[29]), "+f"(sum[30]), "+f"(sum[31])
      : "r"(taps), "r"(pixels), "n"(add ? 1 : 0));
}

/// The compiler must not read sums before they are there.
template <int count>
__device__ __forceinline__ void settle(float (&sum)[count]) {
#pragma unroll
  for (float& s : sum) asm volatile("" : "+f"(s)::"memory");
}

/// A barrier of one warpgroup alone.
__device__ __forceinline__ void syncWarpgroup(int number) {
  asm volatile("bar.sync %0, 128;" ::"r"(number + 1) : "memory");
}

}  // namespace bankside::cuda

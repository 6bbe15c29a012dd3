/// Hopper's warpgroup matrix instruction: 64 x 16 halves from registers times 16 x N halves from shared
/// memory, added to f32 sums. Four warps together; asynchronous until `waitForProducts`.
#pragma once

#include <cstdint>

namespace bankside::cuda {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || !defined(__CUDA_ARCH__)
#define BANKSIDE_WARPGROUP(...) asm volatile(__VA_ARGS__)
#else
#define BANKSIDE_WARPGROUP(...)
#endif

/// Where the columns lie: blocks of 8 columns x 8 rows of halves, 128 bytes each, a column's 8 halves side by
/// side; the block of rows 8 to 15 follows at once, the next 8 columns 256 bytes on.
/// The lower half of the descriptor, in units of 16 bytes; the upper one says 256 bytes.
__device__ __forceinline__ std::uint32_t columnsAt(const void* shared) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  return (address & 0x3ffff) >> 4 | (128 >> 4) << 16;
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

/// sum += pixels x columns. Lane 4g + t of warp w holds rows 16w + g and 16w + g + 8: of `pixels` columns 2t
/// and 2t + 1 (words 0 and 1), 2t + 8 and 2t + 9 (words 2 and 3); of `sum` columns 8i + 2t and 8i + 2t + 1 of
/// the first row at 4i, of the second at 4i + 2.
template <int columns>
__device__ __forceinline__ void addProducts(float (&sum)[columns / 2], const std::uint32_t (&pixels)[4],
                                            std::uint32_t taps);

template <>
__device__ __forceinline__ void addProducts<24>(float (&sum)[12], const std::uint32_t (&pixels)[4],
                                                std::uint32_t taps) {
  BANKSIDE_WARPGROUP(
      "{.reg .b64 d;\n mov.b64 d, {%16, 16};\n wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11"
      "}, {%12, %13, %14, %15}, d, 1, 1, 1, 0;}"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]), "+f"(sum[6]),
        "+f"(sum[7]), "+f"(sum[8]), "+f"(sum[9]), "+f"(sum[10]), "+f"(sum[11])
      : "r"(pixels[0]), "r"(pixels[1]), "r"(pixels[2]), "r"(pixels[3]), "r"(taps));
}

template <>
__device__ __forceinline__ void addProducts<32>(float (&sum)[16], const std::uint32_t (&pixels)[4],
                                                std::uint32_t taps) {
  BANKSIDE_WARPGROUP(
      "{.reg .b64 d;\n mov.b64 d, {%20, 16};\n wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
      "}, {%16, %17, %18, %19}, d, 1, 1, 1, 0;}"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]), "+f"(sum[6]),
        "+f"(sum[7]), "+f"(sum[8]), "+f"(sum[9]), "+f"(sum[10]), "+f"(sum[11]), "+f"(sum[12]), "+f"(sum[13]),
        "+f"(sum[14]), "+f"(sum[15])
      : "r"(pixels[0]), "r"(pixels[1]), "r"(pixels[2]), "r"(pixels[3]), "r"(taps));
}

template <>
__device__ __forceinline__ void addProducts<64>(float (&sum)[32], const std::uint32_t (&pixels)[4],
                                                std::uint32_t taps) {
  BANKSIDE_WARPGROUP(
      "{.reg .b64 d;\n mov.b64 d, {%36, 16};\n wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
      "}, {%32, %33, %34, %35}, d, 1, 1, 1, 0;}"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]), "+f"(sum[6]),
        "+f"(sum[7]), "+f"(sum[8]), "+f"(sum[9]), "+f"(sum[10]), "+f"(sum[11]), "+f"(sum[12]), "+f"(sum[13]),
        "+f"(sum[14]), "+f"(sum[15]), "+f"(sum[16]), "+f"(sum[17]), "+f"(sum[18]), "+f"(sum[19]),
        "+f"(sum[20]), "+f"(sum[21]), "+f"(sum[22]), "+f"(sum[23]), "+f"(sum[24]), "+f"(sum[25]),
        "+f"(sum[26]), "+f"(sum[27]), "+f"(sum[28]), "+f"(sum[29]), "+f"(sum[30]), "+f"(sum[31])
      : "r"(pixels[0]), "r"(pixels[1]), "r"(pixels[2]), "r"(pixels[3]), "r"(taps));
}

/// A copy that the compiler takes for another value: an instruction wants its words in registers of their
/// own, and words that fragments share would be copied for every instruction.
__device__ __forceinline__ std::uint32_t copyOf(std::uint32_t word) {
  std::uint32_t copy;
  asm volatile("mov.b32 %0, %1;" : "=r"(copy) : "r"(word));
  return copy;
}

/// The compiler must not read sums before they are there.
template <int count>
__device__ __forceinline__ void settle(float (&sum)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+f"(sum[i])::"memory");
}

}  // namespace bankside::cuda

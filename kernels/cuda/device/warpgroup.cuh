/// Hopper's warpgroup matrix instruction: 64 x 16 halves times 16 x N halves, both in shared memory, added to
/// f32 sums. Four warps together; asynchronous until `waitForProducts`.
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
/// Behind every run of products that `beginProducts` begins. At the end of a loop's body, not behind the
/// loop: there the assembler puts one more small product.
__device__ __forceinline__ void endProducts() {
  BANKSIDE_WARPGROUP("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void waitForProducts() {
  BANKSIDE_WARPGROUP("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

#define BANKSIDE_SUMS(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define BANKSIDE_PLACES_4 "%0, %1, %2, %3"
#define BANKSIDE_PLACES_8 BANKSIDE_PLACES_4 ", %4, %5, %6, %7"
#define BANKSIDE_PLACES_12 BANKSIDE_PLACES_8 ", %8, %9, %10, %11"
#define BANKSIDE_PLACES_16 BANKSIDE_PLACES_12 ", %12, %13, %14, %15"
#define BANKSIDE_PLACES_20 BANKSIDE_PLACES_16 ", %16, %17, %18, %19"
#define BANKSIDE_PLACES_24 BANKSIDE_PLACES_20 ", %20, %21, %22, %23"
#define BANKSIDE_PLACES_28 BANKSIDE_PLACES_24 ", %24, %25, %26, %27"
#define BANKSIDE_PLACES_32 BANKSIDE_PLACES_28 ", %28, %29, %30, %31"
#define BANKSIDE_PLACES_36 BANKSIDE_PLACES_32 ", %32, %33, %34, %35"
#define BANKSIDE_PLACES_40 BANKSIDE_PLACES_36 ", %36, %37, %38, %39"
#define BANKSIDE_PLACES_44 BANKSIDE_PLACES_40 ", %40, %41, %42, %43"
#define BANKSIDE_PLACES_48 BANKSIDE_PLACES_44 ", %44, %45, %46, %47"
#define BANKSIDE_PLACES_52 BANKSIDE_PLACES_48 ", %48, %49, %50, %51"
#define BANKSIDE_PLACES_56 BANKSIDE_PLACES_52 ", %52, %53, %54, %55"
#define BANKSIDE_PLACES_60 BANKSIDE_PLACES_56 ", %56, %57, %58, %59"
#define BANKSIDE_PLACES_64 BANKSIDE_PLACES_60 ", %60, %61, %62, %63"
#define BANKSIDE_SUMS_4 BANKSIDE_SUMS(0)
#define BANKSIDE_SUMS_8 BANKSIDE_SUMS_4, BANKSIDE_SUMS(4)
#define BANKSIDE_SUMS_12 BANKSIDE_SUMS_8, BANKSIDE_SUMS(8)
#define BANKSIDE_SUMS_16 BANKSIDE_SUMS_12, BANKSIDE_SUMS(12)
#define BANKSIDE_SUMS_20 BANKSIDE_SUMS_16, BANKSIDE_SUMS(16)
#define BANKSIDE_SUMS_24 BANKSIDE_SUMS_20, BANKSIDE_SUMS(20)
#define BANKSIDE_SUMS_28 BANKSIDE_SUMS_24, BANKSIDE_SUMS(24)
#define BANKSIDE_SUMS_32 BANKSIDE_SUMS_28, BANKSIDE_SUMS(28)
#define BANKSIDE_SUMS_36 BANKSIDE_SUMS_32, BANKSIDE_SUMS(32)
#define BANKSIDE_SUMS_40 BANKSIDE_SUMS_36, BANKSIDE_SUMS(36)
#define BANKSIDE_SUMS_44 BANKSIDE_SUMS_40, BANKSIDE_SUMS(40)
#define BANKSIDE_SUMS_48 BANKSIDE_SUMS_44, BANKSIDE_SUMS(44)
#define BANKSIDE_SUMS_52 BANKSIDE_SUMS_48, BANKSIDE_SUMS(48)
#define BANKSIDE_SUMS_56 BANKSIDE_SUMS_52, BANKSIDE_SUMS(52)
#define BANKSIDE_SUMS_60 BANKSIDE_SUMS_56, BANKSIDE_SUMS(56)
#define BANKSIDE_SUMS_64 BANKSIDE_SUMS_60, BANKSIDE_SUMS(60)

/// `sums` is half of `columns`; then the numbers of three more operands.
#define BANKSIDE_PRODUCTS(columns, sums, pixelsAt, tapsAt, addAt)                                        \
  template <bool add>                                                                                    \
  struct Products<columns, add> {                                                                        \
    __device__ __forceinline__ static void start(float* sum, std::uint32_t pixels, std::uint32_t taps) { \
      BANKSIDE_WARPGROUP("{.reg .b64 a, b;\n mov.b64 a, {%" #pixelsAt ", 8};\n mov.b64 b, {%" #tapsAt    \
                         ", 16};\n wgmma.mma_async.sync.aligned.m64n" #columns                           \
                         "k16.f32.f16.f16 {" BANKSIDE_PLACES_##sums "}, a, b, %" #addAt ", 1, 1, 0, 0;}" \
                         : BANKSIDE_SUMS_##sums                                                          \
                         : "r"(pixels), "r"(taps), "n"(add ? 1 : 0));                                    \
    }                                                                                                    \
  };
template <int columns, bool add>
struct Products;
BANKSIDE_PRODUCTS(24, 12, 12, 13, 14)
BANKSIDE_PRODUCTS(32, 16, 16, 17, 18)
BANKSIDE_PRODUCTS(48, 24, 24, 25, 26)
BANKSIDE_PRODUCTS(64, 32, 32, 33, 34)
BANKSIDE_PRODUCTS(96, 48, 48, 49, 50)
BANKSIDE_PRODUCTS(128, 64, 64, 65, 66)

/// sum = (add ? sum : 0) + pixels x taps, given as lower halves of descriptors: 64 rows of 16 pixels, 8 rows
/// 128 bytes apart, and `columns` columns of taps, 8 of them 256 bytes apart. Lane 4g + t of warp w holds
/// rows 16w + g and 16w + g + 8, of them columns 8j + 2t and 8j + 2t + 1: of the first row at sum[4j], of the
/// second at sum[4j + 2].
template <int columns, bool add>
__device__ __forceinline__ void addProducts(float* sum, std::uint32_t pixels, std::uint32_t taps) {
  Products<columns, add>::start(sum, pixels, taps);
}

/// sum = (add ? sum : 0) + taps x pixels, given as lower halves of descriptors: 64 rows of taps, 8 of them
/// 128 bytes apart, and 128 columns of pixels, 8 of them `nextPixels` units of 16 bytes apart; 16 halves
/// each. Lane 4g + t of warp w holds of filters 16w + g and 16w + g + 8 the columns 8j + 2t and
/// 8j + 2t + 1: of the first at sum[4j], of the second at sum[4j + 2].
template <bool add>
__device__ __forceinline__ void addWideProducts(float (&sums)[64], std::uint32_t taps, std::uint32_t pixels,
                                                std::uint32_t nextPixels) {
  float* const sum = sums;
  BANKSIDE_WARPGROUP(
      "{.reg .b64 a, b;\n mov.b64 a, {%64, 8};\n mov.b64 b, {%65, %66};\n"
      " wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" BANKSIDE_PLACES_64 "}, a, b, %67, 1, 1, 0, 0;}"
      : BANKSIDE_SUMS_64
      : "r"(taps), "r"(pixels), "r"(nextPixels), "n"(add ? 1 : 0));
}

/// The compiler must not read sums before they are there.
template <int count>
__device__ __forceinline__ void settle(float (&sum)[count]) {
#pragma unroll
  for (float& s : sum) asm volatile("" : "+f"(s)::"memory");
}

/// Barrier `barrier` (1 to 15) of `threads` threads, whole warps: some wait there for all, some pass it and
/// go on.
template <int threads>
__device__ __forceinline__ void waitAtBarrier(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(threads) : "memory");
}
template <int threads>
__device__ __forceinline__ void passBarrier(int barrier) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(threads) : "memory");
}

/// Where the warps of a block meet who come from different places of a program.
template <int threads>
__device__ __forceinline__ void meetAtBarrier(int barrier) {
  asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "n"(threads) : "memory");
}

/// The same of a number that only the launch knows.
__device__ __forceinline__ void waitAtBarrier(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

/// From here on a thread of the warpgroup has so many registers, a multiple of 8: fewer than before, or more
/// that others have given up.
template <int registers>
__device__ __forceinline__ void keepRegisters() {
  BANKSIDE_WARPGROUP("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ __forceinline__ void takeRegisters() {
  BANKSIDE_WARPGROUP("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

}  // namespace bankside::cuda

/// In the place of kernels/cuda/device/warpgroup.cuh: `wgmma` with both matrices in shared memory, by 128
/// threads.
///
/// Products wait until they are waited for: what is read from shared memory, and what becomes of the sums, is
/// what a device may show at the latest. Products of halves are exact in f32; they are added one after
/// another and rounded, or aligned and cut as the tensor cores do (`sumsAreCut`).
#pragma once

#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::cuda {

inline std::uint32_t sharedUnits(const void* shared) { return on_host::sharedUnits(shared); }
inline void showToProducts() {}

inline void beginProducts() { on_host::pending().productsBegun = true; }
inline void endProducts() { on_host::pending().productsEnded = true; }
inline void waitForProducts() {
  if (!on_host::pending().productsEnded) on_host::fail("a wait for products that nothing ended");
  on_host::finishProducts();
}

inline void addLater(on_host::Product product) {
  on_host::Pending& pending = on_host::pending();
  if (!pending.productsBegun) on_host::fail("a product without a fence before it");
  pending.productsEnded = false;
  // The order of products of one shape into the same sums is the device's; others must be waited for.
  if (!pending.products.empty() && pending.products.back().columnCount != product.columnCount)
    on_host::fail("products of two shapes at the same time");
  product.warp = static_cast<int>(on_host::threadIdx.x / 32 % 4);
  pending.products.push_back(product);
}

template <int columns, bool add>
void addProducts(float* sum, std::uint32_t pixels, std::uint32_t taps) {
  static_assert(columns % 8 == 0 && columns <= 128);
  addLater({sum, pixels, taps, 128, 256, columns, 0, add});
}

template <bool add>
void addWideProducts(float (&sum)[64], std::uint32_t taps, std::uint32_t pixels, std::uint32_t nextPixels) {
  addLater({sum, taps, pixels, 128, 16 * nextPixels, 128, 0, add});
}

template <int count>
void settle(float (&)[count]) {
  if (!on_host::pending().products.empty())
    on_host::fail("sums are read before their products are waited for");
}

template <int threads>
void waitAtBarrier(int barrier) {
  on_host::waitAtBarrier(barrier, threads);
}
template <int threads>
void meetAtBarrier(int barrier) {
  on_host::waitAtBarrier(barrier, threads);
}
template <int threads>
void passBarrier(int barrier) {
  on_host::passBarrier(barrier, threads);
}

inline void waitAtBarrier(int barrier, int threads) { on_host::waitAtBarrier(barrier, threads); }

/// Here every thread has what it needs.
template <int>
void keepRegisters() {}
template <int>
void takeRegisters() {}

}  // namespace bankside::cuda

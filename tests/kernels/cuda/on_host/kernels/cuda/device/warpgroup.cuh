/// In the place of kernels/cuda/device/warpgroup.cuh: `wgmma` with pixels from registers, by 128 threads.
///
/// Products wait until they are waited for: what is read from shared memory, and what becomes of the sums, is
/// what a device may show at the latest. Products of halves are exact in f32; they are added one after
/// another and rounded, where the tensor cores align and cut.
#pragma once

#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::cuda {

inline std::uint32_t columnsAt(const void* shared) { return on_host::columnsAt(shared); }
inline void showToProducts() {}
inline std::uint32_t copyOf(std::uint32_t word) { return word; }

inline void beginProducts() { on_host::pending().productsBegun = true; }
inline void waitForProducts() { on_host::finishProducts(); }

template <int columns>
void addProducts(float (&sum)[columns / 2], const std::uint32_t (&pixels)[4], std::uint32_t taps) {
  static_assert(columns % 8 == 0 && columns <= 256);
  on_host::Pending& pending = on_host::pending();
  if (!pending.productsBegun) on_host::fail("a product without a fence before it");
  pending.products.push_back({sum, {pixels[0], pixels[1], pixels[2], pixels[3]}, taps, columns});
}

template <int count>
void settle(float (&)[count]) {
  if (!on_host::pending().products.empty())
    on_host::fail("sums are read before their products are waited for");
}

}  // namespace bankside::cuda

/// Which capability code is compiled for, and what that leaves to a thread.
#pragma once

namespace bankside::cuda {

/// 10 x major + minor, as DeviceTraits::codeFor; on the host as if for an H200.
#ifdef __CUDA_ARCH__
inline constexpr int codeFor = __CUDA_ARCH__ / 10;
#else
inline constexpr int codeFor = 90;
#endif

/// Blocks of so many threads that are to fit on a multiprocessor together, hence registers of a thread: tuned
/// on 9.0. Code for another capability may need more (`crowded`), which four warps fewer leave to it.
constexpr int blocksTogether(int tuned, int threads, bool crowded) {
  const int fewer = tuned - (threads < 128 ? 128 / threads : 1);
  return crowded && fewer > 0 ? fewer : tuned;
}

/// Whether that many threads of a multiprocessor have 128 registers each.
constexpr bool has128Registers(int threads, int blocks) { return threads * blocks == 512; }

}  // namespace bankside::cuda

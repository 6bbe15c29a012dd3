/// Copies from global to shared memory. From compute capability 8.0 on they need no register and go on while
/// threads compute; before it they are loads and stores, done at once.
#pragma once

namespace bankside::cuda {

#if __CUDA_ARCH__ >= 800

/// Four bytes; they are there after `waitForCopies`.
__device__ __forceinline__ void copyFloat(float* to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
               :
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from)
               : "memory");
}
__device__ __forceinline__ void waitForCopies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/// Four and sixteen bytes; they are there after `waitForGroups` has waited for their group.
__device__ __forceinline__ void copyWordAsync(float* to, const float* from) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from));
}
__device__ __forceinline__ void copyUnitAsync(float* to, const float* from) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from));
}
/// The copies since the last call are a group.
__device__ __forceinline__ void closeGroup() { asm volatile("cp.async.commit_group;"); }
/// Until at most the last `pending` groups are still on their way.
template <int pending>
__device__ __forceinline__ void waitForGroups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending));
}

#else

__device__ __forceinline__ void copyFloat(float* to, const float* from) { *to = __ldg(from); }
__device__ __forceinline__ void waitForCopies() {}
__device__ __forceinline__ void copyWordAsync(float* to, const float* from) { copyFloat(to, from); }
__device__ __forceinline__ void copyUnitAsync(float* to, const float* from) {
  *reinterpret_cast<float4*>(to) = __ldg(reinterpret_cast<const float4*>(from));
}
__device__ __forceinline__ void closeGroup() {}
template <int pending>
__device__ __forceinline__ void waitForGroups() {}

#endif

}  // namespace bankside::cuda

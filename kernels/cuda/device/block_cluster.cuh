/// The blocks of a cluster; a block alone before compute capability 9.0, where there are none.
#pragma once

#include <cooperative_groups.h>

namespace bankside::cuda {

#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)

class BlockCluster {
 public:
#ifdef __CUDA_ARCH__
  static constexpr bool always = true;  ///< code for a device that has clusters
#else
  static constexpr bool always = false;
#endif
  __device__ __forceinline__ int blocks() const { return static_cast<int>(group_.num_blocks()); }
  __device__ __forceinline__ int rank() const { return static_cast<int>(group_.block_rank()); }
  __device__ __forceinline__ void sync() const { group_.sync(); }
  /// All blocks have come here; unlike `sync` it shows nobody what others wrote, and waits for no result on
  /// its way to memory.
  __device__ __forceinline__ void meet() const {
#ifdef __CUDA_ARCH__
    __syncwarp();
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
#else
    group_.sync();
#endif
  }
  /// Where block `rank` has what lies at `shared` here.
  template <class T>
  __device__ __forceinline__ T* of(int rank, T* shared) const {
    return group_.map_shared_rank(shared, static_cast<unsigned>(rank));
  }

 private:
  cooperative_groups::cluster_group group_ = cooperative_groups::this_cluster();
};

#else

class BlockCluster {
 public:
  static constexpr bool always = false;
  __device__ __forceinline__ int blocks() const { return 1; }
  __device__ __forceinline__ int rank() const { return 0; }
  __device__ __forceinline__ void sync() const {}
  __device__ __forceinline__ void meet() const {}
  template <class T>
  __device__ __forceinline__ T* of(int, T* shared) const {
    return shared;
  }
};

#endif

}  // namespace bankside::cuda

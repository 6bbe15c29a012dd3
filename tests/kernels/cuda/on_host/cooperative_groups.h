/// What the kernels use of CUDA's cooperative groups: the blocks of a cluster.
#pragma once

#include "tests/kernels/cuda/on_host/block.h"

namespace cooperative_groups {

class cluster_group {
 public:
  unsigned num_blocks() const { return bankside::on_host::clusterBlocks(); }
  unsigned block_rank() const { return bankside::on_host::blockRank(); }
  void sync() const { bankside::on_host::meet(bankside::on_host::Group::Cluster, "cluster.sync"); }
  template <class T>
  T* map_shared_rank(T* address, unsigned rank) const {
    return static_cast<T*>(bankside::on_host::sharedOf(rank, address));
  }
};

inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups

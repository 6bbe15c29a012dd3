/// The dynamic shared memory of the blocks of a cluster.
#pragma once

#include <cstddef>
#include <vector>

namespace bankside::on_host {

/// What memory that nobody wrote consists of, shared or the device's: NaN in f32 and in f16.
inline constexpr int poisonByte = 0xff;

/// A kernel's dynamic shared memory is one array for every block: the running block's is in it, those of the
/// other blocks of the cluster wait in copies.
class SharedMemory {
 public:
  static constexpr std::size_t mostBytes = 227 * 1024;

  SharedMemory(std::size_t bytes, int blocks);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* begin() const;
  std::size_t bytes() const { return bytes_; }

  /// NaN everywhere, in every block.
  void poison();
  /// From now on the memory is that block's.
  void enter(int block);
  /// The place in a block's memory that `address` is in the running block's; null if it is none.
  void* placeIn(int block, const void* address);
  /// Whether nothing was stored beyond the memory.
  bool guardsHold() const;

 private:
  std::size_t bytes_;
  int entered_ = 0;
  std::vector<std::vector<std::byte>> waiting_;  ///< where there is more than one block
};

}  // namespace bankside::on_host

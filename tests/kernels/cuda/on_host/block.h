/// Thread blocks on the host: what a device thread sees of its block, and how threads wait.
///
/// Every device thread runs on a stack of its own, one at a time, in one thread of the host. It runs until it
/// meets others or waits at a numbered barrier; in which order is drawn from a seed, so that a missing
/// barrier shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bankside::on_host {

struct Index {
  unsigned x = 0, y = 0, z = 0;
};
extern Index threadIdx, blockIdx, blockDim, gridDim;

enum class Group { Warp, Warpgroup, Block, Cluster };

/// What the last thread of a group does for all of them: `of[i]` is what thread i of the group has brought.
using Together = void (*)(void* const* of, int count);

/// Waits until every thread of the group is here, bringing `mine`; the last one calls `together`. The launch
/// fails if threads of a group meet for different purposes (`what`), or one never comes.
void meet(Group group, const char* what, void* mine = nullptr, Together together = nullptr);

/// A numbered barrier of `threads` threads of the block: those that wait go on once all have waited or
/// passed.
void waitAtBarrier(int barrier, int threads);
void passBarrier(int barrier, int threads);

/// Waits until another thread of the block wakes those who sleep at this place.
void sleepAt(const void* place);
void wakeAt(const void* place);

/// Ends the launch with an error that says where it was; does not return.
[[noreturn]] void fail(const char* sentence);
inline void requireAligned(const void* address, std::size_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(address) % bytes != 0) fail("an access that is not aligned");
}

unsigned clusterBlocks();
unsigned blockRank();
/// The place in another block's dynamic shared memory that `address` is in this one's.
void* sharedOf(unsigned rank, const void* address);

/// Where this block's dynamic shared memory begins, and its bytes.
std::byte* sharedMemory();
std::size_t sharedBytes();

/// What asynchronous instructions of one device thread have still to do; theirs alone to use.
struct Copy {
  void* to;
  const void* from;
  int bytes;
  int group;
};
/// 64 rows times some columns of 16 halves each. Both matrices by the lower halves of
/// their descriptors, and bytes from eight rows (columns) to the next eight.
struct Product {
  float* sum;
  std::uint32_t rows, columns;
  std::uint32_t nextRows, nextColumns;
  int columnCount;
  int warp;  ///< of its warpgroup
  bool add;
};
struct Pending {
  std::vector<Copy> copies;
  int openGroup = 0;
  std::vector<Product> products;
  bool productsBegun = false;
  bool productsEnded = false;
  std::uint64_t productHistory = 0;  ///< the same in all threads of a warpgroup in the end
  void clear();
};
Pending& pending();
/// Copies of groups before that one arrive.
void finishCopies(int beforeGroup);
/// The warp's part of the products that its warpgroup has started.
void finishProducts();
/// Four matrices of 8 x 8 halves: the row that this thread points to, in bytes from the first of dynamic
/// shared memory on, and its part of all of them.
struct MatrixRows {
  std::uint32_t row;
  std::uint32_t halves[4];
};
void loadMatrices(MatrixRows& rows);
/// sum += a 16 x 16 matrix times a 16 x 8 one, this thread's parts of them.
struct WarpProduct {
  std::uint32_t rows[4];
  std::uint32_t columns[2];
  float* sum;
};
void multiplyByWarp(WarpProduct& product);
/// An address in dynamic shared memory as descriptors count it (see kernels/cuda/device/warpgroup.cuh).
std::uint32_t sharedUnits(const void* address);
/// Fails the launch if `bytes` at `address` are not in dynamic shared memory, or not aligned.
void requireShared(const void* address, std::size_t bytes);
/// Whether asynchronous copies of this launch arrive at once; otherwise as late as they may.
bool copiesArriveAtOnce();
/// Whether the device adds products as tensor cores do, aligned to the largest and cut; otherwise one after
/// another and rounded.
bool sumsAreCut();

struct Launch {
  std::function<void()> kernel;
  Index grid, block;
  unsigned clusterBlocks = 1;  ///< below each other in z
  std::size_t sharedBytes = 0;
  std::uint64_t seed = 0;  ///< 0: threads in their order
  bool cutSums = false;
};

/// Runs a whole grid. Gives an empty text, or what went wrong.
std::string run(const Launch& launch);

}  // namespace bankside::on_host

/// Memory of images that are gone, for the next ones of their size.
#pragma once

#include <array>
#include <cstddef>

namespace bankside {

/// While it lives, its thread keeps the pixels of images that it let go: memory that is new costs a fault a
/// page. For threads that take one image after another.
class KeptMemory {
 public:
  /// `mostBytes`: of all that it keeps.
  explicit KeptMemory(std::size_t mostBytes);
  ~KeptMemory();
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;

  /// Frees what is kept, before a wait.
  void drop();

  /// What this thread keeps, if that is what so many bytes take; else null. For `give`.
  static void* take(std::size_t bytes);
  /// Of `std::aligned_alloc`; freed where it is not kept.
  static void give(void* memory);

 private:
  void* takeOne(std::size_t bytes);
  bool keep(void* memory);

  struct Block {
    void* memory;
    std::size_t bytes;
  };
  std::array<Block, 32> blocks_;
  std::size_t mostBytes_;
  std::size_t count_ = 0;
  std::size_t total_ = 0;
  KeptMemory* before_;
};

}  // namespace bankside

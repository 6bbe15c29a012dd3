#include "core/kept_memory.h"

#include <malloc.h>

#include <cstdlib>
#include <utility>

namespace bankside {
namespace {

/// Less comes from malloc's own lists.
constexpr std::size_t leastBytes = std::size_t{256} << 10;

/// Blocks are rounded up to pages, and have a head.
constexpr std::size_t slackBytes = 8192;

thread_local KeptMemory* keeper = nullptr;

}  // namespace

KeptMemory::KeptMemory(std::size_t mostBytes) : mostBytes_(mostBytes), before_(std::exchange(keeper, this)) {}

KeptMemory::~KeptMemory() {
  drop();
  keeper = before_;
}

void KeptMemory::drop() {
  while (count_ > 0) std::free(blocks_[--count_].memory);
  total_ = 0;
}

void* KeptMemory::take(std::size_t bytes) { return keeper != nullptr ? keeper->takeOne(bytes) : nullptr; }

/// The one that was let go last, of those that fit.
void* KeptMemory::takeOne(std::size_t bytes) {
  for (std::size_t i = count_; i-- > 0;) {
    if (blocks_[i].bytes < bytes || blocks_[i].bytes - bytes > slackBytes) continue;
    const Block block = std::exchange(blocks_[i], blocks_[count_ - 1]);
    --count_;
    total_ -= block.bytes;
    return block.memory;
  }
  return nullptr;
}

void KeptMemory::give(void* memory) {
  if (memory != nullptr && (keeper == nullptr || !keeper->keep(memory))) std::free(memory);
}

/// Where there is no room, others give way: their size may have been that of images which do not come any
/// more.
bool KeptMemory::keep(void* memory) {
  const std::size_t bytes = ::malloc_usable_size(memory);
  if (bytes < leastBytes || bytes > mostBytes_) return false;
  if (count_ == blocks_.size() || total_ + bytes > mostBytes_) drop();
  blocks_[count_++] = {memory, bytes};
  total_ += bytes;
  return true;
}

}  // namespace bankside

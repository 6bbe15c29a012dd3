#include "library/caller_memory.h"

#include <cstdint>

namespace bankside::library {

void* CallerMemory::take(std::size_t bytes) noexcept {
  void* const memory = allocate_(data_, bytes, imageAlignment);
  if (memory == nullptr || reinterpret_cast<std::uintptr_t>(memory) % imageAlignment == 0) return memory;
  release_(data_, memory);
  return nullptr;
}

}  // namespace bankside::library

/// The allocator of a caller's context, as images and engines see it.
#pragma once

#include "core/image_memory.h"
#include "library/include/bankside/bankside.h"

namespace bankside::library {

class CallerMemory final : public ImageMemory {
 public:
  /// Of options that have an allocator.
  explicit CallerMemory(const bk_context_options& options)
      : allocate_(options.allocate), release_(options.release), data_(options.allocator_data) {}

  /// Null too where the caller's is on no imageAlignment.
  void* take(std::size_t bytes) noexcept override;
  void give(void* memory) noexcept override { release_(data_, memory); }

 private:
  bk_allocate* allocate_;
  bk_release* release_;
  void* data_;
};

}  // namespace bankside::library

#include "kernels/cuda/maps/memory_pool.h"

#include <algorithm>

#include "core/error.h"
#include "kernels/cuda/runtime/zeroed_memory.h"

namespace bankside::cuda {

std::shared_ptr<const DeviceBuffer> MemoryPool::take(std::size_t bytes) {
  constexpr std::size_t waste = 2;  // times what was asked for, at most
  const auto anew = [&] {
    auto buffer = std::make_unique<DeviceBuffer>();
    reserveZeros(*buffer, bytes);
    return buffer;
  };
  std::unique_ptr<DeviceBuffer> found;
  auto best = free_->end();
  for (auto at = free_->begin(); at != free_->end(); ++at) {
    const std::size_t has = (*at)->bytes();
    if (has >= bytes && has <= waste * bytes && (best == free_->end() || has < (*best)->bytes())) best = at;
  }
  if (best != free_->end()) {
    found = std::move(*best);
    free_->erase(best);
  } else {
    try {
      found = anew();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::Limit || free_->empty()) throw;
      free_->clear();
      found = anew();
    }
  }
  const DeviceBuffer* const buffer = found.release();
  return {buffer, [free = std::weak_ptr(free_)](const DeviceBuffer* mine) {
            std::unique_ptr<DeviceBuffer> back(const_cast<DeviceBuffer*>(mine));
            if (const auto pool = free.lock()) pool->push_back(std::move(back));
          }};
}

}  // namespace bankside::cuda

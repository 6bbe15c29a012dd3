#include "gui/headless/page_memory.h"

#include <algorithm>
#include <utility>

namespace bankside::headless {

PageMemory::Share::~Share() {
  if (memory_ == nullptr) return;
  {
    const std::lock_guard lock(memory_->mutex_);
    memory_->taken_ -= bytes_;
    --memory_->pages_;
  }
  memory_->freed_.notify_all();
}

PageMemory::Share& PageMemory::Share::operator=(Share&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

PageMemory::Share PageMemory::wait(std::int64_t bytes, const std::stop_token& stop) {
  const std::int64_t share = takes(bytes) ? bytes : bytes_;
  std::unique_lock lock(mutex_);
  const auto room = [&] { return pages_ == 0 || (pages_ < mostPages && taken_ + share <= bytes_); };
  if (!freed_.wait(lock, stop, room)) return {};
  taken_ += share;
  ++pages_;
  if (!takes(bytes)) spare_.clear();
  return {*this, share};
}

void PageMemory::give(std::vector<Image>&& planes) {
  const std::lock_guard lock(mutex_);
  spare_ = std::move(planes);
}

std::vector<Image> PageMemory::spare() {
  const std::lock_guard lock(mutex_);
  return std::exchange(spare_, {});
}

}  // namespace bankside::headless

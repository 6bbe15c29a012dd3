#include "gui/headless/page_memory.h"

#include <algorithm>
#include <utility>

namespace bankside::headless {

PageMemory::Share::~Share() {
  if (memory_ == nullptr) return;
  const std::lock_guard lock(memory_->mutex_);
  memory_->taken_ -= bytes_;
  --memory_->pages_;
  if (given_ > 0) --memory_->waiting_;
}

PageMemory::Share& PageMemory::Share::operator=(Share&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(bytes_, other.bytes_);
  std::swap(given_, other.given_);
  return *this;
}

void PageMemory::Share::keep(std::int64_t bytes) {
  if (memory_ == nullptr || bytes >= bytes_ || given_ > 0) return;
  const std::lock_guard lock(memory_->mutex_);
  given_ = bytes_ - bytes;
  bytes_ = bytes;
  memory_->taken_ -= given_;
  ++memory_->waiting_;
}

bool PageMemory::Share::restore(bool always) {
  if (given_ == 0) return true;
  const std::lock_guard lock(memory_->mutex_);
  while (!memory_->spare_.empty() && memory_->taken_ + given_ + memory_->spareBytes_ > memory_->room())
    memory_->dropSpare();
  if (!always && memory_->taken_ + given_ > memory_->room()) return false;
  memory_->taken_ += given_;
  bytes_ += std::exchange(given_, 0);
  --memory_->waiting_;
  return true;
}

std::optional<PageMemory::Share> PageMemory::take(std::int64_t bytes) {
  const std::int64_t share = std::min(bytes, bytes_);
  const std::lock_guard lock(mutex_);
  const auto fits = [&] {
    const std::int64_t most = waiting_ > 0 ? room() / 4 * 3 : room();
    return pages_ == 0 || (pages_ < mostPages_ && taken_ + share <= most);
  };
  if (!fits()) return std::nullopt;
  while (!spare_.empty() && taken_ + share + spareBytes_ > room()) dropSpare();
  if (!fits()) return std::nullopt;  // what was dropped and is pinned is kept by others now
  taken_ += share;
  ++pages_;
  return Share(*this, share);
}

int PageMemory::pages() const {
  const std::lock_guard lock(mutex_);
  return pages_;
}

void PageMemory::give(std::vector<Image>&& planes) {
  std::int64_t bytes = 0;
  for (const Image& plane : planes) bytes += bytesOf(plane);
  const std::int64_t most = room();
  const std::lock_guard lock(mutex_);
  if (taken_ + spareBytes_ + bytes > most || static_cast<int>(spare_.size()) >= mostPages_) return;
  spare_.push_back({bytes, std::move(planes)});
  spareBytes_ += bytes;
}

std::vector<Image> PageMemory::spare() {
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return {};
  std::vector<Image> planes = std::move(spare_.back().planes);
  dropSpare();
  return planes;
}

void PageMemory::dropSpare() {
  spareBytes_ -= spare_.back().bytes;
  spare_.pop_back();
}

}  // namespace bankside::headless

/// How much of the memory allowed the pages of a run take that are under way at the same time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <vector>

#include "core/image.h"

namespace bankside::headless {

class PageMemory {
 public:
  /// More pages than that help nobody.
  static constexpr int mostPages = 16;

  explicit PageMemory(std::int64_t bytes) : bytes_(bytes) {}

  /// What a page takes, until it goes.
  class Share {
   public:
    Share() = default;
    Share(PageMemory& memory, std::int64_t bytes) : memory_(&memory), bytes_(bytes) {}
    ~Share();
    Share(Share&& other) noexcept { *this = std::move(other); }
    Share& operator=(Share&& other) noexcept;

   private:
    PageMemory* memory_ = nullptr;
    std::int64_t bytes_ = 0;
  };

  /// A page of which there may be several at a time, with its results.
  bool takes(std::int64_t bytes) const { return bytes <= bytes_ / 4; }

  /// Waits until there is room; a page that `takes` refuses has all of it for itself. Returns without on a
  /// stop.
  Share wait(std::int64_t bytes, const std::stop_token& stop);

  /// Planes of a page that is done, for one that comes. At most one page's are kept.
  void give(std::vector<Image>&& planes);
  std::vector<Image> spare();

 private:
  std::int64_t bytes_;
  std::mutex mutex_;
  std::condition_variable_any freed_;
  std::int64_t taken_ = 0;
  int pages_ = 0;
  std::vector<Image> spare_;
};

}  // namespace bankside::headless

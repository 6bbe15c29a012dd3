/// How much of the memory allowed the pages of a run take that are under way at the same time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/image.h"

namespace bankside::headless {

inline std::int64_t bytesOf(const Image& image) {
  return static_cast<std::int64_t>(image.strideBytes()) * image.height() * image.channels();
}

class PageMemory {
 public:
  /// `others`: what else takes of it now; pages keep half at least. `mostPages`: more than that help nobody.
  explicit PageMemory(std::int64_t bytes, std::function<std::int64_t()> others = {},
                      int mostPages = std::numeric_limits<int>::max())
      : bytes_(bytes), others_(std::move(others)), mostPages_(mostPages) {}

  /// What a page takes, until it goes.
  class Share {
   public:
    Share() = default;
    Share(PageMemory& memory, std::int64_t bytes) : memory_(&memory), bytes_(bytes) {}
    ~Share();
    Share(Share&& other) noexcept { *this = std::move(other); }
    Share& operator=(Share&& other) noexcept;

    /// Gives back all but so much while the page waits for a device.
    void keep(std::int64_t bytes);
    /// What it gave back, where there is room or `always`. Whether it has all now.
    bool restore(bool always);

   private:
    PageMemory* memory_ = nullptr;
    std::int64_t bytes_ = 0;
    std::int64_t given_ = 0;  ///< back
  };

  /// Whether there is room for so many pages of that size at a time.
  bool fits(std::int64_t bytes, int pages) const { return bytes <= bytes_ / pages; }

  /// None where there is no room now; a page that wants more than there is has all of it for itself. Where
  /// pages wait for a device a quarter is left for what they gave back.
  std::optional<Share> take(std::int64_t bytes);

  /// How many are under way.
  int pages() const;

  /// Planes of a page that is done, for one that comes. They are kept as long as there is room.
  void give(std::vector<Image>&& planes);
  std::vector<Image> spare();

 private:
  void dropSpare();
  /// For pages, under way or kept.
  std::int64_t room() const { return others_ ? bytes_ - std::min(others_(), bytes_ / 2) : bytes_; }

  std::int64_t bytes_;
  std::function<std::int64_t()> others_;
  int mostPages_;
  mutable std::mutex mutex_;
  std::int64_t taken_ = 0;
  int pages_ = 0;
  int waiting_ = 0;  // of them, with a part of their share
  struct Spare {
    std::int64_t bytes = 0;
    std::vector<Image> planes;
  };
  std::vector<Spare> spare_;  // of `taken_` no part
  std::int64_t spareBytes_ = 0;
};

}  // namespace bankside::headless

/// Where the pixels of images lie, for who wants them elsewhere than in ordinary memory.
#pragma once

#include <cstddef>

namespace bankside {

/// Bytes: what an image's memory and its rows begin on a multiple of.
inline constexpr std::size_t imageAlignment = 64;

/// Memory of its own kind: pinned, for a device that reads and writes it. On any thread; outlives the images
/// that lie in it.
class ImageMemory {
 public:
  virtual ~ImageMemory() = default;

  /// On imageAlignment. Null: there is none, and the image lies in ordinary memory.
  virtual void* take(std::size_t bytes) noexcept = 0;
  /// What `take` gave.
  virtual void give(void* memory) noexcept = 0;
};

/// While it lives, the images that its thread makes lie in that memory; null: in ordinary memory.
class ImagesIn {
 public:
  explicit ImagesIn(ImageMemory* memory);
  ~ImagesIn();
  ImagesIn(const ImagesIn&) = delete;
  ImagesIn& operator=(const ImagesIn&) = delete;

 private:
  ImageMemory* before_;
};

/// For Image: memory of this thread's kind, what it keeps (kept_memory.h), or new; null if memory ran out.
/// `bytes`: a multiple of imageAlignment.
void* takePixels(std::size_t bytes);
/// What `takePixels` gave, on any thread; null is nothing.
void givePixels(void* memory) noexcept;

}  // namespace bankside

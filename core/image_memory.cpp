#include "core/image_memory.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include "core/kept_memory.h"
#include "core/work_memory.h"

namespace bankside {
namespace {

thread_local ImageMemory* memoryOfImages = nullptr;

/// What lies elsewhere, and whose it is: an image knows an address alone.
struct Elsewhere {
  std::mutex mutex;
  std::unordered_map<void*, ImageMemory*> owners;
  std::atomic<std::size_t> count = 0;  ///< of them: most programs have none, and take no lock
};

/// Never destroyed: images may go after everything else.
Elsewhere& elsewhere() {
  static Elsewhere& all = *new Elsewhere;
  return all;
}

void* takeElsewhere(ImageMemory& owner, std::size_t bytes) {
  void* const memory = owner.take(bytes);
  if (memory == nullptr) return nullptr;
  try {
    const std::lock_guard lock(elsewhere().mutex);
    elsewhere().owners.emplace(memory, &owner);
    elsewhere().count = elsewhere().owners.size();
  } catch (const std::bad_alloc&) {
    owner.give(memory);
    return nullptr;
  }
  return memory;
}

bool giveElsewhere(void* memory) {
  if (elsewhere().count == 0) return false;
  ImageMemory* owner = nullptr;
  {
    const std::lock_guard lock(elsewhere().mutex);
    const auto found = elsewhere().owners.find(memory);
    if (found == elsewhere().owners.end()) return false;
    owner = found->second;
    elsewhere().owners.erase(found);
    elsewhere().count = elsewhere().owners.size();
  }
  owner->give(memory);
  return true;
}

}  // namespace

ImagesIn::ImagesIn(ImageMemory* memory) : before_(std::exchange(memoryOfImages, memory)) {}
ImagesIn::~ImagesIn() { memoryOfImages = before_; }

void* takePixels(std::size_t bytes) {
  void* memory = nullptr;
  if (memoryOfImages != nullptr) {
    memory = takeElsewhere(*memoryOfImages, bytes);
  } else if (ImageMemory* const work = memoryOfWork()) {
    memory = takeElsewhere(*work, bytes);
    if (memory == nullptr) throw std::bad_alloc();
  }
  if (memory == nullptr) memory = KeptMemory::take(bytes);
  return memory != nullptr ? memory : std::aligned_alloc(imageAlignment, bytes);
}

void givePixels(void* memory) noexcept {
  if (memory != nullptr && !giveElsewhere(memory)) KeptMemory::give(memory);
}

}  // namespace bankside

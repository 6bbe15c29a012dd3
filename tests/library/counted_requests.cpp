#include "tests/library/counted_requests.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

// glibc's own, behind the names that this program replaces.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<bool> counting = false;
std::atomic<long> memoryRequests = 0;
std::atomic<long> lockRequests = 0;
std::atomic<std::size_t> largestRequest = 0;

void countOne(std::atomic<long>& requests) {
  if (counting.load(std::memory_order_relaxed)) ++requests;
}

void countMemory(std::size_t size) {
  countOne(memoryRequests);
  if (counting.load(std::memory_order_relaxed) && size > largestRequest) largestRequest = size;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  countMemory(size);
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  countMemory(count * size);
  return __libc_calloc(count, size);
}

void* realloc(void* memory, std::size_t size) {
  countMemory(size);
  return __libc_realloc(memory, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  countMemory(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  countMemory(size);
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  using Lock = int (*)(pthread_mutex_t*);
  static const Lock real = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  countOne(lockRequests);
  return real(mutex);
}
}

namespace bankside::testing {

void* uncountedMemory(std::size_t alignment, std::size_t bytes) { return __libc_memalign(alignment, bytes); }

void countRequests() {
  memoryRequests = 0;
  lockRequests = 0;
  largestRequest = 0;
  counting = true;
}

Requests endCounting() {
  counting = false;
  return {memoryRequests, lockRequests, largestRequest};
}

}  // namespace bankside::testing

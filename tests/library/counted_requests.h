/// How often this process asks for memory and locks a mutex.
#pragma once

#include <cstddef>

namespace bankside::testing {

struct Requests {
  long memory = 0;          ///< malloc and its kin, which operator new calls
  long locks = 0;           ///< pthread_mutex_lock, which std::mutex calls
  std::size_t largest = 0;  ///< bytes of memory asked for at once
};

/// Memory that is not counted, for `free`.
void* uncountedMemory(std::size_t alignment, std::size_t bytes);

/// Counts from here on, over all threads.
void countRequests();

/// Since `countRequests`.
Requests endCounting();

}  // namespace bankside::testing

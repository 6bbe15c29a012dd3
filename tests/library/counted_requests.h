/// How often this process asks for memory and locks a mutex.
#pragma once

namespace bankside::testing {

struct Requests {
  long memory = 0;  ///< malloc and its kin, which operator new calls
  long locks = 0;   ///< pthread_mutex_lock, which std::mutex calls
};

/// Counts from here on, over all threads.
void countRequests();

/// Since `countRequests`.
Requests endCounting();

}  // namespace bankside::testing

#include "kernels/cuda/runtime/device_mutex.h"

namespace bankside::cuda {

std::mutex& deviceMutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace bankside::cuda

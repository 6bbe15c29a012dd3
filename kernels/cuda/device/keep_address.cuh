/// An address in registers as it is.
#pragma once

namespace bankside::cuda {

/// The compiler must not take an address apart again, to add it up anew for every access.
template <class T>
__device__ __forceinline__ void keepAddress(T*& address) {
  asm volatile("" : "+l"(address));
}

}  // namespace bankside::cuda

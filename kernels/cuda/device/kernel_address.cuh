/// A kernel as the runtime's launch functions want it.
#pragma once

namespace bankside::cuda {

/// Every table of kernels takes its addresses from here: where kernels run on the host (tests), this is where
/// their parameters become known.
template <class... Parameters>
const void* kernelAddress(void (*kernel)(Parameters...)) {
  return reinterpret_cast<const void*>(kernel);
}

}  // namespace bankside::cuda

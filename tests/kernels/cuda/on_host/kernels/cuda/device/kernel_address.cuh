/// In the place of kernels/cuda/device/kernel_address.cuh: a kernel's address, and how it is called.
#pragma once

#include <cstddef>
#include <utility>

#include "tests/kernels/cuda/on_host/fake_device.h"

namespace bankside::cuda {

template <class... Parameters>
const void* kernelAddress(void (*kernel)(Parameters...)) {
  const auto* address = reinterpret_cast<const void*>(kernel);
  on_host::rememberKernel(address, [](const void* which, void** arguments) {
    const auto call = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(which));
    [&]<std::size_t... i>(std::index_sequence<i...>) { call(*static_cast<Parameters*>(arguments[i])...); }
    (std::index_sequence_for<Parameters...>());
  });
  return address;
}

}  // namespace bankside::cuda

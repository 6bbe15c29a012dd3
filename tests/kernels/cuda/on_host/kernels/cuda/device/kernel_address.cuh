/// In the place of kernels/cuda/device/kernel_address.cuh: a kernel's address, and how it is called.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "tests/kernels/cuda/on_host/fake_device.h"

namespace bankside::cuda {

template <class... Parameters>
const void* kernelAddress(void (*kernel)(Parameters...)) {
  const auto* address = reinterpret_cast<const void*>(kernel);
  on_host::rememberKernel(address, [](const void* which, void** arguments) -> std::function<void()> {
    const auto call = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(which));
    return [&]<std::size_t... i>(std::index_sequence<i...>)->std::function<void()> {
      return [call, kept = std::tuple<Parameters...>(*static_cast<Parameters*>(arguments[i])...)] {
        std::apply(call, kept);
      };
    }
    (std::index_sequence_for<Parameters...>());
  });
  return address;
}

}  // namespace bankside::cuda

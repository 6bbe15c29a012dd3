/// As if the GPU had less than it has: BANKSIDE_TEST_CAPABILITY (80) and BANKSIDE_TEST_SHARED_KB (99). The
/// code that runs stays the device's: that for older ones is PTX of an older build, or the host's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "kernels/cuda/runtime/device_state.h"

namespace bankside::cuda {
namespace {

int limitOf(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoi(text);
}

class LesserDevice final : public ::testing::Environment {
 public:
  void SetUp() override {
    if (!deviceState()) return;
    DeviceTraits traits = deviceTraits();
    traits.capability = std::min(traits.capability, limitOf("BANKSIDE_TEST_CAPABILITY", traits.capability));
    traits.mostShared =
        std::min(traits.mostShared,
                 std::size_t{1024} * static_cast<std::size_t>(limitOf("BANKSIDE_TEST_SHARED_KB", 1 << 20)));
    if (!(traits == deviceTraits())) pretendDevice(traits);
  }
};

const auto* const lesserDevice = ::testing::AddGlobalTestEnvironment(new LesserDevice);

}  // namespace
}  // namespace bankside::cuda

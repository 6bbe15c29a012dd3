/// Kernels that may begin before the one in front of them has ended.
#include <gtest/gtest.h>

#include "core/error.h"
#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/device/kernel_before.cuh"
#include "kernels/cuda/runtime/launch_behind.h"
#include "tests/kernels/cuda/on_host/device_test.h"

namespace bankside::cuda {

/// All threads but `hasty` wait.
__global__ void behindKernel(int hasty) {
  if (static_cast<int>(threadIdx.x) != hasty) waitForKernelBefore();
}

namespace {

std::string launched(int hasty, int capability) {
  on_host::setDevice({.capability = capability});
  void* arguments[] = {&hasty};
  try {
    launchBehind(kernelAddress(behindKernel), 2, 64, arguments, 0, nullptr);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class LaunchBehind : public DeviceTest {};

TEST_F(LaunchBehind, AThreadThatDoesNotWaitFails) {
  EXPECT_EQ(launched(-1, 90), "");
  EXPECT_NE(launched(5, 90).find("no wait for the kernel before in block (0, 0, 0) thread 5"),
            std::string::npos)
      << launched(5, 90);
}

TEST_F(LaunchBehind, IsALaunchLikeOthersBelowNine) { EXPECT_EQ(launched(5, 86), ""); }

}  // namespace
}  // namespace bankside::cuda

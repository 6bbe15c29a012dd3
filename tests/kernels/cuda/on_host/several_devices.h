/// A machine with two GPUs that share stacks of images.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/judge/compare.h"
#include "core/made_input.h"
#include "kernels/devices.h"
#include "tests/kernels/cuda/on_host/device_test.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/stack.h"

namespace bankside {

/// More than a plan starts on its first device before it takes others.
inline constexpr int manyImages = 60;

class SeveralDevices : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    on_host::setDevice({.count = 2});
  }
  void TearDown() override {
    useDevices({});
    on_host::setLateStreams(false);
    DeviceTest::TearDown();
  }

  std::unique_ptr<Plan> plan() const {
    return engineOnHost("cuda:single-channel")->prepare(problem_, bank_, {});
  }
  /// Runs a stack and holds its results against those of one device.
  void expectBytesOfOne(Plan& plan, Stack& stack) {
    stack.plan = &plan;
    plan.runAll(stack, {});
    expectBytesOfOne(stack);
  }
  void expectBytesOfOne(const Stack& stack) {
    ASSERT_EQ(stack.places.size(), stack.images.size());
    on_host::setLateStreams(false);
    on_host::setDevice({});
    const auto alone = plan();
    for (std::size_t i = 0; i < stack.images.size(); ++i) {
      const std::vector<Image> expected = runWhole(*alone, problem_, stack.images[i]);
      for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_TRUE(samePixels(stack.sinks[i]->images()[k], expected[k])) << "image " << i << ", plane " << k;
    }
  }
  /// Of every device that did something, how many images.
  static std::map<std::string, int> counts(const Stack& stack) {
    std::map<std::string, int> counts;
    for (const std::string& place : stack.places) ++counts[place];
    return counts;
  }
  static std::uint64_t launchesOf(int device, const std::function<void()>& run) {
    const std::uint64_t before = on_host::launchesOn(device);
    run();
    return on_host::launchesOn(device) - before;
  }

  const ConvolutionProblem problem_ = parseProblem("c1h33w45-f3k5-reflect101-u8:f32-none");
  const FilterBank bank_ = randomBank(3, 1, 5, 5, 3);
};

}  // namespace bankside

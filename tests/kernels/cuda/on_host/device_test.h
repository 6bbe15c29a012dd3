/// Tests on made-up devices.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/log.h"
#include "tests/kernels/cuda/on_host/fake_device.h"

namespace bankside {

/// Keeps what is said in the log, and leaves an ordinary device behind.
class DeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setLogSink([this](LogLevel, const std::string& sentence) { said_.push_back(sentence); });
  }
  void TearDown() override {
    setLogSink({});
    on_host::setDevice({});
  }

  std::vector<std::string> said_;
};

}  // namespace bankside

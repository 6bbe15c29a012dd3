/// What is known of a device, what is measured once, and what a file of somebody else may say.
#include "kernels/cuda/runtime/device_rates.h"

#include <gtest/gtest.h>

#include <fstream>

#include "kernels/planner/cuda_choice.h"
#include "tests/support/made_images.h"

namespace bankside::cuda {
namespace {

class DeviceRatesTest : public ::testing::Test {
 protected:
  DeviceRates of(const std::string& name, const std::string& driver = "13.0") {
    const DeviceDescription device{
        .name = name, .multiprocessors = 84, .l2Bytes = 0, .runtime = "13.0", .driver = driver};
    return ratesOf(device, file_, [this] {
      ++measured_;
      return MeasuredRates{.copyBytes = 8.349e11, .multiplyAdds = 1.7777e13};
    });
  }
  void write(const std::string& text) { std::ofstream(file_) << text; }

  bankside::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "new" / "rates.json";
  int measured_ = 0;
};

TEST_F(DeviceRatesTest, ADeviceIsMeasuredOnceAndRounded) {
  const DeviceRates first = of("some GPU");
  EXPECT_EQ(first.device, "some GPU");
  EXPECT_EQ(first.multiprocessors, 84);
  EXPECT_NEAR(first.rates.copyBytes, 8.3e11, 1);
  EXPECT_NEAR(first.rates.multiplyAdds, 1.8e13, 1);
  const DeviceRates again = of("some GPU");
  EXPECT_EQ(measured_, 1);
  EXPECT_NEAR(again.rates.copyBytes, first.rates.copyBytes, 1);
  EXPECT_NEAR(again.rates.multiplyAdds, first.rates.multiplyAdds, 1);
}

TEST_F(DeviceRatesTest, AnotherDeviceOrDriverHasItsOwn) {
  of("some GPU");
  of("another GPU");
  of("some GPU", "13.1");
  EXPECT_EQ(measured_, 3);
  of("some GPU");
  of("another GPU");
  of("some GPU", "13.1");
  EXPECT_EQ(measured_, 3);
}

TEST_F(DeviceRatesTest, WhatCostsWereMeasuredOnIsKnown) {
  const DeviceDescription h100{
      .name = "NVIDIA H100 80GB HBM3", .multiprocessors = 132, .l2Bytes = 0, .runtime = "", .driver = ""};
  const DeviceRates rates =
      ratesOf(h100, file_, []() -> MeasuredRates { throw std::logic_error("measured"); });
  EXPECT_EQ(rates.device, h100.name);
  EXPECT_LT(rates.rates.copyBytes, DeviceRates{}.rates.copyBytes);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(DeviceRatesTest, WhateverIsInTheFileNothingFails) {
  std::filesystem::create_directories(file_.parent_path());
  for (const char* text :
       {"", "{", "[]", "{\"bankside\": \"device-rates\", \"version\": 1, \"devices\": 5}",
        "{\"bankside\": \"device-rates\", \"version\": 9, \"devices\": []}",
        "{\"bankside\": \"device-rates\", \"version\": 1, \"devices\": [7, {\"device\": \"some GPU\"}]}",
        "{\"bankside\": \"device-rates\", \"version\": 1, \"devices\": [{\"device\": \"some GPU\", "
        "\"multiprocessors\": 84, \"driver\": \"13.0\", \"copy_gigabytes_per_second\": -1, "
        "\"multiply_adds_gigahertz\": \"many\"}]}"}) {
    write(text);
    const int before = measured_;
    EXPECT_NEAR(of("some GPU").rates.copyBytes, 8.3e11, 1) << text;
    EXPECT_EQ(measured_, before + 1) << text;
    of("some GPU");
    EXPECT_EQ(measured_, before + 1) << "not kept in the place of " << text;
  }
}

TEST_F(DeviceRatesTest, WithoutAPlaceToKeepThemTheyAreMeasuredAgain) {
  file_ = "/dev/null/rates.json";
  of("some GPU");
  of("some GPU");
  EXPECT_EQ(measured_, 2);
}

TEST_F(DeviceRatesTest, WhatCannotBeMeasuredIsAnH200s) {
  const DeviceRates rates =
      ratesOf({.name = "slow", .multiprocessors = 1, .l2Bytes = 0, .runtime = "", .driver = ""}, file_,
              [] { return MeasuredRates{}; });
  EXPECT_EQ(rates.device, "NVIDIA H200");
  EXPECT_FALSE(std::filesystem::exists(file_));
}

/// Slow memory beside fast sums makes filters of many taps as fast as on an H200, and those of few slower.
TEST(CudaScale, CostsFollowTheRates) {
  const planner::CudaCosts here = planner::cudaCosts();
  const planner::CudaCosts there = planner::cudaCosts({.copy = 3, .sums = 2, .multiprocessors = 40});
  EXPECT_DOUBLE_EQ(there.byte, 3 * here.byte);
  EXPECT_DOUBLE_EQ(there.tap, 2 * here.tap);
  EXPECT_DOUBLE_EQ(there.tensorCycle, 2 * here.tensorCycle);
  EXPECT_DOUBLE_EQ(there.launch, here.launch);
  EXPECT_EQ(there.scale.multiprocessors, 40);
}

}  // namespace
}  // namespace bankside::cuda

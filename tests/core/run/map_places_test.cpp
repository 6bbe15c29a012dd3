/// Maps on several devices: who gets which, and what becomes of those that fail.
#include "core/run/map_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>
#include <thread>

#include "core/log.h"
#include "kernels/reference/reference_engine.h"

namespace bankside {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NamedMaker final : public MapMaker {
 public:
  explicit NamedMaker(int device) : name_("GPU " + std::to_string(device)) {}
  std::string name() const override { return name_; }
  void begin() override {}
  std::shared_ptr<DeviceBank> prepare(const Engine&, const ConvolutionProblem&, const FilterBank&,
                                      const PlanOptions&) override {
    return nullptr;
  }
  DeviceMaps run(DeviceBank&, const DeviceMaps&) override { return {}; }
  std::shared_ptr<DeviceMap> combine(Combine, const DeviceMaps&) override { return nullptr; }
  bool has(const Operation&) const override { return false; }
  std::optional<DeviceMaps> operate(const Operation&, const std::vector<DeviceMaps>&, OperationContext&,
                                    const Extent&) override {
    return std::nullopt;
  }
  DeviceMaps put(const Maps&) override { return {}; }
  void bring(const DeviceMaps&, Maps&) override {}
  void beginLap() override {}
  void endLap() override {}
  std::vector<double> laps() override { return {}; }

 private:
  std::string name_;
};

class MapPlacesTest : public ::testing::Test, public MapDevices {
 protected:
  MapPlacesTest() {
    setLogSink([this](LogLevel, const std::string& sentence) { said_.push_back(sentence); });
  }
  ~MapPlacesTest() override { setLogSink({}); }

  std::vector<int> of(const Engine&) const override { return devices_; }
  std::unique_ptr<MapMaker> open(int device) const override {
    opened_.push_back(device);
    return std::make_unique<NamedMaker>(device);
  }

  std::vector<int> devices_ = {0, 2};
  mutable std::vector<int> opened_;
  std::vector<std::string> said_;
  const std::unique_ptr<Engine> engine_ = makeReferenceEngine();
  MapPlaces places_{this};
};

TEST_F(MapPlacesTest, AnotherIsOpenedWhereAllAreInUse) {
  for (int i = 0; i < 3; ++i) {
    MapPlaces::Place place = places_.take(*engine_, 1);
    EXPECT_EQ(place.opened().device, 0);
  }
  EXPECT_THAT(opened_, ElementsAre(0));
  MapPlaces::Place one = places_.take(*engine_, 1);
  MapPlaces::Place other = places_.take(*engine_, 1);
  EXPECT_EQ(one.opened().device, 0);
  EXPECT_EQ(other.opened().device, 2);
  EXPECT_EQ(places_.devicesOf(*engine_), 2u);
}

TEST_F(MapPlacesTest, WhoFindsNoneWaitsForOne) {
  std::optional<MapPlaces::Place> one = places_.take(*engine_, 1);
  std::optional<MapPlaces::Place> other = places_.take(*engine_, 1);
  other->opened();
  std::latch asked(1);
  std::atomic<int> got = -1;
  std::jthread third([&] {
    asked.count_down();
    got = places_.take(*engine_, 1).opened().device;
  });
  asked.wait();
  EXPECT_EQ(got, -1) << "both are in use";
  other.reset();
  third.join();
  EXPECT_EQ(got, 2);
}

TEST_F(MapPlacesTest, NoDevicesAreHostMemory) {
  devices_.clear();
  EXPECT_FALSE(places_.take(*engine_, 1));
  EXPECT_FALSE(MapPlaces(nullptr).take(*engine_, 1));
  EXPECT_EQ(MapPlaces(nullptr).devicesOf(*engine_), 0u);
  EXPECT_EQ(places_.whyNot(1), "");
}

TEST_F(MapPlacesTest, OneThatIsLostLeavesItsImageToAnother) {
  MapPlaces::Place place = places_.take(*engine_, 1);
  place.opened();
  EXPECT_TRUE(places_.failed(place, *engine_, Error(ErrorCode::Device, "lost"), 1));
  EXPECT_FALSE(place);
  EXPECT_THAT(said_,
              ElementsAre("the recipe's maps go on on another device, instead of GPU 0, which failed: lost"));
  EXPECT_EQ(places_.whyNot(1), "");
  MapPlaces::Place next = places_.take(*engine_, 1);
  EXPECT_EQ(next.opened().device, 2);
  EXPECT_FALSE(places_.failed(next, *engine_, Error(ErrorCode::Device, "lost too"), 1));
  EXPECT_THAT(said_.back(),
              HasSubstr("go on in host memory, instead of the maps of GPU 2, which failed: lost too"));
  EXPECT_FALSE(places_.take(*engine_, 1));
  EXPECT_THAT(places_.whyNot(1), HasSubstr("GPU 2"));
}

TEST_F(MapPlacesTest, WhatDoesNotFitIsNotTriedAgainAndTheRestIs) {
  MapPlaces::Place place = places_.take(*engine_, 100);
  place.opened();
  EXPECT_FALSE(places_.failed(place, *engine_, Error(ErrorCode::Limit, "full"), 100))
      << "others are of its kind";
  EXPECT_FALSE(places_.take(*engine_, 100));
  EXPECT_FALSE(places_.take(*engine_, 101));
  EXPECT_THAT(places_.whyNot(100), HasSubstr("full"));
  EXPECT_EQ(places_.whyNot(99), "");
  EXPECT_EQ(places_.take(*engine_, 99).opened().device, 0) << "opened anew";
  EXPECT_THAT(opened_, ElementsAre(0, 0));
}

/// Another thread's image has shown meanwhile that this one does not fit: it goes no further, others do.
TEST_F(MapPlacesTest, OneThatIsLostWithAnImageTooLargeLeavesTheOthersInUse) {
  MapPlaces::Place one = places_.take(*engine_, 100);
  MapPlaces::Place other = places_.take(*engine_, 100);
  EXPECT_FALSE(places_.failed(other, *engine_, Error(ErrorCode::Limit, "full"), 100));
  EXPECT_FALSE(places_.failed(one, *engine_, Error(ErrorCode::Device, "lost"), 100));
  EXPECT_FALSE(places_.take(*engine_, 100));
  EXPECT_EQ(places_.take(*engine_, 99).opened().device, 2);
  EXPECT_EQ(places_.whyNot(99), "");
}

TEST_F(MapPlacesTest, WhoIsStoppedDoesNotWait) {
  devices_ = {0};
  MapPlaces::Place place = places_.take(*engine_, 1);
  std::stop_source stop;
  std::jthread other([&] { EXPECT_THROW(places_.take(*engine_, 1, stop.get_token()), Cancelled); });
  stop.request_stop();
}

/// Who waits is told when the last device is gone.
TEST_F(MapPlacesTest, WhoWaitsForOneThatIsLostGoesOnInHostMemory) {
  devices_ = {0};
  MapPlaces::Place place = places_.take(*engine_, 1);
  std::latch asked(1);
  std::atomic<bool> given = true;
  std::jthread other([&] {
    asked.count_down();
    given = static_cast<bool>(places_.take(*engine_, 1));
  });
  asked.wait();
  EXPECT_FALSE(places_.failed(place, *engine_, Error(ErrorCode::Device, "lost"), 1));
  other.join();
  EXPECT_FALSE(given);
  EXPECT_THAT(said_, ElementsAre(HasSubstr("instead of the maps of the device, which failed: lost")));
}

}  // namespace
}  // namespace bankside

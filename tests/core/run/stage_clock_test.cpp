#include "core/run/stage_clock.h"

#include <gtest/gtest.h>

namespace bankside {
namespace {

using Stage = StageTimes::Stage;

Clock::time_point at(int seconds) { return Clock::time_point(std::chrono::seconds(100 + seconds)); }

TEST(StageClock, CountsEveryThreadAtItsStage) {
  StageClock clock(4, at(0));
  clock.begin(Stage::Decode, false, at(0));
  clock.begin(Stage::Decode, false, at(1));
  clock.begin(Stage::Encode, false, at(1));
  clock.end(Stage::Decode, false, at(3));
  clock.end(Stage::Encode, false, at(4));
  clock.end(Stage::Decode, false, at(6));
  const StageTimes times = clock.times(at(10));
  EXPECT_EQ(times.threads, 4);
  EXPECT_DOUBLE_EQ(times.wallSeconds, 10);
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Decode], 3 + 5);
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Filter], 0);
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Encode], 3);
  EXPECT_EQ(times.bottleneck(), "decode");
}

TEST(StageClock, KnowsADeviceThatIsBusierThanTheThreads) {
  StageClock clock(4, at(0));
  clock.begin(Stage::Decode, false, at(0));
  clock.end(Stage::Decode, false, at(8));  // a fifth of what four threads could do in ten seconds
  clock.addDevice(1.9);
  EXPECT_EQ(clock.times(at(10)).bottleneck(), "decode");
  clock.addDevice(0.2);
  const StageTimes times = clock.times(at(10));
  EXPECT_EQ(times.bottleneck(), "device");
  EXPECT_DOUBLE_EQ(times.deviceShare(), 0.21);
  EXPECT_EQ(toString(times),
            "4 threads, 10.00 s: decode 20 %, filter 0 %, encode 0 %, device 21 %; device is the bottleneck");
  StageTimes twice = times;
  twice += times;
  EXPECT_DOUBLE_EQ(twice.deviceShare(), 0.21);
}

TEST(StageClock, GivesWhatIsHelpedTheThreadsThatAreIdle) {
  StageClock clock(4, at(0));
  clock.begin(Stage::Filter, true, at(0));   // with three more
  clock.begin(Stage::Decode, false, at(2));  // with two more
  clock.begin(Stage::Filter, true, at(3));   // both with one
  clock.end(Stage::Filter, true, at(5));
  clock.end(Stage::Decode, false, at(5));
  clock.end(Stage::Filter, true, at(6));
  const StageTimes times = clock.times(at(6));
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Filter], 8 + 3 + 6 + 4);
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Decode], 3);
  EXPECT_DOUBLE_EQ(times.share(Stage::Filter) + times.share(Stage::Decode), 1);
}

TEST(StageClock, NeverCountsMoreThanTheThreads) {
  StageClock clock(1, at(0));
  clock.begin(Stage::Filter, true, at(0));
  clock.begin(Stage::Encode, false, at(1));
  clock.end(Stage::Filter, true, at(3));
  clock.end(Stage::Encode, false, at(2));  // it saw the clock before the other
  const StageTimes times = clock.times(at(3));
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Filter], 1 + 1);
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Encode], 1);
}

}  // namespace
}  // namespace bankside

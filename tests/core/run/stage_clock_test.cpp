#include "core/run/stage_clock.h"

#include <gtest/gtest.h>

namespace bankside {
namespace {

using Stage = StageTimes::Stage;
using Task = StageClock::Task;

Clock::time_point at(int seconds) { return Clock::time_point(std::chrono::seconds(100 + seconds)); }

TEST(StageClock, CountsEveryThreadAtItsStage) {
  StageClock clock(4, at(0));
  const Task first = clock.begin(false, at(0));
  const Task second = clock.begin(false, at(1));
  const Task third = clock.begin(false, at(1));
  clock.end(first, Stage::Decode, at(3));
  clock.end(third, Stage::Encode, at(4));
  clock.end(second, Stage::Decode, at(6));
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
  const Task decode = clock.begin(false, at(0));
  clock.end(decode, Stage::Decode, at(8));  // a fifth of what four threads could do in ten seconds
  clock.addDevice(at(2), 1.9);
  EXPECT_EQ(clock.times(at(10)).bottleneck(), "decode");
  clock.addDevice(at(9), 0.2);
  const StageTimes times = clock.times(at(10));
  EXPECT_EQ(times.bottleneck(), "device");
  EXPECT_DOUBLE_EQ(times.deviceShare(), 0.21);
  EXPECT_EQ(toString(times),
            "4 threads, 10.00 s: decode 20 %, filter 0 %, encode 0 %, device 21 %; device is the bottleneck");
  StageTimes twice = times;
  twice += times;
  EXPECT_DOUBLE_EQ(twice.deviceShare(), 0.21);
}

/// What was forgotten of a device's times is not counted again.
TEST(StageClock, CountsADevicesTimeOnceHoweverManyPeriodsItHas) {
  StageClock clock(4, at(0));
  for (int i = 1; i <= 1000; ++i) clock.addDevice(at(2 * i), 0.5);
  EXPECT_DOUBLE_EQ(clock.times(at(2000)).deviceSeconds, 500);
  clock.addDevice(at(2000), 2000);
  EXPECT_LE(clock.times(at(2000)).deviceShare(), 1);
}

TEST(StageClock, GivesWhatIsHelpedTheThreadsThatAreIdle) {
  StageClock clock(4, at(0));
  const Task first = clock.begin(true, at(0));    // with three more
  const Task decode = clock.begin(false, at(2));  // with two more
  const Task second = clock.begin(true, at(3));   // both with one
  clock.end(first, Stage::Filter, at(5));
  clock.end(decode, Stage::Decode, at(5));
  clock.end(second, Stage::Filter, at(6));
  const StageTimes times = clock.times(at(6));
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Filter], 8 + 3 + 6 + 4);
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Decode], 3);
  EXPECT_DOUBLE_EQ(times.share(Stage::Filter) + times.share(Stage::Decode), 1);
}

TEST(StageClock, NeverCountsMoreThanTheThreads) {
  StageClock clock(1, at(0));
  const Task filter = clock.begin(true, at(0));
  const Task encode = clock.begin(false, at(1));
  clock.end(filter, Stage::Filter, at(3));
  clock.end(encode, Stage::Encode, at(2));  // it saw the clock before the other
  const StageTimes times = clock.times(at(3));
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Filter], 1 + 1);
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Encode], 1);
}

TEST(StageClock, TakesWhatADeviceDidFromTheThreadThatWaited) {
  StageClock clock(4, at(0));
  const Task alone = clock.begin(false, at(0));
  clock.end(alone, Stage::Filter, at(4), 3);
  const Task helped = clock.begin(true, at(4));
  clock.end(helped, Stage::Filter, at(8), 3);
  const Task all = clock.begin(true, at(8));
  clock.end(all, Stage::Filter, at(9), 7);  // no more than it took
  const StageTimes times = clock.times(at(10));
  EXPECT_DOUBLE_EQ(times.busySeconds[Stage::Filter], 1 + 4);
  EXPECT_DOUBLE_EQ(times.deviceSeconds, 3 + 3 + 1);
}

/// Of several, each for a thread.
TEST(StageClock, CountsOnceWhenSeveralDevicesAreBusy) {
  StageClock clock(2, at(0));
  clock.addDevice(at(3), 1);
  clock.addDevice(at(4), 2);
  clock.addDevice(at(10), 2);
  clock.addDevice(at(7), 1);  // told late
  EXPECT_DOUBLE_EQ(clock.times(at(10)).deviceSeconds, 2 + 1 + 2);
  clock.addDevice(at(9), 6);
  EXPECT_DOUBLE_EQ(clock.times(at(10)).deviceSeconds, 8);
  clock.addDevice(at(20), 0);
  EXPECT_DOUBLE_EQ(clock.times(at(10)).deviceSeconds, 8);
  // As many as a night has.
  for (int i = 0; i < 5000; ++i) clock.addDevice(at(20 + 2 * i), 1);
  EXPECT_DOUBLE_EQ(clock.times(at(10)).deviceSeconds, 8 + 5000);
}

}  // namespace
}  // namespace bankside

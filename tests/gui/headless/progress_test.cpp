#include "gui/headless/progress.h"

#include <gmock/gmock.h>

#include <vector>

#include "core/log.h"

namespace bankside::headless {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

/// What is logged while two steps are shown. Tests run without a terminal.
std::vector<std::string> logged(bool wanted, int total, Progress::Clock::duration every) {
  std::vector<std::string> lines;
  setLogSink([&](LogLevel, const std::string& line) { lines.push_back(line); });
  ::testing::internal::CaptureStderr();
  {
    Progress progress(wanted, total, every);
    progress.show(0, "first.png");
    progress.show(3, "fourth.png");
  }
  setLogSink({});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  return lines;
}

TEST(Progress, GoesToTheLogWhereThereIsNoTerminal) {
  const auto always = Progress::Clock::duration::zero();
  EXPECT_THAT(logged(true, 4, always),
              ElementsAre("0 % done: first.png", MatchesRegex("75 % done, [0-9]+:[0-9]+ left: fourth.png")));
  EXPECT_THAT(logged(true, 0, always), ElementsAre("first.png", "fourth.png"));
}

TEST(Progress, SaysNothingThatIsNotWanted) {
  EXPECT_THAT(logged(false, 4, Progress::Clock::duration::zero()), IsEmpty());
  EXPECT_THAT(logged(true, 4, std::chrono::hours(1)), IsEmpty());
}

}  // namespace
}  // namespace bankside::headless

#include "gui/window/models/tap_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/refusals.h"

namespace bankside::window {
namespace {

using bankside::testing::sentenceOf;
using ::testing::HasSubstr;

std::string refusal(const std::string& text, ErrorCode code = ErrorCode::BadInput) {
  return sentenceOf([&] { parseTapText(text); }, code);
}

TEST(TapText, ReadsEverySeparator) {
  const TapBlock expected{2, 3, {1, 0, -1, 2.5f, 0, -2.5f}};
  for (const char* text : {"1\t0\t-1\n2.5\t0\t-2.5\n", "1;0;-1\r\n2.5;0;-2.5\r\n", "1,0,-1\n2.5,0,-2.5",
                           "1, 0, -1\n2.5, 0, -2.5", "1 0 -1\n2.5 0 -2.5", "  1   0  -1 \r 2.5 0 -2.5  \r",
                           "\n1\t 0\t-1\n2.5e0\t+0\t-25e-1\n\n\n"}) {
    EXPECT_EQ(parseTapText(text), expected) << text;
  }
}

TEST(TapText, ReadsOneTapAndFractions) {
  EXPECT_EQ(parseTapText("7"), (TapBlock{1, 1, {7}}));
  EXPECT_EQ(parseTapText("1/16 -1/8"), (TapBlock{1, 2, {0.0625f, -0.125f}}));
  EXPECT_EQ(parseTap(" 1 / 4 ", "The tap"), 0.25f);
}

TEST(TapText, WritesWhatItReads) {
  const TapBlock block{2, 2, {0.1f, -1e-30f, 3.4e38f, 1.0f / 3}};
  EXPECT_EQ(formatTapText({1, 2, {0.1f, -2}}), "0.1\t-2\n");
  EXPECT_EQ(parseTapText(formatTapText(block)), block);
}

TEST(TapText, RefusesDecimalCommasByPlace) {
  EXPECT_EQ(refusal("1\t2\n0,5\t3"),
            "Row 2, column 1 is \"0,5\": write decimals with a point (0.5), not a comma.");
  EXPECT_THAT(refusal("1;2\n3;-1,25"),
              HasSubstr("Row 2, column 2 is \"-1,25\": write decimals with a point"));
  EXPECT_THAT(refusal("0,5 1,5\n2 3"), HasSubstr("Row 1, column 1 is \"0,5\": write decimals with a point"));
  EXPECT_THAT(refusal("0,05\n1,25"), HasSubstr("Row 1, column 1 is \"0,05\": write decimals with a point"));
  EXPECT_THAT(refusal("-0,5\n1,25"), HasSubstr("Row 1, column 1 is \"-0,5\": write decimals with a point"));
}

TEST(TapText, RefusesBadWordsByPlace) {
  EXPECT_EQ(refusal("1\t2\n3\tx4"), "Row 2, column 2 is \"x4\", which is not a number.");
  EXPECT_EQ(refusal("1\t\t3"), "Row 1, column 2 is empty; every tap needs a number.");
  EXPECT_EQ(refusal("1 2 3\n4 5"), "Row 2 has 2 values where row 1 has 3.");
  EXPECT_EQ(refusal("nan 1"), "Row 1, column 1 is \"nan\"; a tap must be a finite number.");
  EXPECT_EQ(refusal("1 1e39"), "Row 1, column 2 is \"1e39\", too large for a 32-bit float.");
  EXPECT_EQ(refusal("1 1/0"), "Row 1, column 2 is \"1/0\", a division by zero.");
  EXPECT_EQ(refusal(" \n\n"), "There is no text to paste.");
  EXPECT_THAT(refusal("1 " + std::string(60, 'a')), HasSubstr("\"aaaaaaaaaaaaaaaaaaaaaaaa...\""));
}

TEST(TapText, RefusesWhatNoFilterHolds) {
  std::string row = "1";
  for (int i = 1; i < 128; ++i) row += " 1";
  EXPECT_EQ(refusal(row, ErrorCode::Limit),
            "The pasted text has 1 rows and 128 columns; at most 127 of each are allowed.");
  std::string column;
  for (int i = 0; i < 128; ++i) column += "1\n";
  EXPECT_THAT(refusal(column, ErrorCode::Limit), HasSubstr("128 rows"));
  EXPECT_THAT(refusal(std::string(2 << 20, '1'), ErrorCode::Limit), HasSubstr("longer than 1 MiB"));
}

}  // namespace
}  // namespace bankside::window

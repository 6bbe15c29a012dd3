#include "core/border.h"

#include <gtest/gtest.h>

#include <string>

namespace bankside {
namespace {

/// What positions -5..8 of the four pixels "abcd" read; '.' is the constant.
std::string goldRow(BorderKind kind, const std::string& pixels) {
  std::string row;
  for (int i = -5; i < static_cast<int>(pixels.size()) + 5; ++i) {
    const int inside = borderIndex(i, static_cast<int>(pixels.size()), kind);
    row += inside < 0 ? '.' : pixels[static_cast<std::size_t>(inside)];
  }
  return row;
}

TEST(Border, GoldRowsOfFourPixels) {
  EXPECT_EQ(goldRow(BorderKind::Constant, "abcd"), ".....abcd.....");
  EXPECT_EQ(goldRow(BorderKind::Replicate, "abcd"), "aaaaaabcdddddd");
  EXPECT_EQ(goldRow(BorderKind::Reflect, "abcd"), "ddcbaabcddcbaa");
  EXPECT_EQ(goldRow(BorderKind::Reflect101, "abcd"), "bcdcbabcdcbabc");
  EXPECT_EQ(goldRow(BorderKind::Wrap, "abcd"), "dabcdabcdabcda");
}

TEST(Border, ImagesSmallerThanTheReachReflectAgainAndAgain) {
  EXPECT_EQ(goldRow(BorderKind::Replicate, "a"), "aaaaaaaaaaa");
  EXPECT_EQ(goldRow(BorderKind::Reflect, "a"), "aaaaaaaaaaa");
  EXPECT_EQ(goldRow(BorderKind::Reflect101, "a"), "aaaaaaaaaaa");
  EXPECT_EQ(goldRow(BorderKind::Wrap, "a"), "aaaaaaaaaaa");
  EXPECT_EQ(goldRow(BorderKind::Reflect, "ab"), "aabbaabbaabb");
  EXPECT_EQ(goldRow(BorderKind::Reflect101, "ab"), "babababababa");
  EXPECT_EQ(goldRow(BorderKind::Wrap, "ab"), "babababababa");
}

TEST(Border, IsConstexpr) {
  static_assert(borderIndex(-1, 4, BorderKind::Reflect101) == 1);
  static_assert(borderIndex(-1, 4, BorderKind::Constant) == -1);
}

TEST(Border, TextReadsBack) {
  for (const BorderKind kind : allBorderKinds) {
    EXPECT_EQ(parseBorder(toString(kind)), (Border{kind, 0}));
    EXPECT_EQ(parseBorder(format({kind, 0})), (Border{kind, 0}));
  }
  const Border dark{BorderKind::Constant, -3.5f};
  EXPECT_EQ(format(dark), "constant=-3.5");
  EXPECT_EQ(parseBorder("constant=-3.5"), dark);
}

TEST(Border, RefusesWhatIsNoBorder) {
  for (const char* text :
       {"", "mirror", "constant=", "constant=x", "constant=inf", "constant=1e99", "wrap=1", "constant=1 "}) {
    EXPECT_EQ(parseBorder(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace bankside

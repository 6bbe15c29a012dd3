#include "core/text.h"

#include <gtest/gtest.h>

#include "core/table.h"

namespace bankside {
namespace {

TEST(Text, NumbersReadBackAndJunkDoesNot) {
  for (const float value : {0.1f, -1.5f, 1e-38f, 16777216.0f, 3.4028235e38f}) {
    EXPECT_EQ(static_cast<float>(*parseNumber(formatNumber(value))), value);
  }
  EXPECT_EQ(parseNumber("+2.5"), 2.5);
  for (const char* text : {"", "1,5", "1.5 ", " 1", "x", "1.5x", "+", "--1"})
    EXPECT_FALSE(parseNumber(text)) << text;
  EXPECT_EQ(parseInteger("-12"), -12);
  EXPECT_FALSE(parseInteger("1.0"));
  EXPECT_FALSE(parseInteger("99999999999999999999"));
}

TEST(Text, WordsAndParts) {
  EXPECT_EQ(joinWords({}), "");
  EXPECT_EQ(joinWords({"a"}), "a");
  EXPECT_EQ(joinWords({"a", "b", "c"}), "a, b and c");
  const std::string many = joinWords(std::vector<std::string>(65535, "channel"));
  EXPECT_LT(many.size(), 1000u) << "a hostile image has as many channels";
  EXPECT_TRUE(many.ends_with("channel, channel and 65435 more"));
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(trimmed("\t train \r"), "train");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_EQ(trimmed("\"a b\" ", " \""), "a b");
  EXPECT_EQ(formatHash(0xabc), "0000000000000abc");
}

TEST(ShellWord, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(shellWord("vessel-matched:sigma=2,length=7"), "vessel-matched:sigma=2,length=7");
  EXPECT_EQ(shellWord("my eye.png"), "'my eye.png'");
  EXPECT_EQ(shellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(shellWord("--bank"), "--bank") << "to a shell a word as any other";
  EXPECT_EQ(shellWord(""), "''");
}

TEST(Table, AlignsEscapesAndQuotes) {
  Table table({"name", "ms"});
  table.add({"a|b, \"c\"", "1.5"});
  table.add({"d", "10"});
  EXPECT_EQ(table.aligned(), "name       ms\na|b, \"c\"  1.5\nd          10\n");
  EXPECT_EQ(table.markdown(), "| name | ms |\n|---|---|\n| a\\|b, \"c\" | 1.5 |\n| d | 10 |\n");
  EXPECT_EQ(table.csv(), "name,ms\n\"a|b, \"\"c\"\"\",1.5\nd,10\n");
}

}  // namespace
}  // namespace bankside

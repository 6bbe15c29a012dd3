#include "core/table.h"

#include <gtest/gtest.h>

#include "core/printable.h"

namespace bankside {
namespace {

TEST(Printable, LeavesTextAndShowsWhatWouldSteerATerminal) {
  for (const char* plain : {"", "a.png", "\u00e4\u20ac\U0001f600 \u65e5\u672c", "tilde ~"})
    EXPECT_EQ(printable(plain), plain);
  EXPECT_EQ(printable("a\x1b[2J\nb\x7f\t"), "a\\x1b[2J\\x0ab\\x7f\\x09");
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m")
      << "a control of one byte, as UTF-8";
  // Latin-1, cut short, overlong, a surrogate, beyond Unicode.
  EXPECT_EQ(printable("\xe4"
                      "a"),
            "\\xe4a");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("a\u202egnp.exe"), "a\\xe2\\x80\\xaegnp.exe") << "read from right to left";
  EXPECT_EQ(printable("\u2066\u061c"), "\\xe2\\x81\\xa6\\xd8\\x9c");
}

TEST(Printable, KnowsUtf8) {
  for (const char* text : {"", "a.png", "a\x1b[2J\n\x7f", "\u00e4\u20ac\U0001f600", "\xc2\x9b"})
    EXPECT_TRUE(isUtf8(text)) << text;
  EXPECT_TRUE(isUtf8(std::string_view("\0", 1)));
  for (const char* text : {"\xe4", "a\xff", "\xe2\x82", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf",
                           "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80"})
    EXPECT_FALSE(isUtf8(text)) << printable(text);
}

TEST(Table, CellsOfStrangersStayInTheirPlace) {
  Table table({"file", "ms"});
  table.add({"a\nb|c\x1b", "-1.5"});
  EXPECT_EQ(table.aligned(), "file            ms\na\\x0ab|c\\x1b  -1.5\n");
  EXPECT_EQ(Table({"<b>"}).markdown(), "| &lt;b> |\n|---|\n");
  EXPECT_EQ(table.markdown(), "| file | ms |\n|---|---|\n| a\\x0ab\\|c\\x1b | -1.5 |\n");
}

/// A name is text, whatever Markdown would make of it.
TEST(Table, NoCellIsALink) {
  EXPECT_EQ(Table({"[l](http:x).png"}).markdown(), "| \\[l\\](http:x).png |\n|---|\n");
  EXPECT_EQ(markdownText("![a](b)\\[c](d) `e` <f> g|h \x1b"),
            "!\\[a\\](b)\\\\\\[c\\](d) \\`e\\` &lt;f> g\\|h \\x1b");
  EXPECT_EQ(markdownText("a_b.png, 2 * 3"), "a_b.png, 2 * 3");
}

TEST(Table, NoCellOfASheetHoldsAControlCharacter) {
  Table table({"file"});
  for (const char* name : {"a\x1b[2Jb", "c\rd", "e\nf", "bad\xff"}) table.add({name});
  EXPECT_EQ(table.csv(), "file\na\\x1b[2Jb\nc\\x0dd\ne\\x0af\nbad\\xff\n");
}

TEST(Table, NoCellOfASheetIsAFormula) {
  Table table({"file", "ms"});
  for (const char* text : {"=1+1", "+cmd", "-cmd|x", "@sum(a)", "\tx", "plain", "a=b"})
    table.add({text, "1"});
  for (const char* number : {"-1.5", "+2", "-3e-9", "-inf", ""}) table.add({"n", number});
  EXPECT_EQ(table.csv(),
            "file,ms\n'=1+1,1\n'+cmd,1\n'-cmd|x,1\n'@sum(a),1\n'\\x09x,1\nplain,1\na=b,1\n"
            "n,-1.5\nn,+2\nn,-3e-9\nn,-inf\nn,\n");
}

TEST(Table, TabsPartCellsOnAClipboard) {
  Table table({"file", "ms"});
  table.add({"a,b", "1"});
  table.add({"a\tb", "\"2\""});
  table.add({"=1+1", "-3"});
  EXPECT_EQ(table.csv('\t'), "file\tms\na,b\t1\na\\x09b\t\"\"\"2\"\"\"\n'=1+1\t-3\n");
}

}  // namespace
}  // namespace bankside

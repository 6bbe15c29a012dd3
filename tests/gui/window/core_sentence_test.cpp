/// Core's sentences where they stand alone.
#include "gui/window/compute/core_sentence.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace bankside::window {
namespace {

TEST(CoreSentence, BeginsWithACapitalUnlessItBeginsWithANameOfSomething) {
  const auto becomes = [](const char* said) { return sentenceOf(std::string(said)).toStdString(); };
  EXPECT_EQ(becomes("the image has no green channel"), "The image has no green channel");
  EXPECT_EQ(sentenceOf(Error(ErrorCode::BadInput, "no field of view was found")),
            QStringLiteral("No field of view was found"));
  for (const char* name :
       {"eye.png: the file ends in row 3", "/eyes/eye: no such file", "cpu:fft takes no even filters",
        "filter2D gives no value", "png files are not compressed by zstd", "cuda takes no such border",
        "wrong: refuses", "31 rows are too many", "{\"bank\": 3}", "over", ""})
    EXPECT_EQ(becomes(name), name);
}

TEST(CoreSentence, LeavesOutWhatTheCommandCallsIt) {
  const auto becomes = [](const char* said) { return sentenceOf(std::string(said)).toStdString(); };
  EXPECT_EQ(becomes("step 2: say how many the image has (--scale; in Python scale=, in C pixels_per_degree)"),
            "Step 2: say how many the image has");
  EXPECT_EQ(becomes("it has grey (as it is), which is taken (--channel auto)"),
            "It has grey (as it is), which is taken");
  EXPECT_EQ(
      becomes("the image has no green channel; it has grey, which is taken as it is where no channel is "
              "chosen (--channel auto)"),
      "The picture is grey: it has no green channel.");
  EXPECT_EQ(becomes("the image has no red channel; it has grey and alpha, which is taken as it is where no "
                    "channel is chosen (--channel auto)"),
            "The picture is grey: it has no red channel.");
  EXPECT_EQ(becomes("the image has no red channel; it has green and blue"),
            "The image has no red channel; it has green and blue");
  EXPECT_EQ(becomes("JPEG data is damaged: Premature end of JPEG file"), "The JPEG file ends in the middle");
}

TEST(CoreSentence, SpeaksOfPlacesInFilesAsPeopleCountThem) {
  const auto becomes = [](const char* said) { return sentenceOf(std::string(said)).toStdString(); };
  EXPECT_EQ(becomes("/eyes/a.json: /steps/0/do: found \"x\", expected log"),
            "/eyes/a.json: step 1, “do”: found \"x\", expected log");
  EXPECT_EQ(becomes("a.json: is no recipe: /steps/3/combine/1: found \"x\", expected max"),
            "a.json: is no recipe: step 4, combine 2: found \"x\", expected max");
  EXPECT_EQ(becomes("a.json: /filters/2/taps/0/4: found \"x\", expected a number"),
            "a.json: filter 3, tap 1, 5: found \"x\", expected a number");
  EXPECT_EQ(becomes("a.json: /: found no \"schemaVersion\", expected one"),
            "a.json: found no \"schemaVersion\", expected one");
  EXPECT_EQ(becomes("a.json: line 3, column 7: syntax error while parsing object key - unexpected end of "
                    "input; expected string literal"),
            "a.json: ends in the middle, at line 3, column 7");
  EXPECT_EQ(becomes("a.json: is no recipe: line 1, column 38: syntax error while parsing object key - "
                    "invalid literal; last read: '4, s'; expected string literal"),
            "a.json: is no recipe: is no valid JSON from line 1, column 38 on");
  EXPECT_EQ(becomes("/a/b: /data/masks: there is no such file"), "/a/b: /data/masks: there is no such file");
}

}  // namespace
}  // namespace bankside::window

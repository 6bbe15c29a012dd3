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

}  // namespace
}  // namespace bankside::window

#include "core/run/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

TEST(Recipe, ReadsBackWhatItWrites) {
  Recipe recipe;
  recipe.stages[0] = {"vessel-matched:sigma=1.5", FilterMode::Convolution, Combine::AbsMax};
  recipe.channel = ChannelChoice::Green;
  recipe.border = {BorderKind::Constant, -2.5f};
  recipe.engine = "cpu:direct";
  recipe.precision = Precision::Exact;
  recipe.verify = VerifyLevel::All;
  recipe.format = FileFormat::Npy;
  recipe.map = OutputMap::Clip;
  recipe.responses = false;
  EXPECT_EQ(parseRecipe(writeRecipe(recipe), "r"), recipe);
  EXPECT_EQ(parseRecipe(writeRecipe(Recipe{}), "r"), Recipe{});
  recipe.stages = {{"vessel-gabor", FilterMode::Convolution, Combine::Sum, Activation::Square},
                   {"second.npy", std::nullopt, Combine::ArgMax}};
  EXPECT_EQ(parseRecipe(writeRecipe(recipe), "r"), recipe);
  recipe.stages = {{"a"}, {"b"}};
  EXPECT_EQ(parseRecipe(writeRecipe(recipe), "r"), recipe);
  recipe.stages = {{"a", FilterMode::Convolution, Combine::Max, Activation::Abs}};
  for (const char* name : {"b", "c", "d", "e"}) {
    recipe.stages.push_back({name, std::nullopt, Combine::Mean, Activation::Relu});
    Recipe ended = recipe;
    ended.stages.back().activation = Activation::None;
    EXPECT_EQ(parseRecipe(writeRecipe(ended), "r"), ended) << name;
  }
}

TEST(Recipe, OneStageIsStillWrittenAsVersionOne) {
  EXPECT_THAT(writeRecipe({.stages = {{"sobel"}}}), ::testing::HasSubstr("\"version\": 1,"));
  EXPECT_THAT(writeRecipe({.stages = {{"sobel"}, {"box"}}}), ::testing::HasSubstr("\"version\": 2,"));
  EXPECT_THAT(writeRecipe({.stages = {{"sobel"}, {"box"}, {"box"}}}),
              ::testing::HasSubstr("\"version\": 3,"));
  EXPECT_EQ(parseRecipe(R"({"bankside":"recipe","version":2,"stages":[{"bank":"sobel"}]})", "r"),
            (Recipe{.stages = {{"sobel"}}}));
}

TEST(Recipe, AnOrdinaryPrecisionIsNotWritten) {
  EXPECT_EQ(writeRecipe({.stages = {{"sobel"}}}).find("precision"), std::string::npos);
  EXPECT_THAT(writeRecipe({.stages = {{"sobel"}}, .precision = Precision::Fp16}),
              ::testing::HasSubstr("\"precision\": \"fp16\","));
}

TEST(Recipe, ACompressionIsWrittenWhereItWasAskedFor) {
  EXPECT_EQ(writeRecipe({.stages = {{"sobel"}}}).find("compression"), std::string::npos);
  for (const Compression compression : {Compression::None, Compression::Deflate, Compression::Zstd}) {
    const Recipe recipe{.stages = {{"sobel"}}, .compression = compression};
    EXPECT_EQ(parseRecipe(writeRecipe(recipe), "r"), recipe);
  }
  try {
    parseRecipe(
        R"({"bankside":"recipe","version":1,"stages":[{"bank":"sobel"}],"output":{"compression":"lzw"}})",
        "r");
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "r: /output/compression: found \"lzw\", expected none, deflate or zstd");
  }
}

TEST(Recipe, AThresholdIsWrittenWhereItWasGiven) {
  EXPECT_EQ(writeRecipe({.stages = {{"sobel"}}}).find("threshold"), std::string::npos);
  const Recipe recipe{.stages = {{"sobel"}}, .map = OutputMap::Binary, .threshold = 1.65};
  EXPECT_EQ(parseRecipe(writeRecipe(recipe), "r"), recipe);
  EXPECT_EQ(mapThreshold(recipe), 1.65f);
  EXPECT_EQ(mapThreshold({.map = OutputMap::Clip}), 0);
  EXPECT_THROW(mapThreshold({.map = OutputMap::Binary}), Error);
  for (const char* wrong : {"\"high\"", "1e39", "null"}) {
    EXPECT_THROW(
        parseRecipe(R"({"bankside":"recipe","version":1,"stages":[{"bank":"sobel"}],"output":{"threshold":)" +
                        std::string(wrong) + "}}",
                    "r"),
        Error)
        << wrong;
  }
}

TEST(Recipe, StagesHaveATitleToo) {
  const Recipe recipe = parseRecipe(
      R"({"bankside":"recipe","version":1,"title":"t","citation":"c","stages":[{"bank":"sobel"}]})", "r");
  EXPECT_EQ(recipe.title, "t");
  EXPECT_EQ(recipe.citation, "c");
  EXPECT_EQ(parseRecipe(writeRecipe(recipe), "again").citation, "c");
}

TEST(Recipe, WhatIsLeftOutHasItsDefault) {
  const Recipe recipe = parseRecipe(R"({"bankside":"recipe","version":1,"stages":[{"bank":"sobel"}]})", "r");
  EXPECT_EQ(recipe.stages[0].bank, "sobel");
  EXPECT_EQ(recipe.border, Border{});
  EXPECT_EQ(recipe.engine, "auto");
}

TEST(Recipe, ComplaintsNameFilePlaceFoundAndExpected) {
  const auto complaint = [](const std::string& json) -> std::string {
    try {
      parseRecipe(json, "study.json");
      return "taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
      return error.what();
    }
  };
  const std::string head = R"({"bankside":"recipe","version":1,"stages":[{"bank":"sobel"}])";
  EXPECT_EQ(complaint(head + R"(,"border":"mirror"})"),
            "study.json: /border: found \"mirror\", expected constant, constant=VALUE, replicate, reflect, "
            "reflect101 or wrap");
  EXPECT_EQ(complaint(head + R"(,"precision":"half"})"),
            "study.json: /precision: found \"half\", expected exact, fp32 or fp16");
  EXPECT_THAT(complaint(head + R"(,"bordr":"wrap"})"), ::testing::HasSubstr("/bordr"));
  EXPECT_THAT(complaint(head + R"(,"output":{"responses":1}})"),
              ::testing::HasSubstr("/output/responses: found 1, expected true or false"));
  EXPECT_THAT(complaint(head), ::testing::HasSubstr("study.json: line 1, column"));
  EXPECT_THAT(complaint("[]"), ::testing::HasSubstr("expected an object"));
  EXPECT_THAT(complaint(R"({"bankside":"recipe","version":5,"stages":[]})"),
              ::testing::HasSubstr("/version: found 5, expected 1, 2, 3 or 4"));
  const auto stages = [&](int version, const std::string& list) {
    return complaint(R"({"bankside":"recipe","version":)" + std::to_string(version) + R"(,"stages":)" + list +
                     "}");
  };
  EXPECT_THAT(stages(1, R"([{"bank":"a"},{"bank":"b"}])"), ::testing::HasSubstr("one stage in version 1"));
  EXPECT_THAT(stages(2, "[]"),
              ::testing::HasSubstr("/stages: found [], expected a list of one or two stages"));
  EXPECT_THAT(stages(2, R"([{"bank":"a"},{"bank":"b"},{"bank":"c"}])"),
              ::testing::HasSubstr("one or two stages"));
  EXPECT_THAT(stages(3, "[]"), ::testing::HasSubstr("/stages: found [], expected a list of stages"));
  EXPECT_THAT(stages(3, R"([{"bank":"a"},{"bank":"b","takes":[0]},{"bank":"c"}])"),
              ::testing::HasSubstr("/stages/1/takes: found [0], expected no such field here"));
  EXPECT_THAT(stages(3, R"([{"bank":"a"},{"bank":"b","combine":["argmax"]},{"bank":"c"}])"),
              ::testing::HasSubstr("/stages/1/combine/0"));
  EXPECT_THAT(stages(3, R"([{"bank":"a"},{"bank":"b"},{"bank":"c","activation":"abs"}])"),
              ::testing::HasSubstr("/stages/2/activation"));
  EXPECT_THAT(
      stages(2, R"([{"bank":"a","activation":"tanh"},{"bank":"b"}])"),
      ::testing::HasSubstr("/stages/0/activation: found \"tanh\", expected none, abs, relu or square"));
  EXPECT_THAT(stages(2, R"([{"bank":"a"},{"bank":"b","activation":"abs"}])"),
              ::testing::HasSubstr("/stages/1/activation"));
  EXPECT_THAT(stages(2, R"([{"bank":"a","combine":["argmax"]},{"bank":"b"}])"),
              ::testing::HasSubstr("/stages/0/combine/0"));
  EXPECT_THAT(complaint(R"({"bankside":"recipe","version":1})"),
              ::testing::HasSubstr("\"stages\" is missing"));
  EXPECT_THAT(
      complaint(R"({"bankside":"recipe","version":1,"stages":[{"bank":"a","combine":["max","mean"]}]})"),
      ::testing::HasSubstr("/stages/0/combine"));
  EXPECT_THAT(complaint(R"({"bankside":"bank","version":1})"), ::testing::HasSubstr("/bankside"));
}

TEST(Recipe, IsToldFromOtherFiles) {
  const testing::TemporaryFolder folder;
  const auto is = [&](const std::string& text) {
    writeFileAtomically(folder / "a.json", text);
    return isRecipe(folder / "a.json");
  };
  EXPECT_TRUE(is(writeRecipe({})));
  EXPECT_TRUE(is(R"({"bankside":"recipe","version":99})")) << "a wrong one, too";
  for (const char* other :
       {"", "[]", "{}", R"({"bankside":"bench"})", R"({"bankside":1})", R"({"bankside":"recipe")"})
    EXPECT_FALSE(is(other)) << other;
  EXPECT_FALSE(isRecipe("/dev/zero"));
  EXPECT_FALSE(isRecipe(folder / "none.json"));
}

TEST(Recipe, IsReadAsIfAStrangerHadSentIt) {
  const auto refusal = [](const std::string& json) -> std::string {
    try {
      parseRecipe(json, "r");
      return "taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
      return error.what();
    }
  };
  EXPECT_THAT(refusal(std::string(80'000, '[') + std::string(80'000, ']')),
              ::testing::HasSubstr("more than 8 levels of nesting"));
  EXPECT_THAT(refusal(R"({"bankside":)" + std::string(80'000, '[') + std::string(80'000, ']') + "}"),
              ::testing::HasSubstr("more than 8 levels of nesting"));
  EXPECT_THAT(refusal(R"({"bankside":"recipe","version":1e400})"), ::testing::HasSubstr("number overflow"));
  EXPECT_EQ(refusal(R"({"bankside":"recipe","version":1,"stages":[{"bank":"a","bank":"b"}]})"),
            "r: /stages/0/bank: found this key twice, expected it once");
  std::string many = "[";
  for (int i = 0; i < 1 << 20; ++i) many += "{},";
  EXPECT_THAT(refusal(many + "{}]"), ::testing::HasSubstr("more than 1048576 objects, arrays and keys"));
}

}  // namespace
}  // namespace bankside

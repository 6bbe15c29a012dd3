#include "core/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace bankside {
namespace {

TEST(Recipe, ReadsBackWhatItWrites) {
  Recipe recipe;
  recipe.stages[0] = {"vessel-matched:sigma=1.5", FilterMode::Convolution, Combine::AbsMax};
  recipe.channel = ChannelChoice::Green;
  recipe.border = {BorderKind::Constant, -2.5f};
  recipe.engine = "cpu:direct";
  recipe.verify = VerifyLevel::All;
  recipe.format = FileFormat::Npy;
  recipe.map = OutputMap::Clip;
  recipe.responses = false;
  EXPECT_EQ(parseRecipe(writeRecipe(recipe), "r"), recipe);
  EXPECT_EQ(parseRecipe(writeRecipe(Recipe{}), "r"), Recipe{});
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
  EXPECT_THAT(complaint(head + R"(,"bordr":"wrap"})"), ::testing::HasSubstr("/bordr"));
  EXPECT_THAT(complaint(head + R"(,"output":{"responses":1}})"),
              ::testing::HasSubstr("/output/responses: found 1, expected true or false"));
  EXPECT_THAT(complaint(head), ::testing::HasSubstr("not JSON"));
  EXPECT_THAT(complaint("[]"), ::testing::HasSubstr("expected an object"));
  EXPECT_THAT(complaint(R"({"bankside":"recipe","version":2,"stages":[]})"),
              ::testing::HasSubstr("/version: found 2, expected 1"));
  EXPECT_THAT(complaint(R"({"bankside":"recipe","version":1})"),
              ::testing::HasSubstr("\"stages\" is missing"));
  EXPECT_THAT(
      complaint(R"({"bankside":"recipe","version":1,"stages":[{"bank":"a","combine":["max","mean"]}]})"),
      ::testing::HasSubstr("/stages/0/combine"));
  EXPECT_THAT(complaint(R"({"bankside":"bank","version":1})"), ::testing::HasSubstr("/bankside"));
}

}  // namespace
}  // namespace bankside

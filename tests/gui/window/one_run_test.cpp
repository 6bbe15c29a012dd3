#include <gtest/gtest.h>

#include "gui/window/compute/work.h"
#include "kernels/engines.h"
#include "tests/gui/window/computed_planes.h"
#include "tests/support/made_images.h"

namespace bankside::window {
namespace {

using bankside::testing::randomBank;
using bankside::testing::randomImage;

TEST(ComputePlanes, WhatOneRunGivesIsComputedOnce) {
  RunSettings settings = settingsFor(randomImage(1, 210, 330, ElementType::U8), randomBank(12, 1, 25, 25));
  settings.recipe.engine = "cpu:fft";
  settings.recipe.stages.front().combine = Combine::Max;
  ASSERT_TRUE(settings.recipe.responses);
  // A run asks for an engine; so does whoever looks how one filter of a bank is computed.
  const auto asked = [&](const std::vector<PlaneKey>& wanted) {
    int times = 0;
    std::size_t given = 0;
    computePlanes(
        settings, wanted,
        [&](const std::string& name, const ConvolutionProblem& problem) -> const Engine& {
          ++times;
          return selectEngine(name, problem);
        },
        [&](const PlaneResult& result) { given += result.plane != nullptr ? 1 : 0; }, {});
    EXPECT_EQ(given, wanted.size());
    return times;
  };
  const PlaneKey third{Layer::Output, 3};
  const PlaneKey sixth{Layer::Output, 6};
  const PlaneKey combined{Layer::Output, 12};
  const std::vector<PlaneKey> many = {
      {Layer::Output, 0}, {Layer::Output, 1}, third, {Layer::Output, 4}, sixth, combined};
  EXPECT_LT(asked(many), asked({combined}) + asked({third}));
  EXPECT_EQ(asked({third, sixth, combined}), asked({combined}) + asked({third}));
  EXPECT_EQ(asked({third, sixth}), asked({third}));
  auto all = compute(settings, many);
  auto few = compute(settings, {third, sixth, combined});
  for (const PlaneKey& key : {third, sixth, combined}) {
    auto alone = compute(settings, {key});
    EXPECT_TRUE(samePixels(*all[key].plane->image, *alone[key].plane->image)) << key.index;
    EXPECT_TRUE(samePixels(*few[key].plane->image, *alone[key].plane->image)) << key.index;
    EXPECT_EQ(all[key].engine, alone[key].engine);
  }
  EXPECT_EQ(all[third].filters, 12);
  EXPECT_EQ(few[third].filters, 2);
}

TEST(ComputePlanes, ACombinedMapByItselfHasTheBytesOfOneBesideItsResponses) {
  std::vector<PlaneKey> many;
  for (int filter = 0; filter < 4; ++filter) many.push_back({Layer::Output, filter});
  const PlaneKey combined{Layer::Output, 12};
  many.push_back(combined);
  for (const float scale : {1.0f, 1e-20f}) {
    Image image = randomImage(1, 111, 230, ElementType::F32);
    const auto pixels = image.view<float>(0);
    for (int y = 0; y < pixels.height; ++y)
      for (int x = 0; x < pixels.width; ++x) pixels.at(x, y) *= scale;
    RunSettings settings = settingsFor(std::move(image), randomBank(12, 1, 9, 9));
    for (const Combine combine : allCombines) {
      for (const char* engine :
           {"auto", "cpu:direct", "cpu:fft", "cpu:separable", "cpu:karatsuba", "opencv"}) {
        if (combine == Combine::None) continue;
        settings.recipe.engine = engine;
        settings.recipe.stages.front().combine = combine;
        auto alone = compute(settings, {combined});
        auto beside = compute(settings, many);
        ASSERT_NE(alone[combined].plane, nullptr) << alone[combined].error;
        EXPECT_TRUE(samePixels(*alone[combined].plane->image, *beside[combined].plane->image))
            << engine << ", " << toString(combine) << ", " << scale;
      }
    }
  }
}

}  // namespace
}  // namespace bankside::window

#include "gui/window/compute/work.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/free_memory.h"
#include "gui/window/compute/pixel_explanation.h"
#include "kernels/engines.h"
#include "tests/gui/window/computed_planes.h"
#include "tests/support/made_images.h"
#include "tests/support/off_engine.h"

namespace bankside::window {
namespace {

using bankside::testing::integerBank;
using bankside::testing::randomBank;
using bankside::testing::randomImage;

TEST(ComputePlanes, OnePlaneHasTheBytesOfTheWholeBank) {
  RunSettings settings = settingsFor(randomImage(1, 61, 83, ElementType::U16), randomBank(5, 1, 7, 5));
  settings.recipe.stages.front().combine = Combine::Max;
  const Image& image = *settings.picture->image;
  const auto problem = makeProblem(*settings.bank, 1, image.height(), image.width(), image.type(),
                                   ElementType::F32, settings.recipe.border, Combine::None);
  const auto whole = runWhole(selectEngine("auto", problem), problem, *settings.bank, image);
  auto results = compute(settings, {{Layer::Output, 3}, {Layer::Output, 5}});
  ASSERT_TRUE(results.contains({Layer::Output, 3}));
  EXPECT_TRUE(samePixels(*results[{Layer::Output, 3}].plane->image, whole[3]));
  const Plane& combined = *results[{Layer::Output, 5}].plane;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      float most = whole[0].view<float>(0).at(x, y);
      for (const Image& response : whole) most = std::max(most, response.view<float>(0).at(x, y));
      ASSERT_EQ(combined.value(x, y), most) << x << ", " << y;
    }
  }
}

TEST(ComputePlanes, APlaneOfGroupedRowsHasTheBytesOfTheWholeBankToo) {
  RunSettings settings = settingsFor(randomImage(1, 211, 330, ElementType::U8), randomBank(12, 1, 9, 9));
  const Image& image = *settings.picture->image;
  const auto problem = makeProblem(*settings.bank, 1, image.height(), image.width(), image.type(),
                                   ElementType::F32, settings.recipe.border, Combine::None);
  const Engine& engine = selectEngine("cpu:karatsuba", problem);
  settings.recipe.engine = "cpu:karatsuba";
  const auto whole = runWhole(engine, problem, *settings.bank, image);
  auto results = compute(settings, {{Layer::Output, 3}});
  const PlaneResult& third = results[{Layer::Output, 3}];
  ASSERT_NE(third.plane, nullptr) << third.error;
  EXPECT_EQ(third.engine, "cpu:karatsuba");
  EXPECT_TRUE(samePixels(*third.plane->image, whole[3]));
}

TEST(ComputePlanes, APlaneOfSharedFactorsHasTheBytesOfTheWholeBankToo) {
  // Filters that share a row have it applied first; one alone would have its column first.
  const FilterBank columns = randomBank(4, 1, 9, 1);
  const FilterBank row = randomBank(1, 1, 1, 9, 3);
  std::vector<Filter> filters;
  for (const Filter& column : columns.filters()) {
    Filter filter = column;
    filter.width = 9;
    filter.anchorX = 4;
    filter.taps.clear();
    for (const float c : column.taps)
      for (const float r : row[0].taps) filter.taps.push_back(c * r);
    filters.push_back(std::move(filter));
  }
  RunSettings settings =
      settingsFor(randomImage(1, 111, 130, ElementType::F32), FilterBank(columns.info(), filters));
  settings.recipe.engine = "cpu:separable";
  const Image& image = *settings.picture->image;
  const auto problem = makeProblem(*settings.bank, 1, image.height(), image.width(), image.type(),
                                   ElementType::F32, settings.recipe.border, Combine::None);
  const Engine& engine = selectEngine("cpu:separable", problem);
  ASSERT_TRUE(engine.prepare(problem, *settings.bank, {})->traits().dependsOnWholeBank);
  const auto whole = runWhole(engine, problem, *settings.bank, image);
  auto results = compute(settings, {{Layer::Output, 2}});
  const PlaneResult& third = results[{Layer::Output, 2}];
  ASSERT_NE(third.plane, nullptr) << third.error;
  EXPECT_TRUE(samePixels(*third.plane->image, whole[2]));
}

TEST(ComputePlanes, ATransformedPlaneHasTheBytesOfTheWholeBankToo) {
  // Tiles are chosen for all filters of the bank: one filter alone would be summed in another order.
  RunSettings settings = settingsFor(randomImage(1, 210, 330, ElementType::U8), randomBank(12, 1, 25, 25));
  settings.recipe.stages.front().combine = Combine::Max;
  const Image& image = *settings.picture->image;
  const auto problem = makeProblem(*settings.bank, 1, image.height(), image.width(), image.type(),
                                   ElementType::F32, settings.recipe.border, Combine::None);
  const Engine& engine = selectEngine("cpu", problem);
  ASSERT_EQ(pathName(engine, problem, *settings.bank, Precision::Fp32), "cpu:fft")
      << "the test needs a bank of transforms";
  settings.recipe.engine = "cpu";
  const auto whole = runWhole(engine, problem, *settings.bank, image);
  auto results = compute(settings, {{Layer::Output, 3}, {Layer::Output, 12}});
  const PlaneResult& third = results[{Layer::Output, 3}];
  ASSERT_NE(third.plane, nullptr) << third.error;
  EXPECT_EQ(third.engine, "cpu:fft");
  EXPECT_TRUE(samePixels(*third.plane->image, whole[3]));
  const PlaneResult& combined = results[{Layer::Output, 12}];
  ASSERT_NE(combined.plane, nullptr) << combined.error;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      float most = whole[0].view<float>(0).at(x, y);
      for (const Image& response : whole) most = std::max(most, response.view<float>(0).at(x, y));
      ASSERT_EQ(combined.plane->value(x, y), most) << x << ", " << y;
    }
  }
}

/// Parts of ours are the whole's bytes; OpenCV's transforms may sum in another order.
void expectPartsOf(const std::map<PlaneKey, PlaneResult>& wholes,
                   const std::map<PlaneKey, PlanePatch>& patches) {
  for (const auto& [key, patch] : patches) {
    ASSERT_NE(wholes.at(key).plane, nullptr) << wholes.at(key).error;
    const Plane& whole = *wholes.at(key).plane;
    const bool ours = key.layer == Layer::Output;
    EXPECT_TRUE(patch.final || !ours);
    const double room =
        patch.final ? 0 : 1e-5 * std::max(std::fabs(whole.range.low), std::fabs(whole.range.high)) + 0.01;
    for (int y = 0; y < patch.area.height; ++y) {
      for (int x = 0; x < patch.area.width; ++x) {
        ASSERT_NEAR(patch.plane->value(x, y), whole.value(patch.area.x + x, patch.area.y + y), room)
            << x << ", " << y << ", " << toString(key.layer) << " " << key.index;
      }
    }
  }
}

TEST(ComputePlanes, TheVisiblePartOfALargeImageComesFirstWithTheBytesOfTheWhole) {
  for (const int side : {7, 25}) {  // direct sums and transforms
    RunSettings settings =
        settingsFor(randomImage(1, 2003, 2100, ElementType::U8), randomBank(6, 1, side, side));
    settings.recipe.stages.front().combine = Combine::ArgMax;
    settings.recipe.responses = false;
    settings.visible = {517, 1203, 300, 211};
    std::vector<std::string> order;
    std::map<PlaneKey, PlanePatch> patches;
    std::map<PlaneKey, PlaneResult> wholes;
    const std::vector<PlaneKey> wanted = {{Layer::Output, 2}, {Layer::Difference, 2}, {Layer::Output, 7}};
    computePlanes(
        settings, wanted, selectEngine,
        [&](PlaneResult r) {
          order.emplace_back("whole");
          wholes[r.key] = std::move(r);
        },
        {},
        [&](PlanePatch p) {
          order.emplace_back("part");
          patches[p.key] = std::move(p);
        });
    // The filter's three layers, and the maximum with its index.
    ASSERT_EQ(patches.size(), 5u);
    EXPECT_EQ(std::count(order.begin(), order.begin() + 5, "part"), 5) << "all parts before the first whole";
    expectPartsOf(wholes, patches);
    EXPECT_EQ(patches.at({Layer::Difference, 2}).final, side == 7) << "OpenCV's transforms";
  }
}

TEST(ComputePlanes, TheVisiblePartOfTwoBanksHasTheBytesOfTheWholeToo) {
  for (const int side : {5, 21}) {
    RunSettings settings =
        settingsFor(randomImage(1, 2003, 2100, ElementType::U8), randomBank(2, 1, side, side));
    settings.then = std::make_shared<FilterBank>(randomBank(3, 2, 7, 7));
    settings.recipe.stages = {{.bank = "a", .activation = Activation::Abs},
                              {.bank = "b", .combine = Combine::Max}};
    settings.visible = {517, 1203, 300, 211};
    std::map<PlaneKey, PlanePatch> patches;
    std::map<PlaneKey, PlaneResult> wholes;
    computePlanes(
        settings, {{Layer::Output, 1}, {Layer::OpenCv, 1}, {Layer::Output, 3}}, selectEngine,
        [&](PlaneResult r) { wholes[r.key] = std::move(r); }, {},
        [&](PlanePatch p) { patches[p.key] = std::move(p); });
    ASSERT_EQ(patches.size(), 3u);
    expectPartsOf(wholes, patches);
  }
}

TEST(ComputePlanes, TheDifferenceIsOursLessOpenCvs) {
  const RunSettings settings = settingsFor(randomImage(1, 40, 50, ElementType::F32), randomBank(2, 1, 5, 5));
  auto results = compute(settings, {{Layer::Difference, 1}});
  ASSERT_EQ(results.size(), 3u);
  const Plane& difference = *results[{Layer::Difference, 1}].plane;
  const Plane& ours = *results[{Layer::Output, 1}].plane;
  const Plane& theirs = *results[{Layer::OpenCv, 1}].plane;
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 50; ++x) ASSERT_EQ(difference.value(x, y), ours.value(x, y) - theirs.value(x, y));
  }
}

TEST(ComputePlanes, KnownPlanesAreNotComputedAgain) {
  RunSettings settings = settingsFor(randomImage(1, 40, 50, ElementType::U8), randomBank(2, 1, 5, 5));
  auto results = compute(settings, {{Layer::Output, 0}});
  settings.known = {{{Layer::Output, 0}, results[{Layer::Output, 0}]}};
  const auto again = compute(settings, {{Layer::Difference, 0}});
  EXPECT_FALSE(again.contains({Layer::Output, 0}));
  EXPECT_TRUE(again.contains({Layer::Difference, 0}));
}

TEST(ComputePlanes, ARefusalIsTheEnginesOwnSentence) {
  RunSettings settings = settingsFor(randomImage(1, 20, 20, ElementType::U8), randomBank(1, 1, 3, 3));
  settings.recipe.border.kind = BorderKind::Wrap;
  auto results = compute(settings, {{Layer::OpenCv, 0}, {Layer::Output, 0}});
  const PlaneResult& refused = results[{Layer::OpenCv, 0}];
  EXPECT_EQ(refused.plane, nullptr);
  EXPECT_NE(refused.error.find("wrap"), std::string::npos) << refused.error;
  EXPECT_NE((results[{Layer::Output, 0}].plane), nullptr) << "the others go on";
}

TEST(ComputePlanes, EveryChannelHasItsOwnPlanes) {
  RunSettings settings = settingsFor(randomImage(3, 20, 30, ElementType::U8), integerBank(2, 1, 3, 3));
  settings.recipe.channel = ChannelChoice::All;
  EXPECT_EQ(resultPlanes(settings, {"red", "green", "blue"}).planes.size(), 6u);
  auto results = compute(settings, {{Layer::Output, 5}, {Layer::Input, 2}});
  const Plane& input = *results[{Layer::Input, 2}].plane;
  EXPECT_EQ(input.value(7, 9), asFloat(settings.picture->image->view<std::uint8_t>(2).at(7, 9)));
  const auto explained = explainPixel(settings, selectEngine, 1, 2, 7, 9);
  EXPECT_EQ((results[{Layer::Output, 5}].plane->value(7, 9)), explained.value);
}

TEST(ComputePlanes, StopsWhenAsked) {
  const RunSettings settings = settingsFor(randomImage(1, 20, 20, ElementType::U8), randomBank(1, 1, 3, 3));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(computePlanes(
                   settings, {{Layer::Output, 0}}, selectEngine, [](PlaneResult) {}, stop.get_token()),
               Cancelled);
}

TEST(ExplainPixel, TheRunningSumIsTheEnginesValueUnderEveryBorderAndMode) {
  RunSettings settings = settingsFor(randomImage(1, 9, 11, ElementType::F32),
                                     bankside::testing::withAnchor(randomBank(2, 1, 4, 3), 0, 3));
  settings.recipe.engine = "cpu:direct";
  for (const BorderKind border : allBorderKinds) {
    for (const FilterMode mode : {FilterMode::CrossCorrelation, FilterMode::Convolution}) {
      settings.recipe.border = {border, border == BorderKind::Constant ? 0.25f : 0.0f};
      settings.recipe.stages.front().mode = mode;
      auto results = compute(settings, {{Layer::Output, 1}});
      const Plane& plane = *results[{Layer::Output, 1}].plane;
      for (const auto& [x, y] : {std::pair{0, 0}, {10, 8}, {5, 4}, {0, 8}}) {
        const PixelExplanation e = explainPixel(settings, selectEngine, 1, 0, x, y);
        ASSERT_EQ(e.terms.size(), 12u);
        EXPECT_EQ(e.value, plane.value(x, y))
            << toString(border) << " " << toString(mode) << " at " << x << ", " << y;
        EXPECT_LE(std::fabs(e.value - e.exact), e.bound);
        // Anchor column 0, row 3 of 3 x 4 taps: to the right and up; turned by 180 degrees, left and down.
        const bool outside = mode == FilterMode::CrossCorrelation ? x + 2 > 10 || y < 3 : x < 2 || y + 3 > 8;
        EXPECT_EQ(e.borderTaps > 0, outside) << x << ", " << y;
      }
    }
  }
}

TEST(ExplainPixel, OfTwoBanksThePixelsAreTheMapsThatTheEngineMade) {
  for (const int channels : {2, 1}) {  // summed over the maps, and applied to each
    for (const Combine combine : {Combine::None, Combine::Max}) {
      RunSettings settings = settingsFor(randomImage(1, 19, 23, ElementType::U8), randomBank(2, 1, 3, 5));
      const int maps = combine == Combine::None ? 2 : 1;
      settings.then = std::make_shared<FilterBank>(randomBank(3, std::min(channels, maps), 4, 3));
      settings.recipe.engine = "cpu:direct";
      settings.recipe.stages = {{.bank = "a", .combine = combine, .activation = Activation::Abs},
                                {.bank = "b"}};
      settings.recipe.border.kind = BorderKind::Wrap;
      const int groups = settings.then->channels() == maps ? 1 : maps;
      for (int plane = 0; plane < 3 * groups; ++plane) {
        auto results = compute(settings, {{Layer::Output, plane}});
        const PlaneResult& result = results[{Layer::Output, plane}];
        ASSERT_NE(result.plane, nullptr) << result.error;
        for (const auto& [x, y] : {std::pair{0, 0}, {22, 18}, {11, 9}}) {
          const PixelExplanation e = explainPixel(settings, selectEngine, plane % 3, plane / 3, x, y);
          EXPECT_TRUE(e.maps);
          EXPECT_EQ(e.value, result.plane->value(x, y)) << plane << " at " << x << ", " << y;
        }
      }
    }
  }
}

TEST(ComputePlanes, MapsMayTakeWhatIsFree) {
  constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
  if (freeMemory() < 4 * gibibyte) GTEST_SKIP() << "half of what is free is less than these maps take";
  RunSettings settings = settingsFor(randomImage(1, 1500, 1500, ElementType::U8), randomBank(1, 1, 1, 1));
  settings.bank.reset();
  settings.recipe = parseRecipe(R"({"bankside": "recipe", "version": 4, "steps": [
    {"name": "many", "bank": "a"}, {"do": "exp", "combine": ["max"]}]})",
                                "test");
  settings.stepBanks = std::make_shared<const std::vector<FilterBank>>(1, randomBank(130, 1, 1, 1));
  auto results = compute(settings, {{Layer::Output, 0}});
  const PlaneResult& result = results[{Layer::Output, 0}];
  EXPECT_NE(result.plane, nullptr) << result.error;
  const bankside::testing::TemporaryFolder folder;
  EXPECT_TRUE(exportResponses(settings, {folder.path(), false}, selectEngine, {}).ok);
}

TEST(ExportResponses, WritesWhatTheWindowShows) {
  const bankside::testing::TemporaryFolder folder;
  RunSettings settings = settingsFor(randomImage(1, 30, 20, ElementType::U8), randomBank(2, 1, 5, 5));
  const ImageRun run = exportResponses(settings, {folder.path(), false}, selectEngine, {});
  ASSERT_EQ(run.outputs.size(), 2u);
  auto results = compute(settings, {{Layer::Output, 1}});
  const LoadedImage back = readImage(folder / run.outputs[1]);
  EXPECT_TRUE(samePixels(back.image, *results[{Layer::Output, 1}].plane->image));
}

/// Behind the filter there is the file, which may take longer.
TEST(ExportResponses, EndWithAStopAfterTheFilter) {
  const bankside::testing::TemporaryFolder folder;
  RunSettings settings = settingsFor(randomImage(1, 30, 20, ElementType::U8), randomBank(2, 1, 5, 5));
  settings.recipe.map = OutputMap::Stretch;
  std::stop_source stop;
  bankside::testing::OffEngine engine(selectEngine("reference", {}), "all but stopped", 0, -1);
  engine.ran = [&] { stop.request_stop(); };
  const auto select = [&](const std::string&, const ConvolutionProblem&) -> const Engine& { return engine; };
  EXPECT_THROW(exportResponses(settings, {folder.path(), false}, select, stop.get_token()), Cancelled);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ExportResponses, NeverStoresFloatAsPngInSilence) {
  const bankside::testing::TemporaryFolder folder;
  RunSettings settings = settingsFor(randomImage(1, 30, 20, ElementType::U8), randomBank(1, 1, 5, 5));
  settings.recipe.format = FileFormat::Png;
  EXPECT_THROW(exportResponses(settings, {folder.path(), false}, selectEngine, {}), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace bankside::window

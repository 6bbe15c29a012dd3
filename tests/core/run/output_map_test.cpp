#include "core/run/output_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "core/error.h"

namespace bankside {
namespace {

Image row(const std::vector<float>& values) {
  Image image(1, 1, static_cast<int>(values.size()), ElementType::F32);
  std::copy(values.begin(), values.end(), image.view<float>(0).row(0));
  return image;
}

TEST(OutputMap, ClipCountsWhatItLoses) {
  const Image plane = row({-0.4f, -3.0f, 7.5f, 255.4f, 300.0f, std::nanf("")});
  const MappedPlane mapped = mapPlane(plane, OutputMap::Clip, ElementType::U8, valueRange(plane));
  EXPECT_EQ(mapped.clipped, 3);
  const auto out = mapped.image.view<std::uint8_t>(0);
  EXPECT_EQ(out.at(1, 0), 0);
  EXPECT_EQ(out.at(2, 0), 8);
  EXPECT_EQ(out.at(4, 0), 255);
  EXPECT_EQ(mapPlane(plane, OutputMap::Clip, ElementType::U16, valueRange(plane)).clipped, 2);
  EXPECT_THROW(mapPlane(plane, OutputMap::Clip, ElementType::F32, valueRange(plane)), Error);
}

TEST(OutputMap, StretchMapsEndsToEnds) {
  const Image plane = row({-2.0f, 0.0f, 2.0f, INFINITY});
  const MappedPlane mapped = mapPlane(plane, OutputMap::Stretch, ElementType::F32, valueRange(plane));
  const auto out = mapped.image.view<std::uint16_t>(0);
  EXPECT_EQ(out.at(0, 0), 0);
  EXPECT_EQ(out.at(1, 0), 32768);
  EXPECT_EQ(out.at(2, 0), 65535);
  EXPECT_EQ(mapped.clipped, 1);
  const Image flat = row({3.0f, 3.0f});
  EXPECT_EQ(mapPlane(flat, OutputMap::Stretch, ElementType::F32, valueRange(flat))
                .image.view<std::uint16_t>(0)
                .at(1, 0),
            0);
}

TEST(OutputMap, BinaryBeginsAtTheThreshold) {
  const Image plane = row({1.4f, 1.5f, 2.0f, -INFINITY, INFINITY, std::nanf("")});
  const MappedPlane mapped = mapPlane(plane, OutputMap::Binary, ElementType::F32, valueRange(plane), 1.5f);
  const auto out = mapped.image.view<std::uint8_t>(0);
  for (const auto& [x, value] : {std::pair{0, 0}, {1, 255}, {2, 255}, {3, 0}, {4, 255}, {5, 0}})
    EXPECT_EQ(out.at(x, 0), value) << x;
  EXPECT_EQ(mapped.clipped, 3);
}

/// Of rows longer and shorter than what is looked at together, at every place.
TEST(ValueRange, FindsEndsWhereverTheyAre) {
  for (const int width : {1, 15, 16, 17, 40}) {
    for (int x = 0; x < width; ++x) {
      Image plane(1, 3, width, ElementType::F32);
      for (int y = 0; y < 3; ++y) std::fill_n(plane.view<float>(0).row(y), width, 2.0f);
      plane.view<float>(0).at(x, 1) = -5;
      EXPECT_EQ(valueRange(plane).low, -5) << width << " " << x;
      plane.view<float>(0).at(x, 1) = 9;
      EXPECT_EQ(valueRange(plane).high, 9) << width << " " << x;
      EXPECT_EQ(valueRange(plane).nonFinite, 0);
      plane.view<float>(0).at(x, 2) = -INFINITY;
      plane.view<float>(0).at((x + 1) % width, 0) = std::nanf("");
      const ValueRange range = valueRange(plane);
      EXPECT_EQ(range.nonFinite, 2);
      EXPECT_EQ(range.low, width == 1 ? 9 : 2) << "of what is a number";
      EXPECT_EQ(range.high, 9);
    }
  }
  ValueRange all = valueRange(row({3, 4}));
  all.add(valueRange(row({std::nanf("")})));
  EXPECT_EQ(all.low, 3);
  EXPECT_EQ(all.high, 4);
  EXPECT_EQ(all.nonFinite, 1);
  all.add(valueRange(row({-1, 2})));
  all.add(valueRange(row({5})));
  EXPECT_EQ(all.low, -1);
  EXPECT_EQ(all.high, 5);
  ValueRange none = valueRange(row({INFINITY}));
  none.add(valueRange(row({7})));
  EXPECT_EQ(none.low, 7);
  EXPECT_EQ(none.high, 7);
}

TEST(OutputMap, ClippingBeginsWhereRoundingEnds) {
  const Image plane = row({-0.5f, -0.51f, 255.5f, 255.51f, 0, 255});
  EXPECT_EQ(mapPlane(plane, OutputMap::Clip, ElementType::U8, valueRange(plane)).clipped, 2);
  const Image wide = row({65535.5f, 65536, -0.5f, -1});
  const MappedPlane mapped = mapPlane(wide, OutputMap::Clip, ElementType::U16, valueRange(wide));
  EXPECT_EQ(mapped.clipped, 2);
  EXPECT_EQ(mapped.image.view<std::uint16_t>(0).at(1, 0), 65535);
  EXPECT_EQ(mapPlane(wide, OutputMap::None, ElementType::U8, valueRange(wide)).image.view<float>(0).at(1, 0),
            65536);
  for (const OutputMap map : {OutputMap::None, OutputMap::Clip, OutputMap::Stretch, OutputMap::Binary})
    EXPECT_EQ(parseOutputMap(toString(map)), map);
  EXPECT_FALSE(parseOutputMap("gamma"));
  EXPECT_EQ(mappedType(OutputMap::None, ElementType::U8), ElementType::F32);
  EXPECT_EQ(mappedType(OutputMap::Stretch, ElementType::U8), ElementType::U16);
  EXPECT_EQ(mappedType(OutputMap::Binary, ElementType::U16), ElementType::U8);
}

}  // namespace
}  // namespace bankside

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

}  // namespace
}  // namespace bankside

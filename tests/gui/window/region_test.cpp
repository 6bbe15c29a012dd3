#include "gui/window/compute/region.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "gui/window/compute/field_of_view.h"
#include "tests/support/made_images.h"

namespace bankside::window {
namespace {

using bankside::testing::integerImage;
using bankside::testing::TemporaryFolder;

std::filesystem::path assets() { return std::filesystem::path(BANKSIDE_ASSETS) / "images"; }

Picture pictureOf(Image image) {
  Picture picture;
  picture.info.width = image.width();
  picture.info.height = image.height();
  picture.info.channels = image.channels();
  picture.image = std::make_shared<const Image>(std::move(image));
  return picture;
}

std::int64_t countInside(const Image& mask) {
  std::int64_t count = 0;
  const auto view = mask.view<std::uint8_t>(0);
  for (int y = 0; y < view.height; ++y) {
    for (int x = 0; x < view.width; ++x) count += view.at(x, y) == 255;
  }
  return count;
}

/// Pixels inside both over pixels inside one of them.
double overlap(const Image& a, const Image& b) {
  std::int64_t both = 0;
  std::int64_t either = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const bool inA = a.view<std::uint8_t>(0).at(x, y) != 0;
      const bool inB = b.view<std::uint8_t>(0).at(x, y) != 0;
      both += inA && inB;
      either += inA || inB;
    }
  }
  return static_cast<double>(both) / static_cast<double>(either);
}

TEST(FieldOfView, IsThePhantomsTruthToHalfAPercent) {
  const Image found = fieldOfView(readImage(assets() / "phantom.png").image);
  const Image truth = readImage(assets() / "phantom_fov.png").image;
  EXPECT_GT(overlap(found, truth), 0.995);
}

TEST(FieldOfView, TheFundusPhotographIsOneRoundPartWithoutHoles) {
  const Image photograph = readImage(assets() / "retina.jpg").image;
  const Image found = fieldOfView(photograph);
  // A circle as wide as the picture has pi/4 of it.
  const double share =
      static_cast<double>(countInside(found)) / (photograph.width() * double(photograph.height()));
  EXPECT_NEAR(share, 0.785, 0.03);
  const auto view = found.view<std::uint8_t>(0);
  EXPECT_EQ(view.at(2, 2), 0);
  for (int y = 300; y < 1100; ++y) {
    for (int x = 300; x < 1100; ++x) ASSERT_EQ(view.at(x, y), 255) << x << ", " << y;
  }
}

TEST(FieldOfView, AnImageWithoutADarkFrameIsRefused) {
  Image flat(1, 40, 50, ElementType::U8);
  for (int y = 0; y < 40; ++y) std::fill_n(flat.view<std::uint8_t>(0).row(y), 50, std::uint8_t{90});
  EXPECT_THROW(fieldOfView(flat), Error);
}

TEST(MakeMask, RectanglesAndEllipsesHoldThePixelsWhoseMiddlesLieInThem) {
  const Picture picture = pictureOf(integerImage(1, 30, 40, ElementType::U8));
  EXPECT_EQ(makeMask({}, picture), nullptr);
  const MaskPtr box = makeMask({RegionKind::Rectangle, 35, 3, 20, 4, {}}, picture);
  EXPECT_EQ(countInside(*box), 5 * 4) << "cut off at the image's edge";
  const MaskPtr round = makeMask({RegionKind::Ellipse, 4, 6, 21, 11, {}}, picture);
  std::int64_t wanted = 0;
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 40; ++x) {
      const double dx = (x + 0.5 - 14.5) / 10.5;
      const double dy = (y + 0.5 - 11.5) / 5.5;
      const bool inside = dx * dx + dy * dy <= 1;
      wanted += inside;
      EXPECT_EQ(round->view<std::uint8_t>(0).at(x, y) == 255, inside) << x << ", " << y;
    }
  }
  EXPECT_EQ(countInside(*round), wanted);
  EXPECT_THROW(makeMask({RegionKind::Rectangle, 60, 60, 5, 5, {}}, picture), Error);
}

TEST(MakeMask, AFileMustHaveTheImagesSize) {
  const TemporaryFolder folder;
  Image drawn(1, 30, 40, ElementType::U8);
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 40; ++x) drawn.view<std::uint8_t>(0).at(x, y) = x < 7 && y < 5 ? 1 : 0;
  }
  writeImage(folder / "mask.png", drawn, FileFormat::Png);
  const RegionSpec spec{RegionKind::File, 0, 0, 0, 0, (folder / "mask.png").string()};
  EXPECT_EQ(countInside(*makeMask(spec, pictureOf(integerImage(1, 30, 40, ElementType::U8)))), 35);
  try {
    makeMask(spec, pictureOf(integerImage(1, 30, 41, ElementType::U8)));
    FAIL() << "a mask of another size was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("40 x 30"), std::string::npos) << error.what();
  }
}

TEST(MeasureInside, CountsFiniteValuesOfTheRegionAlone) {
  auto image = std::make_shared<Image>(1, 2, 4, ElementType::F32);
  const float values[] = {1, 2, 3, 100, 4, 5, NAN, -100};
  for (int i = 0; i < 8; ++i) image->view<float>(0).at(i % 4, i / 4) = values[i];
  const PlanePtr plane = makePlane(image, 0);
  const Picture picture = pictureOf(integerImage(1, 2, 4, ElementType::U8));
  const RegionStatistics inside =
      measureInside(*plane, makeMask({RegionKind::Rectangle, 0, 0, 3, 2, {}}, picture).get());
  EXPECT_EQ(inside.pixels, 6);
  EXPECT_EQ(inside.nonFinite, 1);
  EXPECT_DOUBLE_EQ(inside.mean, 3);
  EXPECT_DOUBLE_EQ(inside.deviation, std::sqrt(2.0));
  EXPECT_EQ(inside.range.low, 1);
  EXPECT_EQ(inside.range.high, 5);
  EXPECT_EQ(inside.histogram.total, 5);
  EXPECT_NEAR(inside.histogram.percentile(0.5), 3, 4.0 / 255);
  const RegionStatistics whole = measureInside(*plane, nullptr);
  EXPECT_EQ(whole.pixels, 8);
  EXPECT_EQ(whole.range.low, -100);
  const RegionStatistics all =
      measureInside(*plane, makeMask({RegionKind::Rectangle, 0, 0, 4, 2, {}}, picture).get());
  EXPECT_EQ(whole.nonFinite, all.nonFinite);
  EXPECT_EQ(whole.mean, all.mean);
  EXPECT_EQ(whole.deviation, all.deviation);
  EXPECT_EQ(whole.histogram.counts, all.histogram.counts);
}

}  // namespace
}  // namespace bankside::window

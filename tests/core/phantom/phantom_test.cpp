#include "core/phantom/phantom.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/hash.h"

namespace bankside {
namespace {

std::uint64_t hashOf(const Image& image) {
  Hash hash;
  for (int c = 0; c < image.channels(); ++c) {
    const ConstPlane plane = image.plane(c);
    for (int y = 0; y < plane.height; ++y) {
      hash.addBytes(plane.row(y), static_cast<std::size_t>(plane.width) * sizeOf(plane.type));
    }
  }
  return hash.value();
}

/// Is the middle of the pixel in a vessel? Straight from the geometry, by another way than the painter's.
bool inVessel(const std::vector<VesselSegment>& segments, int x, int y) {
  return std::any_of(segments.begin(), segments.end(), [&](const VesselSegment& s) {
    const double length = std::hypot(s.x1 - s.x0, s.y1 - s.y0);
    const double cosine = (s.x1 - s.x0) / length;
    const double sine = (s.y1 - s.y0) / length;
    const double along = std::clamp((x - s.x0) * cosine + (y - s.y0) * sine, 0.0, length);
    const double distance = std::hypot(x - s.x0 - along * cosine, y - s.y0 - along * sine);
    return distance <= s.radius0 + (s.radius1 - s.radius0) * along / length;
  });
}

// These numbers change only if the phantom does; then assets/images has to be made again.
TEST(Phantom, TheSameBytesOnEveryMachine) {
  const Phantom p = makePhantom({.size = 128});
  EXPECT_EQ(hashOf(p.photograph), 8891551979331732844u);
  EXPECT_EQ(hashOf(p.vessels), 1501991737665373427u);
  EXPECT_EQ(hashOf(p.fieldOfView), 7236107382129822637u);
  EXPECT_EQ(hashOf(p.centreLineWidth), 744946761715356814u);
}

TEST(Phantom, ASeedIsAnEye) {
  EXPECT_TRUE(samePixels(makePhantom({.size = 96, .seed = 7}).photograph,
                         makePhantom({.size = 96, .seed = 7}).photograph));
  EXPECT_FALSE(
      samePixels(makePhantom({.size = 96, .seed = 7}).vessels, makePhantom({.size = 96, .seed = 8}).vessels));
}

TEST(Phantom, NoiseLeavesTheTruthAlone) {
  const Phantom clean = makePhantom({.size = 128, .noise = 0});
  const Phantom noisy = makePhantom({.size = 128, .noise = 10});
  EXPECT_TRUE(samePixels(clean.vessels, noisy.vessels));
  EXPECT_TRUE(samePixels(clean.centreLineWidth, noisy.centreLineWidth));
  double squares = 0;
  int count = 0;
  for (int y = 0; y < 128; ++y) {
    for (int x = 0; x < 128; ++x) {
      if (clean.fieldOfView.view<std::uint8_t>(0).at(x, y) == 0) continue;
      const double difference =
          noisy.photograph.view<std::uint8_t>(1).at(x, y) - clean.photograph.view<std::uint8_t>(1).at(x, y);
      squares += difference * difference;
      ++count;
    }
  }
  EXPECT_NEAR(std::sqrt(squares / count), 10.0, 0.5);
}

TEST(Phantom, ShapesAndNames) {
  const Phantom p = makePhantom({.size = 64});
  EXPECT_EQ(p.photograph.channels(), 3);
  EXPECT_EQ(p.photograph.channelNames(), (std::vector<std::string>{"red", "green", "blue"}));
  EXPECT_EQ(p.photograph.type(), ElementType::U8);
  for (const Image* image : {&p.vessels, &p.fieldOfView, &p.centreLineWidth}) {
    EXPECT_EQ(image->channels(), 1);
    EXPECT_EQ(image->width(), 64);
    EXPECT_EQ(image->height(), 64);
  }
  EXPECT_EQ(p.centreLineWidth.type(), ElementType::F32);
}

TEST(Phantom, TruthIsTheGeometryPixelForPixel) {
  const Phantom p = makePhantom({.size = 160, .seed = 3});
  const double middle = 79.5;
  int vesselPixels = 0;
  for (int y = 0; y < 160; ++y) {
    for (int x = 0; x < 160; ++x) {
      const bool inView = std::hypot(x - middle, y - middle) <= 0.485 * 160;
      ASSERT_EQ(p.fieldOfView.view<std::uint8_t>(0).at(x, y), inView ? 255 : 0) << x << " " << y;
      const bool vessel = inView && inVessel(p.segments, x, y);
      ASSERT_EQ(p.vessels.view<std::uint8_t>(0).at(x, y), vessel ? 255 : 0) << x << " " << y;
      vesselPixels += vessel;
    }
  }
  EXPECT_GT(vesselPixels, 400);
}

TEST(Phantom, CentreLinesCarryTheWidthOfTheirVessel) {
  const Phantom p = makePhantom();
  double thinnest = 1e9;
  double widest = 0;
  int onLine = 0;
  int outsideMask = 0;
  for (int y = 0; y < 512; ++y) {
    for (int x = 0; x < 512; ++x) {
      const double width = static_cast<double>(p.centreLineWidth.view<float>(0).at(x, y));
      if (width == 0) continue;
      ++onLine;
      // A line may clip a pixel's corner, its middle lying up to 0.71 away.
      if (width > 1.5 && p.vessels.view<std::uint8_t>(0).at(x, y) == 0) ++outsideMask;
      thinnest = std::min(thinnest, width);
      widest = std::max(widest, width);
    }
  }
  EXPECT_GT(onLine, 3000);
  EXPECT_EQ(outsideMask, 0);
  EXPECT_GE(thinnest, 1.2 - 1e-6);
  EXPECT_GT(widest, 6.0);
  EXPECT_LT(widest, 9.0);
}

TEST(Phantom, PiecesOfVesselAreShortAndNeverWiden) {
  const Phantom p = makePhantom();
  for (const VesselSegment& s : p.segments) {
    EXPECT_GE(std::min(s.radius0, s.radius1), 0.6 - 1e-9);
    EXPECT_GE(s.radius0, s.radius1);
    EXPECT_LT(std::hypot(s.x1 - s.x0, s.y1 - s.y0), 4.0);
  }
}

TEST(Phantom, VesselsAreDarkInGreenAndWiderOnesDarker) {
  const Phantom p = makePhantom({.noise = 0});
  const auto green = p.photograph.view<std::uint8_t>(1);
  const auto mask = p.vessels.view<std::uint8_t>(0);
  const auto view = p.fieldOfView.view<std::uint8_t>(0);
  double contrast[2] = {0, 0};  // thin, wide
  int count[2] = {0, 0};
  int darker = 0;
  for (int y = 8; y < 504; ++y) {
    for (int x = 8; x < 504; ++x) {
      const float width = p.centreLineWidth.view<float>(0).at(x, y);
      if (width == 0 || mask.at(x, y) == 0) continue;
      double around = 0;
      int pixels = 0;
      for (int j = -8; j <= 8; ++j) {
        for (int i = -8; i <= 8; ++i) {
          if (mask.at(x + i, y + j) != 0 || view.at(x + i, y + j) == 0) continue;
          around += green.at(x + i, y + j);
          ++pixels;
        }
      }
      if (pixels == 0) continue;
      const double depth = 1 - green.at(x, y) * pixels / around;
      darker += depth > 0;
      const int wide = width > 4 ? 1 : 0;
      contrast[wide] += depth;
      ++count[wide];
    }
  }
  ASSERT_GT(count[0], 1000);
  ASSERT_GT(count[1], 200);
  EXPECT_GT(darker, 0.97 * (count[0] + count[1]));
  EXPECT_GT(contrast[1] / count[1], 0.25);
  EXPECT_GT(contrast[0] / count[0], 0.05);
  EXPECT_GT(contrast[1] / count[1], 1.5 * contrast[0] / count[0]);
}

TEST(Phantom, NothingOutsideTheFieldOfView) {
  const Phantom p = makePhantom({.size = 200, .noise = 50});
  for (int y = 0; y < 200; ++y) {
    for (int x = 0; x < 200; ++x) {
      if (p.fieldOfView.view<std::uint8_t>(0).at(x, y) != 0) continue;
      for (int c = 0; c < 3; ++c) ASSERT_EQ(p.photograph.view<std::uint8_t>(c).at(x, y), 0);
      ASSERT_EQ(p.vessels.view<std::uint8_t>(0).at(x, y), 0);
      ASSERT_EQ(p.centreLineWidth.view<float>(0).at(x, y), 0.0f);
    }
  }
}

TEST(Phantom, RefusesWhatItCannotDraw) {
  for (const PhantomOptions& options :
       {PhantomOptions{.size = 63}, PhantomOptions{.size = 8193}, PhantomOptions{.size = -1},
        PhantomOptions{.noise = -1}, PhantomOptions{.noise = 51}, PhantomOptions{.noise = std::nan("")}}) {
    try {
      makePhantom(options);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
    }
  }
}

/// Large pictures have thin branches, which a small one has not; noise, and the last digit of every vessel.
TEST(Phantom, OtherEyesAreTheSameOnEveryMachineToo) {
  Hash trees;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    for (const VesselSegment& s : growVesselTree(makeRetinaLayout(seed), seed, 0.001)) {
      for (const double number : {s.x0, s.y0, s.x1, s.y1, s.radius0, s.radius1})
        trees.addBytes(&number, sizeof number);
      trees.add(s.artery ? 1u : 0u);
    }
  }
  EXPECT_EQ(trees.value(), 11375109297665158210u);
  Hash pictures;
  for (const PhantomOptions& options :
       {PhantomOptions{.size = 301, .seed = 2, .noise = 7.5}, PhantomOptions{.size = 512, .seed = 3}}) {
    const Phantom p = makePhantom(options);
    for (const Image* image : {&p.photograph, &p.vessels, &p.centreLineWidth}) pictures.add(hashOf(*image));
  }
  EXPECT_EQ(pictures.value(), 12335478602099251188u);
}

}  // namespace
}  // namespace bankside

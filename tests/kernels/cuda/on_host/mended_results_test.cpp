/// NaN and infinities, for which a faster kernel takes 0: what sees one is written again, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "core/judge/conformance.h"
#include "core/made_input.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"

namespace bankside {
namespace {

using Masked = std::function<bool(int x, int y)>;

double valueAt(const Image& image, int x, int y) {
  switch (image.type()) {
    case ElementType::U8: return image.view<std::uint8_t>(0).at(x, y);
    case ElementType::U16: return image.view<std::uint16_t>(0).at(x, y);
    default: return image.view<float>(0).at(x, y);
  }
}

class MendedResults : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    on_host::setMultiprocessors(1);
    on_host::setCutSums(false);
    on_host::setSeed(7);
  }

  /// `strange` where `masked`: results that see such a pixel are those of direct sums, all others those of an
  /// image with 0 in its place, both to the last bit (where NaN is one value).
  static void expectMended(const std::string& name, const std::string& text, float strange,
                           const Masked& masked) {
    SCOPED_TRACE(name + " " + text + " " + std::to_string(strange));
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 5);
    const Image image = randomImage(1, p.height, p.width, ElementType::F32, 6);
    Image with = image.clone();
    Image without = image.clone();
    for (int y = 0; y < p.height; ++y)
      for (int x = 0; x < p.width; ++x)
        if (masked(x, y)) with.view<float>(0).row(y)[x] = strange, without.view<float>(0).row(y)[x] = 0;
    const std::vector<Image> made = runWhole(*engineOnHost(name), p, bank, with);
    const std::vector<Image> plain = runWhole(*engineOnHost(name), p, bank, without);
    const std::vector<Image> direct = runWhole(*engineOnHost("cuda:single-channel"), p, bank, with);
    const auto sees = [&](int x, int y) {
      for (int ky = 0; ky < p.filterHeight; ++ky)
        for (int kx = 0; kx < p.filterWidth; ++kx) {
          const int row = borderIndex(y + ky - bank[0].anchorY, p.height, p.border.kind);
          const int column = borderIndex(x + kx - bank[0].anchorX, p.width, p.border.kind);
          if (row >= 0 && column >= 0 && masked(column, row)) return true;
        }
      return false;
    };
    int mended = 0;
    for (int y = 0; y < p.height; ++y) {
      for (int x = 0; x < p.width; ++x) {
        const bool seen = sees(x, y);
        mended += seen ? 1 : 0;
        for (std::size_t i = 0; i < made.size(); ++i) {
          const double got = valueAt(made[i], x, y);
          const double expected = valueAt((seen ? direct : plain)[i], x, y);
          ASSERT_TRUE(got == expected || (std::isnan(got) && std::isnan(expected)))
              << "plane " << i << " at " << x << ", " << y << ": " << got << ", not " << expected
              << (seen ? ", sees one" : "");
        }
      }
    }
    EXPECT_GT(mended, 0);
    EXPECT_LT(mended, p.width * p.height);
  }
};

constexpr const char* shapes[] = {
    "c1h100w300-f3k7-reflect101-f32:f32-none", "c1h70w330-f13k5x9-constant=3-f32:f32-max",
    "c1h70w300-f4k4x3-replicate-f32:u8-none", "c1h90w280-f5k9-wrap-f32:f32-argmax",
    "c1h60w270-f2k2x31-reflect-f32:f32-magnitude"};

TEST_P(MendedResults, ADiscInNaN) {
  for (const char* shape : shapes)
    expectMended(GetParam(), shape, NAN,
                 [](int x, int y) { return (x - 150) * (x - 150) + 9 * (y - 40) * (y - 40) > 120 * 120; });
}

TEST_P(MendedResults, NaNHereAndThere) {
  for (const char* shape : shapes)
    expectMended(GetParam(), shape, NAN, [](int x, int y) { return (x + 97 * y) % 1009 == 5; });
}

TEST_P(MendedResults, InfinitiesHereAndThere) {
  for (const char* shape : shapes) {
    expectMended(GetParam(), shape, INFINITY, [](int x, int y) { return (x + 97 * y) % 4001 == 5; });
    expectMended(GetParam(), shape, -INFINITY, [](int x, int y) { return (x + 97 * y) % 4001 == 5; });
  }
}

TEST_P(MendedResults, OnePixel) {
  for (const float strange : {NAN, INFINITY})
    for (const char* shape : shapes)
      expectMended(GetParam(), shape, strange, [](int x, int y) { return x == 255 && y == 47; });
}

/// Where direct sums are sooner they do blocks that see an infinity, and the blocks' other results too.
TEST_P(MendedResults, ManyInfinitiesAreSummed) {
  const ConvolutionProblem p = parseProblem("c1h100w300-f3k7-reflect101-f32:f32-none");
  const FilterBank bank = randomBank(p.filterCount, 1, 7, 7, 5);
  Image image = randomImage(1, p.height, p.width, ElementType::F32, 6);
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width; x += 2) image.view<float>(0).row(y)[x] = x % 4 == 0 ? INFINITY : -INFINITY;
  const auto plan = engineOnHost(GetParam())->prepare(p, bank, {});
  const std::vector<Image> made = runWhole(*engineOnHost(GetParam()), p, bank, image);
  ImageSource source(image);
  const Verification v = verify(p, bank, source, wholeImage(p), made, plan->traits().errorBound, 1);
  EXPECT_TRUE(v.passed) << v.place();
}

INSTANTIATE_TEST_SUITE_P(Engines, MendedResults,
                         ::testing::Values("cuda:tensor", "cuda:tensor-fp16", "cuda:fft"),
                         [](const auto& engine) {
                           std::string name = engine.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace bankside

/// How near the centre lines and widths that are measured come to those that the phantom was drawn with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include "core/run/gathered_planes.h"
#include "core/run/recipe_runner.h"
#include "core/run/shipped_recipes.h"
#include "filters/catalog.h"
#include "kernels/engine_list.h"
#include "tests/core/phantom/cross_section.h"

namespace bankside::testing {
namespace {

constexpr int size = 512;
constexpr double pixelsPerDegree = size / 45.0;  // as if its field were one of 45 degrees
constexpr double lostPixels = 5;  // what counts where there is no centre, more than any that is found
constexpr double thinnest = 2;    // thinner ones are blurred by the lens to its own width

/// What a recipe makes of an image, its first map.
Image mapOf(const Recipe& recipe, const Image& image) {
  static const EngineList engines = makeCpuEngines();
  std::vector<FilterBank> banks;
  for (const RecipeStep& step : recipe.steps) {
    if (!step.bank.empty()) banks.push_back(makeBank(step.bank));
  }
  RunOptions options;
  options.pixelsPerDegree = pixelsPerDegree;
  Runner runner = makeRunner(recipe, banks, options, [&](const ConvolutionProblem& p) -> const Engine& {
    return selectEngineOf(engines, recipe.engine, p);
  });
  ImageSource source(image);
  GatheredPlanes gathered(image.height());
  runner.run(source, [&](int firstRow, const std::vector<Image>& band) { gathered.add(firstRow, band); });
  return std::move(gathered.images().front());
}

Image greenOf(const Image& photograph) {
  Image green(1, photograph.height(), photograph.width(), ElementType::U8);
  for (int y = 0; y < photograph.height(); ++y) {
    std::copy_n(photograph.view<std::uint8_t>(1).row(y), photograph.width(),
                green.view<std::uint8_t>(0).row(y));
  }
  return green;
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

/// Errors in pixels: of the place where `vessels` is largest, and of the width about it.
struct Errors {
  std::size_t centres = 0;
  std::size_t lost = 0;
  std::size_t widths = 0;
  double centreMedian = 0;
  double centre90 = 0;
  double shiftX = 0;  ///< mean of all centres, with their signs
  double shiftY = 0;
  double widthMedian = 0;
};

Errors errorsOf(const PhantomOptions& options) {
  const Phantom phantom = makePhantom(options);
  const Image green = greenOf(phantom.photograph);
  const Image vesselness = mapOf(openRecipe("vessels"), green);
  const Image light = mapOf(parseRecipe(R"({"bankside":"recipe","version":4,
    "steps":[{"do":"unit"},{"name":"light","do":"log","plus":0.05}]})",
                                        "light"),
                            green);
  Errors errors;
  std::vector<double> centres;
  std::vector<double> widths;
  for (const CrossSection& at : crossSections(phantom, 10, 0.8)) {
    const double phase = std::fmod(0.618 * static_cast<double>(centres.size()), 1.0) - 0.5;
    const std::optional<double> beside = centreBeside(vesselness, at, phase);
    centres.push_back(beside ? std::abs(*beside) : lostPixels);
    if (!beside) ++errors.lost;
    errors.shiftX -= beside.value_or(0) * at.alongY;
    errors.shiftY += beside.value_or(0) * at.alongX;
    if (at.width >= thinnest) {
      widths.push_back(beside ? std::abs(widthAtHalfDepth(light, at, *beside) - at.width) : lostPixels);
    }
  }
  errors.centres = centres.size();
  errors.widths = widths.size();
  errors.shiftX /= static_cast<double>(centres.size());
  errors.shiftY /= static_cast<double>(centres.size());
  errors.centreMedian = quantile(centres, 0.5);
  errors.centre90 = quantile(centres, 0.9);
  errors.widthMedian = quantile(widths, 0.5);
  std::cout << "noise " << options.noise << ", eye " << options.seed << ": centre line, " << errors.centres
            << " places: median " << errors.centreMedian << ", 90 % " << errors.centre90 << ", "
            << errors.lost << " lost, shift " << errors.shiftX << " " << errors.shiftY << "; width, "
            << errors.widths << " places: median " << errors.widthMedian << " pixels\n";
  return errors;
}

// A sanitizer sees the same code in the other eye below: noise moves numbers and no address.
#ifndef __SANITIZE_ADDRESS__
TEST(CentreLine, AndWidthAreFoundToAFractionOfAPixelWhereNoiseAllows) {
  const Errors clean = errorsOf({.size = size, .noise = 0});
  ASSERT_GT(clean.widths, 100u);
  EXPECT_EQ(clean.lost, 0u);
  EXPECT_LT(clean.centreMedian, 0.15);
  EXPECT_LT(clean.centre90, 0.3);
  EXPECT_LT(clean.widthMedian, 0.35);

  const Errors usual = errorsOf({.size = size});
  EXPECT_EQ(usual.lost, 0u);
  EXPECT_LT(usual.centreMedian, 0.2);
  EXPECT_LT(usual.centre90, 0.5);
  EXPECT_LT(usual.widthMedian, 0.5);

  // A map that lies half a pixel aside, as one does after a careless resampling, is seen here.
  for (const Errors* errors : {&clean, &usual}) {
    EXPECT_LT(std::abs(errors->shiftX), 0.05);
    EXPECT_LT(std::abs(errors->shiftY), 0.05);
  }

  const Errors noisy = errorsOf({.size = size, .noise = 5});
  const Errors noisier = errorsOf({.size = size, .noise = 10});
  EXPECT_LT(noisier.centreMedian, 0.5);
  EXPECT_LT(noisier.widthMedian, 1.0);

  // Where there is little noise, pixels and lens are what is left; then errors grow as noise does.
  EXPECT_GT(usual.centreMedian, 0.9 * clean.centreMedian);
  EXPECT_GT(noisy.centreMedian, 1.3 * usual.centreMedian);
  EXPECT_GT(noisier.centreMedian, 1.3 * noisy.centreMedian);
  EXPECT_GT(noisy.widthMedian, 1.1 * usual.widthMedian);
  EXPECT_GT(noisier.widthMedian, 1.1 * noisy.widthMedian);
}
#endif

TEST(CentreLine, IsFoundInAnotherEye) {
  const Errors usual = errorsOf({.size = size, .seed = 2});
  ASSERT_GT(usual.widths, 100u);
  EXPECT_LT(usual.centreMedian, 0.2);
  EXPECT_LT(usual.centre90, 0.5);
  EXPECT_LT(usual.widthMedian, 0.5);
}

// Lines in a direction of no pixel row, `beside` their cross-section by parts of a pixel.
TEST(CrossSection, MeasuresWhatIsKnown) {
  constexpr double sigma = 1.5;
  for (const double beside : {-1.3, -0.5, 0.0, 0.3}) {
    const CrossSection at = {31.2, 30.7, 0.6, 0.8, 0};
    Image bright(1, 64, 64, ElementType::F32);
    Image dark(1, 64, 64, ElementType::F32);
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x) {
        const double u = (y - at.y) * at.alongX - (x - at.x) * at.alongY - beside;
        const double line = std::exp(-u * u / (2 * sigma * sigma));
        bright.view<float>(0).at(x, y) = static_cast<float>(line);
        dark.view<float>(0).at(x, y) = static_cast<float>(3 + 0.01 * x - 0.02 * y - line);
      }
    }
    const std::optional<double> found = centreBeside(bright, at, 0.2);
    ASSERT_TRUE(found);
    EXPECT_NEAR(*found, beside, 0.05);
    EXPECT_NEAR(widthAtHalfDepth(dark, at, *found), 2 * std::sqrt(2 * std::log(2.0)) * sigma, 0.06);
    EXPECT_FALSE(centreBeside(bright, {at.x - 8 * at.alongY, at.y + 8 * at.alongX, 0.6, 0.8, 0}, 0.2));
  }
}

}  // namespace
}  // namespace bankside::testing

/// Recipes with their maps on the device and in host memory.
#pragma once

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "core/phantom/phantom.h"
#include "core/run/gathered_planes.h"
#include "core/run/recipe_runner.h"
#include "filters/catalog.h"
#include "kernels/device_engines.h"
#include "kernels/engine_list.h"

namespace bankside::testing {

/// What a recipe gives, and how.
struct Ran {
  std::vector<Image> planes;
  BankRun run;
};

/// By the first of the engines, or the direct one of the host where that refuses.
inline Ran ranWith(const Recipe& recipe, const Image& image, double pixelsPerDegree,
                   const EngineList& engines, const MapDevices* devices) {
  std::vector<FilterBank> banks;
  for (const RecipeStep& step : recipe.steps) {
    if (!step.bank.empty()) banks.push_back(makeBank(step.bank));
  }
  static const EngineList host = makeCpuEngines();
  RunOptions options;
  options.pixelsPerDegree = pixelsPerDegree;
  options.mapDevices = devices;
  Runner runner = makeRunner(recipe, banks, options, [&](const ConvolutionProblem& p) -> const Engine& {
    const Engine& first = *engines.front();
    return first.available() && first.supports(p) ? first : selectEngineOf(host, "cpu:direct", p);
  });
  ImageSource source(image);
  GatheredPlanes gathered(image.height());
  Ran ran;
  ran.run =
      runner.run(source, [&](int firstRow, const std::vector<Image>& band) { gathered.add(firstRow, band); });
  ran.planes = std::move(gathered.images());
  return ran;
}

/// A NaN is a NaN.
inline bool sameNumbers(const Image& a, const Image& b) {
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const float one = a.view<float>(0).at(x, y);
      const float other = b.view<float>(0).at(x, y);
      if (one != one ? other == other
                     : std::bit_cast<std::uint32_t>(one) != std::bit_cast<std::uint32_t>(other))
        return false;
    }
  }
  return true;
}

/// The green channel.
inline Image phantom(int size) {
  const Phantom made = makePhantom({.size = size});
  Image green(1, size, size, ElementType::U8);
  for (int y = 0; y < size; ++y)
    std::copy_n(made.photograph.view<std::uint8_t>(1).row(y), size, green.view<std::uint8_t>(0).row(y));
  return green;
}

/// Of small filters, one of them without an engine on the device, and of an operation without a kernel.
inline Recipe everyKind() {
  return parseRecipe(R"({"bankside":"recipe","version":4,"steps":[
    {"name":"light","do":"unit"},
    {"do":"resample","scale":8},
    {"do":"field"},
    {"do":"fill","sigma":2,"erode":1},
    {"name":"input","do":"log","plus":0.05},
    {"name":"ridge","bank":"vessel-bar:sigma=1/1.5,along=3,orientations=4","combine":["max:orientation","mean:scale"]},
    {"name":"rms","do":"local-rms","sigma":7},
    {"do":"quotient","takes":["ridge","rms"],"floor":1e-6},
    {"name":"z","do":"standardize","robust":1},
    {"takes":["input"],"bank":"dog:sigma=1"},
    {"do":"relu"},
    {"name":"spots","do":"power","exponent":1.5},
    {"name":"blurred","do":"dilate","sigma":[0.5,0.8]},
    {"do":"linear","plus":0.1},
    {"do":"log"},
    {"bank":"vessel-collinear:rho=0/9,orientations=6"},
    {"name":"lines","do":"exp","combine":["max"]},
    {"do":"sum","takes":["z","lines"],"weights":[1,0.5]},
    {"do":"restore"},
    {"name":"vesselness","do":"mask"}]})",
                     "r");
}

}  // namespace bankside::testing

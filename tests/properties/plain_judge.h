/// What a recipe gives, worked out anew from the user guide: it shares no code with the engines,
/// the runner or core/judge, not even the border.
#pragma once

#include <vector>

#include "core/image.h"
#include "core/run/recipe.h"

namespace bankside::properties {

/// A plane in double precision, and beside every value the sum of the magnitudes that went into it.
struct PlainMap {
  int height = 0;
  int width = 0;
  std::vector<double> values;
  std::vector<double> sums;
};

struct PlainResult {
  std::vector<PlainMap> maps;  ///< in the order in which results are written
  double largest = 0;          ///< of all sums on the way
  double widest = 0;           ///< the largest they could be if every tap met the largest pixel
  bool integers = true;  ///< no value on the way was rounded: f32 holds it exactly while sums stay below 2^24
};

/// Of stages. `banks`: one a stage.
PlainResult plainResult(const Recipe& recipe, const std::vector<FilterBank>& banks, const Image& image);
/// Of steps, of those that `randomSteps` makes. `banks`: one a step that has one.
PlainResult plainSteps(const Recipe& recipe, const std::vector<FilterBank>& banks, const Image& image);

}  // namespace bankside::properties

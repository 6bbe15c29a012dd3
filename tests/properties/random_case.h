/// A recipe, an image and a way of running it, all made from one number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine.h"
#include "core/image.h"
#include "core/run/recipe.h"

namespace bankside::properties {

struct RandomCase {
  Recipe recipe;
  std::vector<FilterBank> banks;  ///< one a stage, or a step that has one
  Image image;
  std::optional<Region> part;  ///< of the image, where not all of it is wanted
  int threads = 1;
  std::int64_t memory = 1 << 30;
  bool behind = false;  ///< results are given away on another thread
};

/// The same for the same number on every machine.
RandomCase randomCase(std::uint64_t number);

/// The same of steps whose results are integers wherever they are not too large: banks, operations pixel by
/// pixel and of several steps, combines.
RandomCase randomSteps(std::uint64_t number);

/// For whom it fails.
std::string describe(const RandomCase& made);

}  // namespace bankside::properties

/// The recipes of assets/recipes, which are part of the program: no path to look for at run time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/run/recipe.h"

namespace bankside {

struct ShippedRecipe {
  std::string name;  ///< of its file, without the ending
  Recipe recipe;
};

/// By name.
const std::vector<ShippedRecipe>& shippedRecipes();

/// What `--recipe` takes: a shipped recipe's name, else a file.
/// Errors  as `readRecipe`; Error{Io} for what is neither names the shipped ones
Recipe openRecipe(const std::string& nameOrFile);

/// Null for another name.
const ShippedRecipe* findShippedRecipe(std::string_view name);

}  // namespace bankside

/// The recipes of assets/recipes, which are part of the program: no path to look for at run time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/run/recipe.h"

namespace bankside {

/// Their names: those of the files, without the ending.
std::vector<std::string> shippedRecipes();

bool isShippedRecipe(std::string_view name);

/// What `--recipe` takes: a shipped recipe's name, else a file. No other recipe is read.
/// Errors  as `readRecipe`; Error{Io} for what is neither names the shipped ones
Recipe openRecipe(const std::string& nameOrFile);

}  // namespace bankside

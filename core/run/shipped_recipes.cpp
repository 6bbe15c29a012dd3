#include "core/run/shipped_recipes.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/run/shipped_recipe_texts.h"
#include "core/text.h"

namespace bankside {

const std::vector<ShippedRecipe>& shippedRecipes() {
  static const std::vector<ShippedRecipe> all = [] {
    std::vector<ShippedRecipe> recipes;
    for (const auto& [name, text] : shippedRecipeTexts) recipes.push_back({name, parseRecipe(text, name)});
    return recipes;
  }();
  return all;
}

const ShippedRecipe* findShippedRecipe(std::string_view name) {
  const auto& all = shippedRecipes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Recipe openRecipe(const std::string& nameOrFile) {
  if (const ShippedRecipe* shipped = findShippedRecipe(nameOrFile)) return shipped->recipe;
  std::error_code failure;
  if (!std::filesystem::exists(nameOrFile, failure) && nameOrFile.find('/') == std::string::npos &&
      !nameOrFile.ends_with(".json")) {
    std::vector<std::string> names;
    for (const ShippedRecipe& r : shippedRecipes()) names.push_back(r.name);
    throw Error(ErrorCode::Io, nameOrFile +
                                   ": there is no such file, and the recipes that come with the "
                                   "program are " +
                                   joinWords(names));
  }
  return readRecipe(nameOrFile);
}

}  // namespace bankside

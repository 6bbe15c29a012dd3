#include "core/run/shipped_recipes.h"

#include <filesystem>

#include "core/error.h"
#include "core/run/shipped_recipe_texts.h"
#include "core/text.h"

namespace bankside {
namespace {

/// Null for another name.
const ShippedRecipeText* find(std::string_view name) {
  for (const ShippedRecipeText& shipped : shippedRecipeTexts)
    if (shipped.name == name) return &shipped;
  return nullptr;
}

}  // namespace

std::vector<std::string> shippedRecipes() {
  std::vector<std::string> names;
  for (const ShippedRecipeText& shipped : shippedRecipeTexts) names.emplace_back(shipped.name);
  return names;
}

bool isShippedRecipe(std::string_view name) { return find(name) != nullptr; }

Recipe openRecipe(const std::string& nameOrFile) {
  if (const ShippedRecipeText* shipped = find(nameOrFile)) return parseRecipe(shipped->json, shipped->name);
  std::error_code failure;
  if (!std::filesystem::exists(nameOrFile, failure) && nameOrFile.find('/') == std::string::npos &&
      !nameOrFile.ends_with(".json"))
    throw Error(ErrorCode::BadInput, "there is no recipe \"" + nameOrFile +
                                         "\", and no such file; the nearest names are " +
                                         joinWords(nearestNames(nameOrFile.substr(0, 80), shippedRecipes())) +
                                         " (see: bankside banks list)");
  return readRecipe(nameOrFile);
}

}  // namespace bankside

/// A recipe that needs no file of the machine where it was made.
#pragma once

#include <filesystem>
#include <optional>

#include "gui/window/session/setup.h"

namespace bankside::window {

/// Whether it is the text of a bank file rather than a name: what `loadBank` reads as filters.
inline bool isBankText(const std::string& bank) { return bank.starts_with('{'); }
bool holdsBanks(const Recipe& recipe);

/// What people call it: the specification, a file without its folder, or that it was edited.
QString bankTitle(const std::string& bank);

/// The setup's recipe with the filters that were edited inside and, if asked for, those of bank files too.
Recipe travellingRecipe(const Setup& setup, bool filesToo);

/// As a file: the recipe, and beside it for whoever opens it in the window the region (a mask with its bytes)
/// and the engines that ran. Errors  Error{Limit} for more than a recipe may hold
std::string travellingText(const Setup& setup, const std::string& ran);
/// The region beside a recipe; nothing if there is none. A mask that came along is put into `folder`, named
/// by what it holds. Errors  Error{BadInput}, Error{Io}
std::optional<RegionSpec> regionBeside(const std::filesystem::path& recipe,
                                       const std::filesystem::path& folder);

}  // namespace bankside::window

/// From the arguments of `bankside filter` to a list of files with distinct result names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "core/run/recipe.h"
#include "gui/headless/run_files.h"

namespace bankside::headless {

struct InputFile {
  std::filesystem::path path;
  std::string stem;   ///< starts the names of its results: file name without its last extension
  std::string error;  ///< why it cannot even be tried; empty if it can
  std::filesystem::path field = {};  ///< the mask of its field of view; empty: none was given
  double pixelsPerDegree = 0;        ///< 0: as the command says
};

/// Files as given; folders as their image files, by name in byte order, without their subfolders. `remarks`
/// gets a sentence for each folder that has none, or some that are left out.
/// Throws Error{BadInput} if two inputs would give results of the same name.
std::vector<InputFile> findInputs(const std::vector<std::string>& arguments,
                                  std::vector<std::string>& remarks);

/// Gives every image its scale from a CSV file. Errors  Error{BadInput} as `readScales`, or for an image that
/// it does not name
void giveScales(std::vector<InputFile>& images, const std::string& table);

/// Which images have one scale, the smallest first.
struct ScaleGroup {
  double pixelsPerDegree = 0;
  std::vector<std::size_t> images;
};
/// `otherwise`: of images that have none of their own. One group at least.
std::vector<ScaleGroup> scaleGroups(const std::vector<InputFile>& images, double otherwise);

/// Those of the group.
std::vector<InputFile> imagesOf(const ScaleGroup& group, const std::vector<InputFile>& images);

/// The bank that `--bank` names. A bank file that cannot be opened is a wrong argument: Error{BadInput}.
FilterBank openBank(const std::string& specificationOrFile);

/// The bank of its one filter of that label; all of it where none is named. Errors  Error{BadInput}
FilterBank chosenFilter(const FilterBank& bank, const std::string& label);

/// Of a recipe's stages or steps, in their order.
std::vector<FilterBank> openBanks(const Recipe& recipe);
/// Those of them that are files.
void readBanks(RunFiles& files, const Recipe& recipe);

}  // namespace bankside::headless

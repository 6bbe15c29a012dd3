/// Pictures and recipes that come with the program.
#pragma once

#include <QString>
#include <vector>

namespace bankside::window {

/// "images/retina.jpg": where it lies, installed or in the source tree; empty where it is not.
QString assetFile(const QString& name);

/// Where the documentation lies, installed or in the source tree; empty where it is not.
QString docsFolder();

/// Of images/retina.jpg. Units  pixels per degree
inline constexpr double sampleScale = 31;

struct RecipeFile {
  QString path;
  QString title;
  std::vector<std::string> banks;  ///< names of the catalogue, without parameters
};

/// Those that can be read, the recommended one first, then by name.
const std::vector<RecipeFile>& recipeFiles();

}  // namespace bankside::window

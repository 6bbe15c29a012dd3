/// Which file of a folder is whose: masks of images, found by their names.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gui/headless/inputs.h"

namespace bankside::headless {

/// Patterns of file names (`scans/*_1stHO.png`) become the files that they stand for, everything else stays.
/// Errors  Error{BadInput} for a pattern that no file has
std::vector<std::string> expandPatterns(const std::vector<std::string>& arguments);

/// An image, and what its other files are named after.
struct NamedImage {
  std::filesystem::path path;
  std::string name;  ///< empty: it cannot even be tried, and nothing is its
};

/// The stem of every image. Where `responses`, files may be results (`INPUT.max.tiff`): as long as no file of
/// `truth` has that stem, its last ".LABEL" goes. Errors  Error{BadInput} for two results of one image
std::vector<NamedImage> namesOf(const std::vector<InputFile>& images, bool responses,
                                const std::vector<std::string>& truth);

/// Names, and which of them a file belongs to: its stem is the name, or begins with it and goes on with
/// neither letter nor digit; the longest such name has it.
class FileOwners {
 public:
  explicit FileOwners(const std::vector<std::string>& names);
  /// The name's number, the first's of equal ones.
  std::optional<std::size_t> ownerOf(const std::string& stem) const;

 private:
  std::map<std::string, std::size_t> numbers_;
};

/// The images of a folder, named after their files.
std::vector<NamedImage> imagesIn(const std::filesystem::path& folder);
/// The other images of the folders that images lie in, whose files theirs may be.
std::vector<NamedImage> besides(const std::vector<NamedImage>& images);

/// A file, or one sentence why there is none.
struct FileOfImage {
  std::filesystem::path file;
  std::string error;
  bool none = false;  ///< there is no such file, where there might be several or one that is not read
};

/// For each image the one file that belongs to its name. `arguments`: folders, patterns, files; `option`:
/// what gave them, for sentences. `others`: files may be theirs too; but what is looked through is none of
/// them. Not found: there is none, there are several, or it is a GIF, which is not read. Nothing at all for
/// images without a name. Errors  Error{BadInput} no files to look through
std::vector<FileOfImage> lookForFilesOfImages(const std::vector<NamedImage>& images,
                                              const std::vector<std::string>& arguments,
                                              const std::string& option,
                                              const std::vector<NamedImage>& others = {});

/// The same. Errors  Error{BadInput} also for the first image whose file is not found
std::vector<std::filesystem::path> filesOfImages(const std::vector<NamedImage>& images,
                                                 const std::vector<std::string>& arguments,
                                                 const std::string& option,
                                                 const std::vector<NamedImage>& others = {});

/// Gives every image the mask of its field of view, as `filesOfImages` finds it. Errors  as that;
/// Error{BadInput} where the recipe has no steps that would look at it
void giveFields(std::vector<InputFile>& images, const std::vector<std::string>& masks, const Recipe& recipe);

}  // namespace bankside::headless

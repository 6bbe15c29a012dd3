#include "gui/headless/truth_files.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "core/folder.h"
#include "core/imageio/image_io.h"
#include "core/refuse.h"
#include "core/text.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

bool isGif(const fs::path& file) { return inSmallLetters(file.extension().string()) == ".gif"; }

std::vector<fs::path> entriesOrRefuse(const fs::path& folder) {
  std::error_code failure;
  std::vector<fs::path> entries = entriesOf(folder.empty() ? fs::path(".") : folder, failure);
  if (failure) refuse(folder.string() + ": " + failure.message());
  return entries;
}

/// Images and GIFs, so that the latter are refused by name.
std::vector<fs::path> candidatesIn(const std::vector<std::string>& arguments, const std::string& option) {
  std::vector<fs::path> files;
  for (const std::string& argument : expandPatterns(arguments)) {
    std::error_code failure;
    if (!fs::exists(argument, failure)) refuse(argument + ": there is no such file or folder");
    if (!fs::is_directory(argument, failure)) {
      files.emplace_back(argument);
      continue;
    }
    for (const fs::path& file : entriesOrRefuse(argument))
      if ((looksLikeImageFile(file) || isGif(file)) && !fs::is_directory(file, failure))
        files.push_back(file);
  }
  if (files.empty()) refuse(option + ": no image files in " + joinWords(arguments));
  return files;
}

}  // namespace

FileOwners::FileOwners(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) numbers_.emplace(names[i], i);
  }
}

std::optional<std::size_t> FileOwners::ownerOf(const std::string& stem) const {
  for (std::size_t length = stem.size(); length > 0; --length) {
    if (length < stem.size() && std::isalnum(static_cast<unsigned char>(stem[length])) != 0) continue;
    if (const auto at = numbers_.find(stem.substr(0, length)); at != numbers_.end()) return at->second;
  }
  return std::nullopt;
}

std::vector<NamedImage> imagesIn(const fs::path& folder) {
  std::vector<NamedImage> named;
  std::error_code failure;
  for (const fs::path& file : entriesOf(folder, failure))
    if (looksLikeImageFile(file)) named.push_back({file, file.stem().string()});
  return named;
}

std::vector<NamedImage> besides(const std::vector<NamedImage>& images) {
  std::set<fs::path> folders;
  std::set<fs::path> given;
  for (const NamedImage& image : images) {
    const fs::path whole = fs::absolute(image.path).lexically_normal();
    folders.insert(whole.parent_path());
    given.insert(whole);
  }
  std::vector<NamedImage> others;
  for (const fs::path& folder : folders) {
    for (NamedImage& image : imagesIn(folder))
      if (!given.contains(image.path)) others.push_back(std::move(image));
  }
  return others;
}

std::vector<std::string> expandPatterns(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    std::error_code failure;
    const fs::path path(argument);
    const std::string pattern = path.filename().string();
    if (pattern.find_first_of("*?[") == std::string::npos || fs::exists(path, failure)) {
      files.push_back(argument);
      continue;
    }
    const std::size_t before = files.size();
    for (const fs::path& file : entriesOrRefuse(path.parent_path()))
      if (fnmatch(pattern.c_str(), file.filename().c_str(), FNM_PERIOD) == 0) files.push_back(file.string());
    if (files.size() == before) refuse(argument + ": no file has such a name");
  }
  return files;
}

std::vector<NamedImage> namesOf(const std::vector<InputFile>& images, bool responses,
                                const std::vector<std::string>& truth) {
  std::vector<fs::path> files;
  if (responses) files = candidatesIn(truth, "--truth");
  std::vector<NamedImage> named;
  std::map<std::string, fs::path> taken;
  for (const InputFile& image : images) {
    if (!image.error.empty()) {
      named.push_back({image.path, ""});
      continue;
    }
    std::string name = image.stem;
    const auto known = [&] {
      const FileOwners it({name});
      return std::any_of(files.begin(), files.end(),
                         [&](const fs::path& file) { return it.ownerOf(file.stem().string()); });
    };
    while (responses && !known() && name.rfind('.') != std::string::npos && name.rfind('.') != 0)
      name.resize(name.rfind('.'));
    if (const auto [other, fresh] = taken.emplace(name, image.path); !fresh)
      refuse(other->second.string() + " and " + image.path.string() + " are both of the image \"" + name +
             "\"; give one response an image");
    named.push_back({image.path, name});
  }
  return named;
}

std::vector<FileOfImage> lookForFilesOfImages(const std::vector<NamedImage>& images,
                                              const std::vector<std::string>& arguments,
                                              const std::string& option,
                                              const std::vector<NamedImage>& others) {
  const std::vector<fs::path> candidates = candidatesIn(arguments, option);
  std::set<fs::path> looked;
  for (const fs::path& file : candidates) looked.insert(fs::absolute(file).lexically_normal());
  std::vector<std::string> names;
  for (const NamedImage& image : images) names.push_back(image.name);
  for (const NamedImage& other : others) {
    if (!looked.contains(fs::absolute(other.path).lexically_normal())) names.push_back(other.name);
  }
  const FileOwners owners(names);
  std::vector<std::vector<fs::path>> found(names.size());
  for (const fs::path& file : candidates) {
    if (const auto owner = owners.ownerOf(file.stem().string())) found[*owner].push_back(file);
  }
  const bool asOption = option.starts_with("--");  // where a shell reads patterns first
  std::vector<FileOfImage> files(images.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].name.empty()) continue;
    const std::string image = images[i].path.string();
    if (found[i].empty()) {
      files[i].none = true;
      files[i].error =
          image + ": " + option + " has no file whose name begins with \"" + images[i].name + "\"";
    } else if (found[i].size() > 1) {
      files[i].error = image + ": " + option + " has several files of it, " + found[i][0].string() + " and " +
                       found[i][1].string() +
                       (asOption ? "; give a pattern in quotes that only one has, such as 'DIR/*_truth.png'"
                                 : "; give a pattern that only one has, such as DIR/*_truth.png");
    } else if (isGif(found[i].front())) {
      files[i].error = found[i].front().string() + ": GIF is not read; convert it to PNG through its palette";
    } else {
      files[i].file = found[i].front();
    }
  }
  return files;
}

std::vector<fs::path> filesOfImages(const std::vector<NamedImage>& images,
                                    const std::vector<std::string>& arguments, const std::string& option,
                                    const std::vector<NamedImage>& others) {
  std::vector<fs::path> files;
  for (FileOfImage& found : lookForFilesOfImages(images, arguments, option, others)) {
    if (!found.error.empty()) refuse(found.error);
    files.push_back(std::move(found.file));
  }
  return files;
}

void giveFields(std::vector<InputFile>& images, const std::vector<std::string>& masks, const Recipe& recipe) {
  if (masks.empty()) return;
  if (!recipe.ofMaps())
    refuse("--field is for recipes of steps, which look at the field of view; banks alone do not");
  const std::vector<NamedImage> named = namesOf(images, false, {});
  const std::vector<fs::path> files = filesOfImages(named, masks, "--field", besides(named));
  for (std::size_t i = 0; i < images.size(); ++i) images[i].field = files[i];
}

}  // namespace bankside::headless

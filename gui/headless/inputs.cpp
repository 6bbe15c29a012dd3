#include "gui/headless/inputs.h"

#include <algorithm>
#include <map>
#include <new>
#include <set>

#include "core/batch/image_list.h"
#include "core/error.h"
#include "core/folder.h"
#include "core/imageio/image_io.h"
#include "core/run/shipped_recipes.h"
#include "core/text.h"
#include "filters/catalog.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> imagesIn(const fs::path& folder, std::error_code& failure, LeftOut& leftOut) {
  std::vector<fs::path> files = entriesOf(folder, failure);
  for (const fs::path& file : files) {
    if (const auto format = unreadFormatOf(file); !format.empty()) ++leftOut.kinds[std::string(format)];
  }
  std::erase_if(files, [](const fs::path& file) {
    // What cannot be looked at, as a link that leads nowhere, is refused by name when it is opened.
    std::error_code ignored;
    return !looksLikeImageFile(file) || fs::is_directory(file, ignored);
  });
  return files;
}

}  // namespace

std::vector<InputFile> findInputs(const std::vector<std::string>& arguments,
                                  std::vector<std::string>& remarks) {
  std::vector<InputFile> inputs;
  const auto add = [&](const fs::path& path, const std::string& error) {
    inputs.push_back({path, path.stem().string(), error});
  };
  for (const std::string& argument : arguments) {
    std::error_code failure;
    const fs::file_status status = fs::status(argument, failure);
    if (status.type() == fs::file_type::not_found) {
      add(argument, argument + (argument == "-" ? ": images are not read from the standard input"
                                                : ": there is no such file or folder"));
    } else if (failure) {
      add(argument, argument + ": " + failure.message());
    } else if (fs::is_directory(status)) {
      const std::size_t before = inputs.size();
      LeftOut leftOut;
      for (const fs::path& file : imagesIn(argument, failure, leftOut)) add(file, "");
      if (!leftOut.empty()) remarks.push_back(argument + ": " + leftOut.sentence());
      if (!failure && inputs.size() == before) remarks.push_back(argument + ": there are no images in it");
      // No fault of the folder: nobody would know which images were not tried.
      if (failure == std::errc::not_enough_memory) throw std::bad_alloc();
      if (failure) add(argument, argument + ": " + failure.message());
    } else {
      add(argument, "");
    }
  }
  std::map<std::string, fs::path> byStem;
  for (const InputFile& input : inputs) {
    if (!input.error.empty()) continue;
    const auto [other, fresh] = byStem.emplace(input.stem, input.path);
    std::error_code failure;
    if (fresh || fs::equivalent(other->second, input.path, failure)) continue;
    throw Error(ErrorCode::BadInput, other->second.string() + " and " + input.path.string() +
                                         " would both give results named \"" + input.stem +
                                         ".*\"; filter them into different folders");
  }
  // The same file twice is one piece of work. What cannot be opened has its path alone.
  std::vector<InputFile> distinct;
  std::set<std::string> stems;
  std::set<fs::path> paths;
  for (InputFile& input : inputs) {
    const bool freshPath = paths.insert(input.path).second;
    const bool freshStem = !input.error.empty() || stems.insert(input.stem).second;
    if (freshPath && freshStem) distinct.push_back(std::move(input));
  }
  return distinct;
}

void giveScales(std::vector<InputFile>& images, const std::string& table) {
  if (table.empty()) return;
  std::map<std::string, double> scales;
  try {
    scales = readScales(table);
  } catch (const Error& error) {
    throw Error(ErrorCode::BadInput, error.what());
  }
  for (InputFile& image : images) {
    if (!image.error.empty() && !scales.empty())
      image.pixelsPerDegree = scales.begin()->second;  // it fails anyhow
    if (!image.error.empty()) continue;
    const auto found = scales.find(image.path.filename().string());
    if (found == scales.end())
      throw Error(ErrorCode::BadInput, table + ": has no line for " + image.path.filename().string());
    image.pixelsPerDegree = found->second;
  }
}

std::vector<ScaleGroup> scaleGroups(const std::vector<InputFile>& images, double otherwise) {
  std::map<double, std::vector<std::size_t>> byScale;
  for (std::size_t i = 0; i < images.size(); ++i)
    byScale[images[i].pixelsPerDegree > 0 ? images[i].pixelsPerDegree : otherwise].push_back(i);
  std::vector<ScaleGroup> groups;
  for (auto& [scale, members] : byScale) groups.push_back({scale, std::move(members)});
  return groups;
}

std::vector<InputFile> imagesOf(const ScaleGroup& group, const std::vector<InputFile>& images) {
  std::vector<InputFile> some;
  for (const std::size_t i : group.images) some.push_back(images[i]);
  return some;
}

FilterBank openBank(const std::string& specificationOrFile) {
  try {
    return loadBank(specificationOrFile);
  } catch (const Error& error) {
    if (isShippedRecipe(specificationOrFile))
      throw Error(
          ErrorCode::BadInput,
          "\"" + specificationOrFile + "\" is a recipe and no bank; give --recipe " + specificationOrFile);
    throw Error(error.code() == ErrorCode::Io ? ErrorCode::BadInput : error.code(), error.what());
  }
}

FilterBank chosenFilter(const FilterBank& bank, const std::string& label) {
  if (label.empty()) return bank;
  std::vector<std::string> labels;
  for (const Filter& f : bank.filters()) {
    if (f.label == label) return FilterBank(bank.info(), {f});
    if (labels.size() < 12) labels.push_back(f.label);
  }
  throw Error(ErrorCode::BadInput,
              "the bank has no filter \"" + label + "\"; " +
                  (static_cast<std::size_t>(bank.size()) > labels.size() ? "it begins with " : "it has ") +
                  joinWords(labels));
}

std::vector<FilterBank> openBanks(const Recipe& recipe) {
  std::vector<FilterBank> banks;
  for (const std::string& bank : bankNames(recipe)) banks.push_back(openBank(bank));
  return banks;
}

void readBanks(RunFiles& files, const Recipe& recipe) {
  for (const std::string& bank : bankNames(recipe)) files.read(bank, "a bank");
}

}  // namespace bankside::headless

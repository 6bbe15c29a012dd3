#include "gui/window/compute/mask_patterns.h"

#include <algorithm>
#include <map>

#include "core/folder.h"
#include "core/imageio/image_io.h"
#include "gui/headless/truth_files.h"

namespace bankside::window {
namespace {

namespace fs = std::filesystem;

/// More of them are no choice.
constexpr std::size_t mostPatterns = 6;

bool special(char letter) { return letter == '*' || letter == '?' || letter == '['; }

}  // namespace

std::vector<std::string> maskPatterns(const fs::path& place, const std::vector<fs::path>& images) {
  std::error_code failure;
  const std::string last = place.filename().string();
  const bool pattern = std::any_of(last.begin(), last.end(), special) && !fs::exists(place, failure);
  const fs::path folder = pattern ? place.parent_path() : place;
  if (!fs::is_directory(folder, failure)) return {};
  std::vector<std::string> stems;
  for (const fs::path& image : images) stems.push_back(image.stem().string());
  const headless::FileOwners owners(stems);
  // What follows a picture's name is the kind of the mask, which belongs to the longest such name.
  std::map<std::string, std::size_t> kinds;
  std::map<std::string, std::size_t> masks;
  for (const fs::path& file : entriesOf(folder, failure)) {
    if (!looksLikeImageFile(file)) continue;
    const std::string name = file.filename().string();
    const auto owner = owners.ownerOf(file.stem().string());
    if (!owner) continue;
    ++kinds[name.substr(stems[*owner].size())];
    ++masks[stems[*owner]];
  }
  const bool several =
      std::any_of(masks.begin(), masks.end(), [](const auto& mask) { return mask.second > 1; });
  std::vector<std::pair<std::string, std::size_t>> all(kinds.begin(), kinds.end());
  // Under what another kind ends with, pictures would still have two.
  std::erase_if(all, [&](const auto& kind) {
    const std::string& own = kind.first;
    return std::any_of(own.begin(), own.end(), special) ||
           std::any_of(kinds.begin(), kinds.end(),
                       [&](const auto& other) { return other.first != own && other.first.ends_with(own); });
  });
  if (!several || all.size() > mostPatterns) return {};
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> patterns;
  for (const auto& [kind, count] : all) patterns.push_back((folder / ("*" + kind)).string());
  return patterns;
}

}  // namespace bankside::window

#include "core/batch/image_list.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/batch/csv_rows.h"
#include "core/folder.h"
#include "core/imageio/image_io.h"
#include "core/log.h"
#include "core/printable.h"
#include "core/refuse.h"
#include "core/run/image_scale.h"
#include "core/stopping.h"
#include "core/text.h"
#include "core/text_file.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestList = std::size_t{1} << 30;

void fill(ManifestEntry& entry, const struct stat& status) {
  entry.bytes = status.st_size;
  entry.modified = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
}

/// Of the images of one folder; `prefix` is its id with a '/', or "".
void addSuspects(const std::string& prefix, const std::vector<std::string>& names, Suspects& suspects) {
  std::vector<std::pair<std::string, std::string_view>> stems;
  stems.reserve(names.size());
  for (const std::string& name : names) stems.emplace_back(stemOf(name), name);
  std::sort(stems.begin(), stems.end());
  const auto find = [&](const std::string& stem) {
    const auto at = std::lower_bound(stems.begin(), stems.end(), std::pair(stem, std::string_view()));
    return at != stems.end() && at->first == stem ? at : stems.end();
  };
  for (std::size_t i = 0; i < stems.size(); ++i) {
    const auto& [stem, name] = stems[i];
    if (i > 0 && stems[i - 1].first == stem)
      refuse(prefix + std::string(stems[i - 1].second) + " and " + prefix + std::string(name) +
             " would both give results named \"" + prefix + stem + ".*\"; rename one, or choose with --glob");
    for (std::size_t dot = stem.find('.'); dot != std::string::npos; dot = stem.find('.', dot + 1)) {
      const auto other = find(stem.substr(0, dot));
      if (other == stems.end()) continue;
      suspects.push_back(prefix + std::string(name));
      suspects.push_back(prefix + std::string(other->second));
    }
  }
}

class Scan {
 public:
  Scan(const fs::path& folder, const std::vector<std::string>& patterns,
       const std::function<void(const ManifestEntry&)>& take, LeftOut& leftOut)
      : folder_(folder), patterns_(patterns), take_(take), leftOut_(leftOut) {}

  Suspects run() {
    walk("");
    std::sort(suspects_.begin(), suspects_.end());
    suspects_.erase(std::unique(suspects_.begin(), suspects_.end()), suspects_.end());
    return std::move(suspects_);
  }

 private:
  using Place = std::pair<dev_t, ino_t>;

  bool wanted(const std::string& id, const std::string& name) const {
    if (patterns_.empty()) return looksLikeImageFile(name);
    return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& pattern) {
      const bool whole = pattern.find('/') != std::string::npos;
      return ::fnmatch(pattern.c_str(), whole ? id.c_str() : name.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
    });
  }

  /// A folder's entries are walked where its name with a '/' stands among the others, which gives all ids in
  /// byte order.
  void walk(const std::string& prefix) {
    throwIfProgramStops();
    struct stat status {};
    const fs::path here = prefix.empty() ? folder_ : folder_ / prefix;
    std::error_code failure;
    if (::stat(here.c_str(), &status) != 0)
      refuse(here.string() + ": " + std::generic_category().message(errno));
    const Place place{status.st_dev, status.st_ino};
    if (std::find(above_.begin(), above_.end(), place) != above_.end()) {
      log(LogLevel::Warning, here.string() + ": leads back to a folder above it, and is left out");
      return;
    }
    above_.push_back(place);
    std::vector<std::string> names;
    std::vector<std::string> images;
    forEachEntry(here, failure, [&](const char* name, unsigned char type) {
      if (name[0] == '.') return;
      names.push_back(isFolder(here, name, type) ? std::string(name) + "/" : name);
    });
    if (failure) refuse(here.string() + ": " + failure.message());
    std::sort(names.begin(), names.end());
    std::erase_if(names, [&](const std::string& name) {
      if (isUtf8(name)) return false;
      if (name.back() == '/' || wanted(prefix + name, name)) {
        ++leftOut_.kinds[withoutUtf8];
        log(LogLevel::Warning,
            (here / name).string() + ": its name is no UTF-8, which no manifest holds; it is left out");
      }
      return true;
    });
    for (const std::string& name : names) {
      if (name.back() == '/') continue;
      if (wanted(prefix + name, name)) {
        images.push_back(name);
      } else if (const auto format = unreadFormatOf(name); patterns_.empty() && !format.empty()) {
        ++leftOut_.kinds[std::string(format)];
      }
    }
    addSuspects(prefix, images, suspects_);
    auto image = images.begin();
    for (const std::string& name : names) {
      if (name.back() == '/') {
        walk(prefix + name);
      } else if (image != images.end() && *image == name) {
        take(prefix + name);
        ++image;
      }
    }
    above_.pop_back();
  }

  static bool isFolder(const fs::path& folder, const char* name, unsigned char type) {
    if (type != DT_UNKNOWN && type != DT_LNK) return type == DT_DIR;
    struct stat status {};
    return ::stat((folder / name).c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  }

  void take(const std::string& id) {
    ManifestEntry entry{.id = id};
    struct stat status {};
    const fs::path file = folder_ / id;
    if (::stat(file.c_str(), &status) == 0) {
      fill(entry, status);
    } else {
      log(LogLevel::Warning, file.string() + ": " + std::generic_category().message(errno));
    }
    take_(entry);
  }

  const fs::path& folder_;
  const std::vector<std::string>& patterns_;
  const std::function<void(const ManifestEntry&)>& take_;
  LeftOut& leftOut_;
  std::vector<Place> above_;
  Suspects suspects_;
};

std::optional<std::size_t> columnOf(const std::vector<std::string>& header,
                                    std::initializer_list<const char*> names) {
  for (const std::string_view name : names) {
    const auto at = std::find_if(header.begin(), header.end(), [&](const std::string& cell) {
      return std::equal(cell.begin(), cell.end(), name.begin(), name.end(),
                        [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
    });
    if (at != header.end()) return static_cast<std::size_t>(at - header.begin());
  }
  return std::nullopt;
}

constexpr auto imageColumns = {"image", "file", "filename", "path", "fundus"};

/// The columns that give images their scale: one or both, of which a line fills in one.
class ScaleColumns {
 public:
  explicit ScaleColumns(const std::vector<std::string>& header)
      : degrees_(columnOf(header, {"pixels_per_degree"})), width_(columnOf(header, {"vessel_width"})) {}

  explicit operator bool() const { return degrees_ || width_; }

  /// A line's pixels per degree; 0: it says nothing.
  double of(const std::vector<std::string>& cells, const std::string& where) const {
    const std::string degrees = cell(cells, degrees_);
    const std::string width = cell(cells, width_);
    if (!degrees.empty() && !width.empty()) refuse(where + "gives both pixels_per_degree and vessel_width");
    if (degrees.empty() && width.empty()) return 0;
    const auto scale = width.empty() ? parseNumber(degrees) : parseScale(std::string(widthPrefix) + width);
    if (!scale || !isScale(*scale))
      refuse(where + "\"" + degrees + width + "\" is no " +
             (width.empty() ? "number of pixels per degree from 0.1 to 10000"
                            : "width in pixels of the widest vessels from 0.043 to 4300"));
    return *scale;
  }

 private:
  static std::string cell(const std::vector<std::string>& cells, std::optional<std::size_t> column) {
    return column && *column < cells.size() ? cells[*column] : std::string();
  }

  std::optional<std::size_t> degrees_;
  std::optional<std::size_t> width_;
};

/// The id of a path in a list.
std::string idOf(const std::string& path, const fs::path& folder, const std::string& where) {
  if (path.size() > PATH_MAX)
    refuse(where + "the name of an image has " + std::to_string(path.size()) +
           " bytes, more than any file's");
  fs::path id = fs::path(path).lexically_normal();
  if (id.is_absolute()) id = id.lexically_relative(folder);
  if (path.empty() || id.empty() || *id.begin() == ".." || id == ".")
    refuse(where + "\"" + path + "\" is no file below " + folder.string());
  return id.string();
}

}  // namespace

Suspects scanFolder(const fs::path& folder, const std::vector<std::string>& patterns,
                    const std::function<void(const ManifestEntry&)>& take, LeftOut* leftOut) {
  LeftOut nobody;
  return Scan(folder, patterns, take, leftOut != nullptr ? *leftOut : nobody).run();
}

Suspects readImageList(const fs::path& list, const fs::path& folder,
                       const std::function<void(const ManifestEntry&)>& take) {
  const std::string text = readTextFile(list, longestList);
  CsvRows rows(text);
  std::vector<std::string> cells;
  std::vector<ManifestEntry> entries;
  std::optional<std::size_t> image;
  ScaleColumns scale({});
  bool first = true;
  while (rows.next(cells)) {
    throwIfProgramStops();
    const std::string where = list.string() + ":" + std::to_string(rows.line()) + ": ";
    if (first) {
      first = false;
      image = columnOf(cells, imageColumns);
      scale = ScaleColumns(cells);
      if (!image && (scale || cells.size() > 1))
        refuse(where + "no column is called image, file, filename, path or fundus");
      if (image && !scale && columnOf(cells, {"res", "resolution", "scale"}))
        log(LogLevel::Warning,
            list.string() + ": only a column pixels_per_degree or vessel_width gives images a scale");
      if (image) continue;
      image = 0;
    }
    if (*image >= cells.size()) refuse(where + "has no cell for the image");
    ManifestEntry entry{.id = idOf(cells[*image], folder, where)};
    struct stat status {};
    if (::stat((folder / entry.id).c_str(), &status) != 0)
      refuse(where + entry.id + ": " + std::generic_category().message(errno));
    if (S_ISDIR(status.st_mode)) refuse(where + entry.id + ": is a folder");
    fill(entry, status);
    entry.pixelsPerDegree = scale.of(cells, where);
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  std::map<std::string, std::vector<std::string>> folders;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string& id = entries[i].id;
    if (i > 0 && entries[i - 1].id == id) refuse(list.string() + ": names " + id + " twice");
    const std::size_t name = id.rfind('/') + 1;
    folders[id.substr(0, name)].push_back(id.substr(name));
  }
  Suspects suspects;
  for (const auto& [prefix, names] : folders) addSuspects(prefix, names, suspects);
  for (const ManifestEntry& entry : entries) take(entry);
  return suspects;
}

std::map<std::string, double> readScales(const fs::path& list) {
  const std::string text = readTextFile(list);
  CsvRows rows(text);
  std::vector<std::string> cells;
  std::map<std::string, double> scales;
  if (!rows.next(cells)) refuse(list.string() + ": is empty");
  const auto image = columnOf(cells, imageColumns);
  const ScaleColumns scale(cells);
  if (!image || !scale)
    refuse(list.string() + ": has no columns image (file, filename, path or fundus) and pixels_per_degree " +
           "or vessel_width");
  while (rows.next(cells)) {
    const std::string where = list.string() + ":" + std::to_string(rows.line()) + ": ";
    const double pixelsPerDegree = scale.of(cells, where);
    if (*image >= cells.size() || pixelsPerDegree == 0) refuse(where + "has no cell for image or scale");
    const std::string name = fs::path(cells[*image]).filename().string();
    if (!scales.emplace(name, pixelsPerDegree).second) refuse(where + "names " + name + " twice");
  }
  return scales;
}

}  // namespace bankside

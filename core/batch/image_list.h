/// Which images a batch has: those below a folder, or those that a list names.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/batch/left_out.h"
#include "core/batch/manifest.h"

namespace bankside {

/// Two images of one folder whose results would have the same names, as a.png and a.tif, are refused. Those
/// whose results may meet because one's name is another's up to a dot (a.png, a.page1.png) are only known by
/// their headers: their ids.
using Suspects = std::vector<std::string>;

/// Every image below the folder, by id in byte order, one at a time; only names of folders on the way are
/// held. Hidden files and folders are left out; links are followed, but not in circles. `patterns`: as shells
/// have them, of names or, with a '/', of ids; files of any ending then. What cannot be looked at is an entry
/// too, and fails in its turn; a name that is no UTF-8 is left out with a remark. `leftOut`: is told of those
/// and, without patterns, of images of formats that are not read; may be null. Errors  Error{BadInput} a
/// folder that cannot be read, two images with one name of results · Cancelled
Suspects scanFolder(const std::filesystem::path& folder, const std::vector<std::string>& patterns,
                    const std::function<void(const ManifestEntry&)>& take, LeftOut* leftOut = nullptr);

/// The images that a file names, below the folder, by id in byte order. A CSV file has a column image, file,
/// filename, path or fundus, and may have one pixels_per_degree or vessel_width; a file whose
/// first line has no such name has one path a line.
/// Errors  Error{BadInput} with the line: no such file, a path that leaves the folder, the same image twice,
///         no number, two images with one name of results · Error{Io}
Suspects readImageList(const std::filesystem::path& list, const std::filesystem::path& folder,
                       const std::function<void(const ManifestEntry&)>& take);

/// Pixels per degree by the names of image files, without their folders, as such a CSV file says.
/// Errors  as `readImageList`, and for an image without a scale
std::map<std::string, double> readScales(const std::filesystem::path& list);

}  // namespace bankside

/// A run over a folder: the batch that `bankside batch` runs, its contact sheet, and its numbers.
#pragma once

#include <cstdint>

#include "core/error.h"
#include "core/run/recipe.h"
#include "gui/window/compute/folder_report.h"

namespace bankside::window {

inline constexpr const char* folderTable = "statistics.csv";
inline constexpr const char* folderSheet = "contact-sheet.html";
/// The list of a run over some images only, as `bankside batch --list` takes it.
inline constexpr const char* folderList = "images.csv";

struct FolderRequest {
  std::filesystem::path input;
  std::filesystem::path output;
  std::vector<std::string> images;  ///< paths below `input`; none: all, with those of sub-folders
  Recipe recipe;
  double pixelsPerDegree = 0;  ///< 0: nobody said
  int threads = 0;
  bool replace = false;  ///< what other images or settings left there
  RegionSpec region;
  std::filesystem::path truth = {};
  std::string judged = {};  ///< as `FolderQuestion` has them
  std::string judgedAlone = {};
  std::optional<float> threshold = {};
  bool operator==(const FolderRequest&) const = default;
};

struct FolderProgress {
  enum class Stage { Filtering, Measuring };
  Stage stage = Stage::Filtering;
  std::int64_t total = 0;
  std::int64_t before = 0;  ///< done by earlier runs
  std::int64_t done = 0;
  std::int64_t failed = 0;
  std::string image;  ///< that just ended
  std::string error;  ///< why it failed
};

/// In the output folder another run has left its results.
class OtherRun : public Error {
 public:
  explicit OtherRun(const std::string& sentence) : Error(ErrorCode::BadInput, sentence) {}
};

/// The same call again goes on where it was stopped. Results are those of
/// `bankside batch INPUT OUTPUT --recipe RECIPE`; beside them lie the table and the contact sheet.
/// Errors  OtherRun · Error · Cancelled
FolderReport runFolder(const FolderRequest& request, const std::function<void(const FolderProgress&)>& watch,
                       const std::stop_token& stop);

}  // namespace bankside::window

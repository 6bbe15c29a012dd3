/// What came out of a run over a folder, in numbers: statistics of every result inside a region and, with
/// manual vessels, how well they were found.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/evaluate/evaluation.h"
#include "gui/window/compute/region.h"

namespace bankside::window {

struct FolderReport {
  /// A result of an image, or an image without any.
  struct Row {
    std::string image;          ///< path below the folder
    std::string result;         ///< file below the output folder
    std::string error;          ///< why there is no result, or why it was not measured
    std::string note;           ///< what else there is to know: which page, what the region is
    std::string unscored = {};  ///< why it was not scored though there is a truth
    bool judged = false;        ///< of the results of an image the one that scores are of
    std::optional<RegionStatistics> inside = {};
    int score = -1;  ///< of the evaluation's images; -1: it was not scored
  };
  std::vector<Row> rows;                      ///< by image
  std::optional<Evaluation> evaluation = {};  ///< none: there are no manual vessels
};

struct FolderQuestion {
  std::filesystem::path manifest;
  std::filesystem::path input;
  std::filesystem::path output;
  RegionSpec region;                 ///< of a photograph without a dark frame the field of view is all of it
  std::filesystem::path truth = {};  ///< a folder with the manual vessels; empty: none
  /// Of several results of an image the one that is scored, as its file has it: "dx", or "green.dx"; empty:
  /// the last one.
  std::string judged = {};
  std::string judgedAlone = {};         ///< the same without a channel, as a grey image's file has it
  std::optional<float> threshold = {};  ///< none: the one with the best pooled MCC
  int threads = 0;
};

/// Reads results back, so that it says what is in the files. Of files with several pages the first. What goes
/// wrong with an image is in its row. Errors  Error{Io} · Error{BadInput} no manual vessels · Error{Limit}
/// more pixels than can be evaluated ·
///         Cancelled
FolderReport measureFolder(const FolderQuestion& question, const std::function<void(int done, int of)>& watch,
                           const std::stop_token& stop);

/// Manual vessels of these images, paths below `input`, looked for before anything is done; that some have
/// none is no matter. What belongs to whom is decided among all images of a folder. Errors  Error{BadInput}
/// where an image has several, or there is nothing to look through
void requireOneTruth(const std::filesystem::path& truth, const std::filesystem::path& input,
                     const std::vector<std::string>& images);

/// Beside `truth`, which belongs to the image `of`, what belongs to `image`; empty where there is none.
std::filesystem::path truthBeside(const std::filesystem::path& truth, const std::filesystem::path& of,
                                  const std::filesystem::path& image);

/// A line a row, and one of all images where they are scored.
std::string toCsv(const FolderReport& report);
/// What it begins with.
inline constexpr const char* folderTableBeginning = "image,status,error,result,note";

}  // namespace bankside::window

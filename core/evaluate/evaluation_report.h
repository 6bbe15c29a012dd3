/// What `bankside evaluate` writes: one record, and its text forms (docs/formats.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/environment.h"
#include "core/evaluate/evaluation.h"
#include "core/run/report_values.h"

namespace bankside {

struct EvaluationReport {
  static constexpr const char* fileKind = "evaluation";
  static constexpr int schemaVersion = 1;

  /// One image: its files, and why it is not evaluated if it is not.
  struct Image {
    std::string name;
    std::string input;
    std::string truth;
    std::string fieldOfView;  ///< empty: the whole image
    std::string observer;     ///< empty: nobody
    std::string error;        ///< empty: it is evaluated
    std::vector<std::string> notes;
    double pixelsPerDegree = 0;  ///< that its recipe was told; 0: none
  };

  Environment environment;
  std::string command;
  std::string recipe;              ///< JSON; empty: responses were given
  std::vector<std::string> notes;  ///< on the whole study
  std::vector<Image> images;
  Evaluation evaluation;
};

ReportBeginnings evaluationBeginnings();
std::string toJson(const EvaluationReport& report);
/// One line a point and image, "pooled" and "mean" among the images.
std::string toCsv(const EvaluationReport& report);
std::string toMarkdown(const EvaluationReport& report);
/// Names and texts of what a point says of one image or of all, as in `toCsv`, for tables of others.
std::vector<std::pair<std::string, std::string>> scoreCells(const OperatingPoint& point,
                                                            const OperatingPoint::Score& score);
/// For a terminal.
std::string toText(const EvaluationReport& report);

/// What another report says about its threshold.
struct CarriedThreshold {
  float threshold = 0;  ///< of its point best-mcc
  std::string recipe;   ///< JSON; empty: responses were given
};

/// `file` names it in sentences. Errors  Error{BadInput} if it is no report of `bankside evaluate`
CarriedThreshold carriedThreshold(const std::string& json, const std::string& file);

/// Whether both recipes (JSON) make the same responses: those that differ in engine or output alone do,
/// about.
bool sameResponses(const std::string& recipe, const std::string& other);

}  // namespace bankside

/// An evaluation as `bankside evaluate` makes it, with the same bytes in the end.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/run/recipe.h"
#include "gui/headless/evaluate_steps.h"

namespace bankside::window {

/// Folders, files, or patterns of names. What may be left out is empty.
struct EvaluationRequest {
  std::string images;
  std::string truth;
  std::string fieldOfView;
  std::string observer;
  std::string thresholdFrom;        ///< a JSON report about another set
  std::optional<double> threshold;  ///< none: the recipe's, if it has one
  Recipe recipe;
  double pixelsPerDegree = 0;  ///< 0: nobody said
  bool operator==(const EvaluationRequest&) const = default;
};

struct EvaluationProgress {
  int total = 0;  ///< 0: the pictures are not counted yet
  int done = 0;
  int failed = 0;
  int leftOut = 0;  ///< nobody marked them

  int ended() const { return done + failed + leftOut; }
};

using EvaluatedPtr = std::shared_ptr<const headless::StudyOutcome>;

/// Errors  Error · Cancelled
EvaluatedPtr runEvaluation(const EvaluationRequest& request, int threads,
                           const std::function<void(const EvaluationProgress&)>& watch,
                           const std::stop_token& stop);

/// The line that makes the files of `exportEvaluation` with the headless program, or none where `folder` is
/// empty. `recipe`: a file that holds that of the request.
std::string evaluationCommand(const EvaluationRequest& request, const std::string& recipe,
                              const std::filesystem::path& folder);

/// Names in the folder of an export.
inline constexpr const char* evaluationTable = "evaluation.csv";
inline constexpr const char* evaluationFiles[] = {"evaluation.json", evaluationTable, "evaluation.md",
                                                  "evaluation.svg", "overlays"};

/// JSON, CSV, Markdown, the plot and the overlays. `replace`: also overlays that differ.
/// Errors  Error · WouldReplace · Cancelled
void exportEvaluation(const EvaluationRequest& request, const headless::StudyOutcome& evaluated,
                      const std::string& recipe, const std::filesystem::path& folder, bool replace,
                      const std::stop_token& stop);

}  // namespace bankside::window

/// The parts of `bankside evaluate`, for the command and for the window.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/evaluate/evaluation_report.h"
#include "gui/headless/destinations.h"
#include "gui/headless/study.h"

namespace bankside::headless {

/// All images are held until the last one has come, and they have more pixels than that leaves room for.
class NoRoomForStudy : public Error {
 public:
  using Error::Error;
};

struct StudyOutcome {
  int code = 0;
  Study study;
  EvaluationReport report;            ///< of no command yet; without an evaluation where no image is left
  std::vector<LabelledImage> images;  ///< those that are evaluated
  EvaluateOptions options;
  std::string warning;  ///< of the carried threshold; empty: none
  /// What was made for overlays goes again where it stays empty.
  std::shared_ptr<ResultFolder> folder = {};
};

/// Looks at everything that the command names before any work, makes the responses and judges them; writes
/// nothing but the folder for overlays. Errors  Error · SeveralMaps · NoRoomForStudy · Cancelled
StudyOutcome evaluateStudy(const EvaluateCommand& command, const std::stop_token& stop);

/// The threshold at which overlays are drawn.
float overlayThreshold(const StudyOutcome& outcome);

/// For results that were not among those that `evaluateStudy` looked at: looks at them, and makes the folder
/// for overlays, which goes again where it stays empty; null: none is wanted. Errors  Error
std::shared_ptr<ResultFolder> requireResults(const EvaluateCommand& command, const Study& study);

/// The reports, plot and overlays that the command wants, which were looked at. `commandText`: what made it,
/// for the reports. Errors  Error · WouldReplace · Cancelled
void writeStudy(const EvaluateCommand& command, const StudyOutcome& outcome, const std::string& commandText,
                const std::stop_token& stop);

}  // namespace bankside::headless

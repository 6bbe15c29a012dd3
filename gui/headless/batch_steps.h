/// The parts of `bankside batch`, for the command and for the window.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "core/batch/batch_report.h"
#include "core/batch/manifest.h"
#include "core/error.h"
#include "gui/headless/batch_options.h"
#include "gui/headless/run_files.h"

namespace bankside::headless {

/// Where a plan is to be there is another one, of other images or settings.
class OtherPlan : public Error {
 public:
  explicit OtherPlan(const std::string& sentence) : Error(ErrorCode::BadInput, sentence) {}
};

/// What `std::filesystem::absolute` of a path is without dots in it.
std::string absolutePath(const std::string& path);

/// Errors  Error{BadInput} where results would be taken for images by the next plan, and for no folder
void requireFoldersApart(const std::string& input, const std::string& output);

/// 0 or exitEmptyInput. Errors  Error · WouldReplace another plan
int planBatch(const BatchCommand& command);

/// What the command line names and is not there makes a wrong command. Errors  Error{BadInput}
void requireNamed(const std::string& file);

/// Everything that a plan which was made is lost without: itself, banks, journals.
void readPlanned(const Manifest& manifest, RunFiles& files);

/// One report of all journals, and what of it the command wants in files. Errors  Error · Cancelled
BatchReport mergeBatch(const BatchCommand& command, const std::string& commandText,
                       const std::stop_token& stop = {});

struct BatchOutcome {
  int code = 0;
  std::string reason;                 ///< why it ended before its end; empty if it did not
  std::optional<BatchReport> report;  ///< none where it did
};

/// Plan, run and merge. What was planned before by the same line goes on. Errors  OtherPlan; Error ·
/// Cancelled
BatchOutcome runWholeBatch(BatchCommand command, const std::string& commandText, const std::stop_token& stop);

}  // namespace bankside::headless

/// Where results are to go, looked at before any work is done for them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gui/headless/bench_options.h"
#include "gui/headless/run_files.h"

namespace bankside::headless {

/// Throws Error{BadInput} if a report could not be written to `file`, or would replace what the run reads or
/// writes, or is named like an image. `what`: "the report". An empty name is a report that nobody asked for.
void requireReportFile(const std::string& file, const std::string& what, RunFiles& files);

/// The same for every form of a benchmark's report.
void requireReportFiles(const ReportFiles& reports, RunFiles& files);

/// The report of a run that goes on: what cannot be written yet is said, since there may be room at the end.
/// An empty name is a report that nobody asked for.
void writeReportSoFar(const std::string& file, const std::function<std::string()>& text);

/// The folder for results, made with those above it. What was made and is still empty in the end goes again,
/// and so do the unfinished files of runs that were killed here.
class ResultFolder {
 public:
  /// Throws Error{BadInput} if making it fails, if nothing may be written there, or if `inputs` names the
  /// same folder: the next run over it would take results for images.
  ResultFolder(const std::string& folder, const std::vector<std::string>& inputs);

 private:
  struct Made {
    std::vector<std::filesystem::path> folders;  ///< the deepest first
    Made() = default;
    Made(const Made&) = delete;
    Made& operator=(const Made&) = delete;
    ~Made();
  } made_;
};

}  // namespace bankside::headless

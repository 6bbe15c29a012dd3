/// Where results are to go, looked at before any work is done for them: every output that a command line
/// names comes through here.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/run/report_values.h"
#include "gui/headless/bench_options.h"
#include "gui/headless/run_files.h"

namespace bankside::headless {

/// Throws Error{BadInput} if the file could not be made, or would replace what the run reads or writes.
/// `what`: "the plot". An empty name is a file that nobody asked for.
/// Errors  DiskFull
void requireOutputFile(const std::string& file, const std::string& what, RunFiles& files);

/// The same of one among many in a folder that was looked at: makes none to see whether it can.
void requireResultFile(const std::filesystem::path& file, const std::string& what, RunFiles& files);

/// What becomes of a file where a report is to go that is no earlier report of its kind.
enum class Foreign { Stays, StaysUnlessForced, Goes };
inline Foreign foreign(bool force) { return force ? Foreign::Goes : Foreign::StaysUnlessForced; }

/// The same, and refuses a name that is an image's, and a foreign file that stays. `beginning`: of reports of
/// its kind (`ReportBeginnings`); empty: whoever writes it looks at what is there. An empty file is nobody's.
void requireReportFile(const std::string& file, const std::string& what, const std::string& beginning,
                       Foreign foreign, RunFiles& files);

/// The same for every form of a report.
void requireReportFiles(const ReportFiles& reports, const ReportBeginnings& beginnings, Foreign foreign,
                        RunFiles& files);

/// The report of a run that goes on: what cannot be written yet is said, since there may be room at the end.
/// An empty name is a report that nobody asked for.
void writeReportSoFar(const std::string& file, const std::function<std::string()>& text);

/// Why no file can be made in a folder that is there; empty if one can. Errors  DiskFull
std::string whyNotWritable(const std::filesystem::path& folder);

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

/// Where results are to go, looked at before any work is done for them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace bankside::headless {

/// Throws Error{BadInput} if a report could not be written to `file`, or would replace one of `inputs`.
/// An empty name is a report that nobody asked for.
void requireReportFile(const std::string& file, const std::vector<std::string>& inputs);

/// The report of a run that goes on: what cannot be written yet is said, since there may be room at the end.
/// An empty name is a report that nobody asked for.
void writeReportSoFar(const std::string& file, const std::function<std::string()>& text);

/// The folder for results, made with those above it. What was made and is still empty in the end goes again.
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

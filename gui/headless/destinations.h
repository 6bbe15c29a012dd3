/// Where results are to go, looked at before any work is done for them.
#pragma once

#include <string>
#include <vector>

namespace bankside::headless {

/// Throws Error{BadInput} if a report could not be written to `file`, or would replace one of `inputs`.
/// An empty name is a report that nobody asked for.
void requireReportFile(const std::string& file, const std::vector<std::string>& inputs);

/// Makes the folder for results. Throws Error{BadInput} if that fails, if nothing may be written there, or if
/// `inputs` names the same folder: the next run over it would take results for images.
void requireResultFolder(const std::string& folder, const std::vector<std::string>& inputs);

}  // namespace bankside::headless

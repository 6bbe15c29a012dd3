/// Results of one name, found before any work is done for them.
#pragma once

#include <vector>

#include "core/run/runner.h"
#include "gui/headless/command_line.h"
#include "gui/headless/inputs.h"
#include "gui/headless/run_files.h"

namespace bankside::headless {

/// Throws Error{BadInput} if two results would have one name, or one would replace what the run reads, as far
/// as the headers of the images tell. Only those are opened whose names let that be; the rest is found out as
/// images are opened.
void requireDistinctResults(const FilterCommand& command, const std::vector<InputFile>& inputs,
                            const Runner& runner, RunFiles files);

}  // namespace bankside::headless

/// The pages of `bankside filter` from their files to their results.
#pragma once

#include <stop_token>
#include <vector>

#include "core/run/run_report.h"
#include "core/run/runner.h"
#include "gui/headless/command_line.h"
#include "gui/headless/inputs.h"
#include "gui/headless/page_writer.h"
#include "gui/headless/run_files.h"

namespace bankside::headless {

/// Reading, filtering and writing overlap; where one thread is asked for they take turns. Every page that is
/// read is done or failed in the end, and stands in the report, or the tally says that this is not so.
/// `enough`: begins no other page, drops those that wait to be filtered, and finishes the others; the tally
/// says that it was interrupted.
/// Errors  CannotFilter
Tally filterPages(const FilterCommand& command, const std::vector<InputFile>& inputs, Runner& runner,
                  RunFiles& files, FilterReport& report, const std::stop_token& stop,
                  const std::stop_token& enough = {});

}  // namespace bankside::headless

/// What `bankside filter` did with its images: the record behind the report file.
#pragma once

#include <string>
#include <vector>

#include "core/environment.h"
#include "core/run/runner.h"
#include "core/run/stage_times.h"

namespace bankside {

/// One page of one input of `bankside filter`.
struct ImageRun {
  std::string input;
  int page = 0;
  std::string format;
  std::string shape;                 ///< "3 x 584 x 565 u8" (channels x height x width)
  std::vector<std::string> notes;    ///< what reading and channel choice did
  std::vector<std::string> dropped;  ///< channels and pages that reach no output
  bool ok = false;
  std::string error;  ///< one sentence if not ok
  double decodeSeconds = 0;
  double encodeSeconds = 0;
  BankRun run;
  std::vector<std::string> outputs;  ///< files, relative to the output folder
  std::int64_t clippedValues = 0;    ///< results outside the range they were mapped to
  std::int64_t nonFiniteValues = 0;  ///< results that are NaN or infinite
};

struct FilterReport {
  static constexpr const char* fileKind = "filter-report";
  static constexpr int schemaVersion = 1;
  Environment environment;
  std::string command;
  std::string recipe;                ///< JSON
  std::vector<std::string> notes;    ///< on the whole run
  std::vector<std::string> untried;  ///< inputs that a run which was stopped did not come to
  struct Bank {
    std::string name;
    std::uint64_t hash = 0;
  };
  std::vector<Bank> banks;  ///< of the stages, in their order
  std::vector<ImageRun> images;
  StageTimes stages;
};

}  // namespace bankside

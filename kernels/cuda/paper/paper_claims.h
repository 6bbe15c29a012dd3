/// The paper's claims about the general case, computed, counted and timed: N = 256, C = F = 64, K = 3, 5, 7.
#pragma once

#include <filesystem>
#include <stop_token>

#include "core/bench/bench_report.h"

namespace bankside {

/// Adds the paper's claims about the general case: its formulas beside the tiles as they are and, where
/// `counters` is not empty, beside what a profiler counted (that folder's k3.csv, k5.csv and k7.csv, see
/// readCounters); both ways of writing back, matched and unmatched units, and the averages of the report's
/// rows. Errors  Cancelled, with the claims so far in the report; Error{Device}; Error{Io}, Error{BadInput}
/// for the counters
void runPaperClaims(BenchReport& report, const std::filesystem::path& counters, std::stop_token stop);

}  // namespace bankside

/// The paper's claims, computed, counted and timed: one channel at N = 4096, F = 8, K = 1, 3, 5; several at N
/// = 256, C = F = 64, K = 3, 5, 7.
#pragma once

#include <filesystem>
#include <stop_token>

#include "core/bench/bench_report.h"

namespace bankside {

/// Adds the paper's claims about one channel or about several: the averages of the report's rows; its
/// formulas beside the tiles as they are and, where `counters` is not empty, beside what a profiler counted
/// (that folder's files k1.csv, k3.csv ... of the filter sizes, see readCounters); of several channels also
/// both ways of writing back, matched and unmatched units. Errors  Cancelled, with the claims so far in the
/// report; Error{Device}; Error{Io}, Error{BadInput} for the counters
void runPaperClaims(BenchReport& report, bool severalChannels, const std::filesystem::path& counters,
                    std::stop_token stop);

}  // namespace bankside

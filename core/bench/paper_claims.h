/// What Chen et al., DAC 2017, claim about the general case, beside what it comes to here: rows of a report.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankside {

/// One claim on one cell. Nothing where there is nothing to say.
struct PaperClaim {
  std::string claim;               ///< "pixels from shared memory, of one load a tap"
  std::string cell;                ///< "K 3, Table 1"
  std::optional<double> paper;     ///< the paper's formula, or the number that it prints
  std::optional<double> computed;  ///< the same for the tiles as they are
  std::optional<double> here;      ///< on this device
  std::string in;                  ///< "1", "us", "MB", "%"
  std::string how;                 ///< how `here` was found: "counted", "timed"
};

/// The formulas of section 4: what is left of the traffic of a direct GEMM method. Global memory about 1 / K;
/// shared memory, for pixels, (W_T + K - 1) / (W_T K).
constexpr double paperGlobalShare(int filterSize) { return 1.0 / filterSize; }
constexpr double paperSharedShare(int pixelsPerThread, int filterSize) {
  return (pixelsPerThread + filterSize - 1.0) / (static_cast<double>(pixelsPerThread) * filterSize);
}

/// Percent that the kernel is faster than cuDNN 5.1 on average (Kepler K40m): 30.5, 45.3, 30.8 for K = 3, 5,
/// 7; 0 for others.
double paperImprovement(int filterSize);

/// Percent that the special case's kernel loses where units are unmatched (section 5.1); the general case is
/// expected to lose more.
inline constexpr double paperUnmatchedLoss = 19;

/// Hardware counters by name, from what `ncu --csv --print-units base` prints: of the first launch of a
/// kernel whose name holds `kernel`. Lines before the table are skipped. Errors  Error{BadInput} if there is
/// no such launch
std::map<std::string, double> readCounters(std::string_view csv, std::string_view kernel);

/// Columns claim, cell, paper, computed, here, in, how.
class Table;
Table claimTable(const std::vector<PaperClaim>& claims);

}  // namespace bankside

/// What Chen et al., DAC 2017, claim about the general case, beside what it comes to here: rows of a report.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

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

/// How many times faster the paper reports its own kernels than cuDNN 5.1 on a Kepler K40m, on average: 6.16,
/// 6.43, 2.90 for K = 1, 3, 5 (its figure 7, one channel), 1.305, 1.453, 1.308 for K = 3, 5, 7 (its figure 8,
/// several); 0 for any other size.
double paperRatio(int filterSize, bool severalChannels);

/// Percent that the special case's kernel loses where units are unmatched (section 5.1); the general case is
/// expected to lose more.
inline constexpr double paperUnmatchedLoss = 19;

/// Hardware counters by name, from what `ncu --csv --print-units base` prints: of the first launch of a
/// kernel whose name holds `kernel`. Lines before the table are skipped. Errors  Error{BadInput} if there is
/// no such launch
std::map<std::string, double> readCounters(std::string_view csv, std::string_view kernel);

}  // namespace bankside

/// Honest timing: contenders take turns, every sample is kept, and the verdict says when it cannot tell.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace bankside {

/// A median with its 95 % confidence interval, from order statistics (no distribution assumed). Fewer than
/// six samples cannot give that confidence: the interval is then their range.
struct Interval {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// Throws Error{BadInput} for no samples.
Interval medianInterval(std::vector<double> samples);

/// 95 % interval of the median of paired ratios wholly above 1.02, wholly below 1/1.02, wholly between, or
/// neither.
enum class Verdict { Faster, Slower, Same, Ambiguous };
const char* toString(Verdict verdict);  ///< "FASTER", "SLOWER", "SAME", "AMBIGUOUS"
std::optional<Verdict> parseVerdict(std::string_view text);

/// How many times faster than a baseline: the i-th samples were taken in one round and are paired.
struct SpeedRatio {
  Interval ratio;
  Verdict verdict = Verdict::Ambiguous;
};
SpeedRatio speedRatio(const std::vector<double>& seconds, const std::vector<double>& baselineSeconds);

/// When to stop: after `maxRounds`, or once both `minRounds` and `seconds` are reached.
struct MeasureOptions {
  int minRounds = 9;
  int maxRounds = 51;
  double seconds = 5.0;
};

/// Calls every contender once a round; every other round in reverse order (A B B A), so that drift hits all
/// alike. Contenders keep their own samples. One uncounted round (`round` = -1) comes first. Returns the
/// number of counted rounds. Throws Cancelled (core/engine.h).
int interleave(const std::vector<std::function<void(int round)>>& contenders, const MeasureOptions& options,
               std::stop_token stop);

}  // namespace bankside

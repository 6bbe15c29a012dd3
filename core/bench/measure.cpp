#include "core/bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "core/engine.h"
#include "core/error.h"

namespace bankside {
namespace {

/// The largest k such that the k-th smallest and k-th largest of n samples hold the median with 95 %
/// confidence: the median's rank is Binomial(n, 1/2) (Conover, Practical Nonparametric Statistics, 3rd
/// ed., 3.2). At least 1.
int intervalRank(int n) {
  double term = std::exp2(-n);  // P(rank = 0)
  double tail = 0;
  int k = 0;
  while (k < n / 2 && tail + term <= 0.025) {
    tail += term;
    ++k;
    term *= static_cast<double>(n - k + 1) / k;
  }
  return std::max(k, 1);
}

constexpr double sameBand = 1.02;

constexpr const char* verdicts[] = {"FASTER", "SLOWER", "SAME", "AMBIGUOUS"};

}  // namespace

Interval medianInterval(std::vector<double> samples) {
  if (samples.empty()) throw Error(ErrorCode::BadInput, "no samples to take a median of");
  std::sort(samples.begin(), samples.end());
  const auto n = samples.size();
  const auto k = static_cast<std::size_t>(intervalRank(static_cast<int>(n)));
  const double median = n % 2 == 1 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  return {median, samples[k - 1], samples[n - k]};
}

const char* toString(Verdict verdict) { return verdicts[static_cast<int>(verdict)]; }

std::optional<Verdict> parseVerdict(std::string_view text) {
  const auto at = std::find(std::begin(verdicts), std::end(verdicts), text);
  if (at == std::end(verdicts)) return std::nullopt;
  return static_cast<Verdict>(at - std::begin(verdicts));
}

SpeedRatio speedRatio(const std::vector<double>& seconds, const std::vector<double>& baselineSeconds) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(seconds.size(), baselineSeconds.size()); ++i) {
    ratios.push_back(baselineSeconds[i] / seconds[i]);
  }
  SpeedRatio result{medianInterval(ratios), Verdict::Ambiguous};
  const Interval& r = result.ratio;
  if (ratios.size() < 6) return result;
  if (r.low > sameBand) {
    result.verdict = Verdict::Faster;
  } else if (r.high < 1 / sameBand) {
    result.verdict = Verdict::Slower;
  } else if (r.low >= 1 / sameBand && r.high <= sameBand) {
    result.verdict = Verdict::Same;
  }
  return result;
}

int interleave(const std::vector<std::function<void(int)>>& contenders, const MeasureOptions& options,
               std::stop_token stop) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (int round = -1; round < options.maxRounds; ++round) {
    if (round >= options.minRounds && elapsed() >= options.seconds) return round;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      if (stop.stop_requested()) throw Cancelled();
      contenders[round % 2 == 0 ? i : contenders.size() - 1 - i](round);
    }
  }
  return options.maxRounds;
}

}  // namespace bankside

#include "core/evaluate/roc_curve.h"

#include <cmath>
#include <limits>

#include "core/error.h"

namespace bankside {
namespace {

std::int64_t sizeOf(const std::vector<float>& values) { return static_cast<std::int64_t>(values.size()); }

/// Every distinct response from the highest down, with how many pixels of each kind are as high.
template <class Visit>
void forThresholds(const ScoredPixels& pixels, const StopCheck& check, const Visit& visit) {
  std::int64_t next = 0;
  auto vessel = pixels.vessel.rbegin();
  auto ground = pixels.ground.rbegin();
  while (vessel != pixels.vessel.rend() || ground != pixels.ground.rend()) {
    const float threshold =
        ground == pixels.ground.rend() || (vessel != pixels.vessel.rend() && *vessel > *ground) ? *vessel
                                                                                                : *ground;
    while (vessel != pixels.vessel.rend() && *vessel == threshold) ++vessel;
    while (ground != pixels.ground.rend() && *ground == threshold) ++ground;
    const std::int64_t hits = vessel - pixels.vessel.rbegin();
    const std::int64_t alarms = ground - pixels.ground.rbegin();
    if (hits + alarms >= next) {
      ask(check);
      next = hits + alarms + valuesBetweenAsks;
    }
    visit(threshold, hits, alarms);
  }
}

/// Of the length of a curve that goes from corner to corner.
constexpr double pointStep = 1.0 / 256;

}  // namespace

RocCurve rocCurve(const ScoredPixels& pixels, const StopCheck& check) {
  const std::int64_t positives = sizeOf(pixels.vessel);
  const std::int64_t negatives = sizeOf(pixels.ground);
  if (positives == 0 || negatives == 0)
    throw Error(ErrorCode::BadInput, "a curve needs pixels of vessel and pixels of ground");
  if (positives + negatives > RocCurve::mostPixels)
    throw Error(ErrorCode::Limit, "more than 2^32 pixels cannot be ranked together");

  RocCurve curve;
  std::uint64_t doubledArea = 0;
  std::int64_t hitsBefore = 0;
  std::int64_t alarmsBefore = 0;
  double bestMcc = -std::numeric_limits<double>::infinity();
  double kept = 0;
  forThresholds(pixels, check, [&](float threshold, std::int64_t hits, std::int64_t alarms) {
    doubledArea +=
        static_cast<std::uint64_t>(alarms - alarmsBefore) * static_cast<std::uint64_t>(hits + hitsBefore);
    const double precision = static_cast<double>(hits) / static_cast<double>(hits + alarms);
    curve.averagePrecision +=
        static_cast<double>(hits - hitsBefore) / static_cast<double>(positives) * precision;
    const Confusion here{hits, alarms, positives - hits, negatives - alarms};
    if (const double mcc = here.mcc(); mcc > bestMcc) {
      bestMcc = mcc;
      curve.bestThreshold = threshold;
      curve.best = here;
    }
    const double recall = static_cast<double>(hits) / static_cast<double>(positives);
    const double alarmRate = static_cast<double>(alarms) / static_cast<double>(negatives);
    if (const bool last = hits == positives && alarms == negatives;
        curve.points.empty() || last || recall + alarmRate >= kept + pointStep) {
      curve.points.push_back({static_cast<double>(threshold), alarmRate, recall, precision});
      kept = recall + alarmRate;
    }
    hitsBefore = hits;
    alarmsBefore = alarms;
  });
  curve.area =
      static_cast<double>(doubledArea) / 2 / static_cast<double>(positives) / static_cast<double>(negatives);
  return curve;
}

float otsuThreshold(const ScoredPixels& pixels, const StopCheck& check) {
  double total = 0;
  for (const float value : pixels.vessel) total += static_cast<double>(value);
  for (const float value : pixels.ground) total += static_cast<double>(value);
  const std::int64_t count = sizeOf(pixels.vessel) + sizeOf(pixels.ground);
  float best = std::numeric_limits<float>::infinity();
  double widest = 0;
  double sum = 0;
  std::int64_t before = 0;
  forThresholds(pixels, check, [&](float threshold, std::int64_t hits, std::int64_t alarms) {
    const std::int64_t above = hits + alarms;
    sum += static_cast<double>(threshold) * static_cast<double>(above - before);
    before = above;
    if (above == count) return;
    const auto upper = static_cast<double>(above);
    const auto lower = static_cast<double>(count - above);
    const double gap = sum / upper - (total - sum) / lower;
    if (const double variance = upper * lower * gap * gap; variance > widest) {
      widest = variance;
      best = threshold;
    }
  });
  return best;
}

std::uint64_t pairCount(const std::vector<float>& vessel, const std::vector<float>& ground,
                        const StopCheck& check) {
  std::uint64_t count = 0;
  std::size_t below = 0;
  std::size_t notAbove = 0;
  std::int64_t left = 0;
  for (const float value : vessel) {
    if (--left < 0) {
      ask(check);
      left = valuesBetweenAsks;
    }
    while (below < ground.size() && ground[below] < value) ++below;
    if (notAbove < below) notAbove = below;
    while (notAbove < ground.size() && ground[notAbove] <= value) ++notAbove;
    count += below + notAbove;
  }
  return count;
}

}  // namespace bankside

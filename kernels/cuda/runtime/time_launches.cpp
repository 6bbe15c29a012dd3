#include "kernels/cuda/runtime/time_launches.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>

#include "core/engine.h"
#include "kernels/cuda/runtime/graph.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {
namespace {

constexpr int skippedRounds = 2;

/// One contender's graph and samples.
struct Timed {
  explicit Timed(const TimedLaunch& of) : launch(of) {}

  const TimedLaunch& launch;
  Graph graph;
  std::vector<double> samples;
  double spent = 0;

  void startAll(cudaStream_t stream) const {
    for (int i = 0; i < launch.calls; ++i) launch.start(i % launch.sets, stream);
  }
  bool enough(const PassTiming& timing) const {
    const int rounds = static_cast<int>(samples.size());
    return rounds >= timing.maxRounds || (rounds >= timing.minRounds && spent >= timing.seconds);
  }
};

}  // namespace

std::vector<Interval> timeTogether(const std::vector<TimedLaunch>& contenders, const PassTiming& timing) {
  const Stream stream;
  std::deque<Timed> all;  // graphs do not move
  for (const TimedLaunch& launch : contenders) {
    Timed& one = all.emplace_back(launch);
    for (int i = 0; i < launch.sets; ++i)
      launch.start(i, stream);  // lazy loading and the like stay out of the graph
    stream.synchronize();
    if (timing.graph) one.graph.capture(stream, [&] { one.startAll(stream); });
  }
  const Event begin;
  const Event end;
  const auto sample = [&](Timed& one) {
    if (all.size() > 1) one.launch.start(one.launch.sets - 1, stream);
    begin.record(stream);
    if (one.graph) {
      one.graph.launch(stream);
    } else {
      one.startAll(stream);
    }
    end.record(stream);
    stream.synchronize();
    const double once = secondsBetween(begin, end);
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(timing.rest * once, mostRest)));
    return once;
  };
  double warmed = 0;
  bool done = false;
  for (int round = 0; !done; ++round) {
    if (timing.stop.stop_requested()) throw Cancelled();
    const bool counts = round >= skippedRounds && warmed >= timing.warmSeconds;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Timed& one = all[round % 2 == 0 ? i : all.size() - 1 - i];
      if (counts && one.enough(timing)) continue;
      const double once = sample(one);
      if (!counts) {
        warmed += once;
        continue;
      }
      one.samples.push_back(once / one.launch.calls);
      one.spent += once;
    }
    done = std::all_of(all.begin(), all.end(), [&](const Timed& one) { return one.enough(timing); });
  }
  BANKSIDE_CUDA_CHECK(cudaGetLastError());
  std::vector<Interval> intervals;
  for (Timed& one : all) intervals.push_back(medianInterval(std::move(one.samples)));
  return intervals;
}

Interval timeLaunches(const std::function<void(int, void*)>& launch, int sets, int calls,
                      const PassTiming& timing) {
  return timeTogether({{launch, sets, calls}}, timing).front();
}

}  // namespace bankside::cuda

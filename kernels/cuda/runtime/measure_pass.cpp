#include "kernels/cuda/runtime/measure_pass.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <set>
#include <thread>

#include "core/judge/compare.h"
#include "core/made_input.h"
#include "core/parallel.h"
#include "core/sample_rows.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/device_turn.h"
#include "kernels/cuda/runtime/measure_limits.h"
#include "kernels/cuda/runtime/stream.h"
#include "kernels/cuda/runtime/time_launches.h"

namespace bankside::cuda {
namespace {

/// Source and result sets of one contender in one allocation, kept for the next measurement: big allocations
/// take long.
struct Arena {
  DeviceBuffer buffer;
  std::size_t setBytes = 0;
  std::size_t srcBytes = 0;
  int sets = 1;

  std::byte* src(int set) const { return buffer.data() + static_cast<std::size_t>(set) * setBytes; }
  std::byte* dst(int set) const { return src(set) + srcBytes; }
};

std::size_t aligned(std::size_t bytes) { return (bytes + 511) / 512 * 512; }

/// A batch's first images are different ones, which come again after so many: the first, the last and the
/// middle one of 2, 4, 8, ... are never the same.
constexpr int mostKept = 11;

const std::vector<Image>& pixelsFor(const ConvolutionProblem& p, int images, const std::string& values) {
  static std::vector<Image> kept;
  static std::string keptValues;
  if (kept.empty() || kept[0].channels() != p.channels || kept[0].height() != p.height ||
      kept[0].width() != p.width || kept[0].type() != p.srcType || keptValues != values)
    kept.clear();
  keptValues = values;
  while (static_cast<int>(kept.size()) < std::min(images, mostKept))
    kept.push_back(p.channels == 1 ? imageOfValues(values, p.height, p.width, p.srcType, 7 + kept.size())
                                   : randomImage(p.channels, p.height, p.width, p.srcType, 7 + kept.size()));
  return kept;
}

struct Sample {
  int image = 0;
  int row = 0;
};

/// Rows of the first, the middle and the last image.
std::vector<Sample> samplesOf(const ConvolutionProblem& p, int images, int time) {
  std::vector<Sample> samples;
  const std::uint64_t seed = hash(p) + (static_cast<std::uint64_t>(time) << 32);
  for (const int image : std::set<int>{0, images / 2, images - 1})
    for (const int row : sampleRows(p.height, 4, seed + static_cast<std::uint64_t>(image)))
      samples.push_back({image, row});
  return samples;
}

std::deque<Arena>& arenas() {
  static std::deque<Arena> all;
  return all;
}

Arena& prepareArena(const ConvolutionProblem& p, DevicePass& pass, bool cold, const std::string& values,
                    std::size_t contender = 0) {
  while (arenas().size() <= contender) arenas().emplace_back();
  Arena& a = arenas()[contender];
  const std::size_t row = static_cast<std::size_t>(p.width) * sizeOf(p.srcType);
  const std::size_t plane = row * static_cast<std::size_t>(p.height);
  a.srcBytes =
      aligned(plane * static_cast<std::size_t>(p.channels) * static_cast<std::size_t>(pass.images()));
  a.setBytes = a.srcBytes + aligned(pass.resultBytes());
  const double l2 = static_cast<double>(describeDevice().l2Bytes);
  a.sets =
      cold ? std::clamp(static_cast<int>(std::ceil(2.5 * l2 / static_cast<double>(a.setBytes))), 2, 256) : 1;
  a.buffer.reserve(static_cast<std::size_t>(a.sets) * a.setBytes);
  const std::vector<Image>& images = pixelsFor(p, pass.images(), values);
  for (int i = 0; i < a.sets; ++i) {
    std::byte* to = a.src(i);
    for (int k = 0; k < pass.images(); ++k) {
      for (int c = 0; c < p.channels; ++c, to += plane) {
        const ConstPlane from = images[static_cast<std::size_t>(k % mostKept)].plane(c);
        BANKSIDE_CUDA_CHECK(cudaMemcpy2D(to, row, from.data, static_cast<std::size_t>(from.strideBytes), row,
                                         static_cast<std::size_t>(p.height), cudaMemcpyHostToDevice));
      }
    }
    pass.layOut(a.src(i), nullptr);
  }
  BANKSIDE_CUDA_CHECK(cudaStreamSynchronize(nullptr));
  return a;
}

}  // namespace

Timings timePass(DevicePass& pass, const ConvolutionProblem& problem, const PassTiming& timing) {
  return std::move(timePasses({{&pass, &problem}}, timing).front());
}

std::vector<Timings> timePasses(const std::vector<TimedPass>& contenders, const PassTiming& timing) {
  const DeviceTurn turn{Launcher()};
  arenas().resize(std::min(arenas().size(), contenders.size()));
  std::vector<TimedLaunch> hot, cold;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    DevicePass* const pass = contenders[i].pass;
    const Arena& a = prepareArena(*contenders[i].problem, *pass, true, timing.values, i);
    const auto launch = [&a, pass](int set, void* stream) { pass->start(a.src(set), a.dst(set), stream); };
    // A first look at one launch says how many make a graph of about two milliseconds.
    const double once = timeLaunches(launch, 1, 2, {.minRounds = 3, .maxRounds = 3, .seconds = 0}).median;
    const int calls = std::clamp(static_cast<int>(2e-3 / once), 2, 200);
    hot.push_back({launch, 1, calls});
    cold.push_back({launch, a.sets, a.sets >= calls ? a.sets : calls / a.sets * a.sets});
  }
  std::vector<Timings> times(contenders.size());
  const auto keep = [&](Phase phase, const std::vector<TimedLaunch>& launches, const PassTiming& looks) {
    const std::vector<Interval> intervals = timeTogether(launches, looks);
    for (std::size_t i = 0; i < times.size(); ++i)
      times[i][phase] = {.interval = intervals[i], .sets = launches[i].sets};
  };
  keep(Phase::Hot, hot, timing);
  const ConvolutionProblem& problem = *contenders.front().problem;
  if (static_cast<double>(problem.width) * problem.height <= 1024 * 1024) {
    PassTiming launched = timing;
    launched.graph = false;
    keep(Phase::HotLaunched, hot, launched);
  }
  keep(Phase::Whole, cold, timing);
  // Last, and each alone: what is measured next would find the clock lowered.
  for (std::size_t i = 0; timing.sustained && i < times.size(); ++i) {
    if (timing.stop.stop_requested()) throw Cancelled();
    PassTiming sustained{.maxRounds = 100'000, .seconds = 0.1, .rest = 0, .warmSeconds = 0.15};
    times[i][Phase::Sustained].interval = timeLaunches(hot[i].start, 1, hot[i].calls, sustained);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  return times;
}

void releaseBuffers() { arenas().clear(); }

std::string judgePass(DevicePass& pass, const ConvolutionProblem& p, const FilterBank& bank,
                      const std::string& values, int time) {
  const DeviceTurn turn{Launcher()};
  const Arena& a = prepareArena(p, pass, false, values);
  const Stream stream;
  BANKSIDE_CUDA_CHECK(cudaMemsetAsync(a.dst(0), 0xff, pass.resultBytes(), stream));  // NaN
  pass.start(a.src(0), a.dst(0), static_cast<cudaStream_t>(stream));
  pass.bringBack(a.dst(0), static_cast<cudaStream_t>(stream));
  stream.synchronize();
  const std::vector<Image>& images = pixelsFor(p, pass.images(), values);
  const auto types = outputPlanes(p);
  const std::vector<Sample> sampled = samplesOf(p, pass.images(), time);
  const std::size_t imageBytes = pass.resultBytes() / static_cast<std::size_t>(pass.images());
  std::vector<std::vector<Image>> rows(sampled.size());
  for (std::size_t s = 0; s < sampled.size(); ++s) {
    const std::byte* const results = a.dst(0) + static_cast<std::size_t>(sampled[s].image) * imageBytes;
    for (std::size_t i = 0; i < types.size(); ++i) {
      rows[s].emplace_back(1, 1, p.width, types[i]);
      const DevicePass::Plane plane = pass.plane(static_cast<int>(i));
      BANKSIDE_CUDA_CHECK(
          cudaMemcpy(rows[s].back().plane(0).data,
                     results + plane.offset + static_cast<std::size_t>(sampled[s].row) * plane.rowBytes,
                     static_cast<std::size_t>(p.width) * sizeOf(types[i]), cudaMemcpyDeviceToHost));
    }
  }
  std::vector<Verification> verdicts(sampled.size());
  ThreadTeam(0).forRanges(0, static_cast<int>(sampled.size()), 1, [&](int first, int last) {
    for (auto s = static_cast<std::size_t>(first); s < static_cast<std::size_t>(last); ++s) {
      ImageSource source(images[static_cast<std::size_t>(sampled[s].image % mostKept)]);
      verdicts[s] = verify(p, bank, source, {0, sampled[s].row, p.width, 1}, rows[s], pass.errorBound(), 1);
    }
  });
  for (std::size_t s = 0; s < sampled.size(); ++s) {
    if (verdicts[s].passed) continue;
    const std::string image = pass.images() > 1 ? "image " + std::to_string(sampled[s].image) + ", " : "";
    return image + "row " + std::to_string(sampled[s].row) + ", " + verdicts[s].place();
  }
  return {};
}

}  // namespace bankside::cuda

#include "kernels/cuda/measure_pass.h"

#include <algorithm>
#include <cmath>

#include "core/compare.h"
#include "core/made_input.h"
#include "core/parallel.h"
#include "core/sample_rows.h"
#include "kernels/cuda/loaded_bank.h"
#include "kernels/cuda/measure_limits.h"
#include "kernels/cuda/stream.h"

namespace bankside::cuda {
namespace {

/// Source and result sets in one allocation, kept for the next measurement: big allocations take long.
struct Arena {
  DeviceBuffer buffer;
  std::size_t setBytes = 0;
  std::size_t srcBytes = 0;
  int sets = 1;

  std::byte* src(int set) const { return buffer.data() + static_cast<std::size_t>(set) * setBytes; }
  std::byte* dst(int set) const { return src(set) + srcBytes; }
};

std::size_t aligned(std::size_t bytes) { return (bytes + 511) / 512 * 512; }

const Image& pixelsFor(const ConvolutionProblem& p) {
  static Image kept;
  if (kept.empty() || kept.channels() != p.channels || kept.height() != p.height || kept.width() != p.width ||
      kept.type() != p.srcType)
    kept = randomImage(p.channels, p.height, p.width, p.srcType, 7);
  return kept;
}

Arena& prepareArena(const ConvolutionProblem& p, std::size_t dstBytes, bool cold) {
  static Arena a;
  const std::size_t row = static_cast<std::size_t>(p.width) * sizeOf(p.srcType);
  const std::size_t plane = row * static_cast<std::size_t>(p.height);
  a.srcBytes = aligned(plane * static_cast<std::size_t>(p.channels));
  a.setBytes = a.srcBytes + aligned(dstBytes);
  const double l2 = static_cast<double>(describeDevice().l2Bytes);
  a.sets =
      cold ? std::clamp(static_cast<int>(std::ceil(2.5 * l2 / static_cast<double>(a.setBytes))), 2, 256) : 1;
  a.buffer.reserve(static_cast<std::size_t>(a.sets) * a.setBytes);
  const Image& image = pixelsFor(p);
  for (int i = 0; i < a.sets; ++i) {
    for (int c = 0; c < p.channels; ++c) {
      const ConstPlane from = image.plane(c);
      BANKSIDE_CUDA_CHECK(cudaMemcpy2D(a.src(i) + static_cast<std::size_t>(c) * plane, row, from.data,
                                       static_cast<std::size_t>(from.strideBytes), row,
                                       static_cast<std::size_t>(p.height), cudaMemcpyHostToDevice));
    }
  }
  return a;
}

}  // namespace

DeviceTimes timePass(DevicePass& pass, const ConvolutionProblem& problem, const PassTiming& timing) {
  const std::lock_guard lock(deviceMutex());
  const Arena& a = prepareArena(problem, pass.resultBytes(), true);
  const auto launch = [&](int set, void* stream) { pass.start(a.src(set), a.dst(set), stream); };
  DeviceTimes time;
  time.coldSets = a.sets;
  // A first look at one launch says how many make a graph of about two milliseconds.
  const double once = timeLaunches(launch, 1, 2, {.minRounds = 3, .maxRounds = 3, .seconds = 0}).median;
  const int calls = std::clamp(static_cast<int>(2e-3 / once), 2, 200);
  time.hot = timeLaunches(launch, 1, calls, timing);
  if (static_cast<double>(problem.width) * problem.height <= 1024 * 1024) {
    PassTiming launched = timing;
    launched.graph = false;
    time.hotLaunched = timeLaunches(launch, 1, calls, launched);
  }
  const int coldCalls = a.sets >= calls ? a.sets : calls / a.sets * a.sets;
  time.cold = timeLaunches(launch, a.sets, coldCalls, timing);
  return time;
}

std::string judgePass(DevicePass& pass, const ConvolutionProblem& p, const FilterBank& bank) {
  const std::lock_guard lock(deviceMutex());
  const Arena& a = prepareArena(p, pass.resultBytes(), false);
  const Stream stream;
  BANKSIDE_CUDA_CHECK(cudaMemsetAsync(a.dst(0), 0xff, pass.resultBytes(), stream));  // NaN
  pass.start(a.src(0), a.dst(0), static_cast<cudaStream_t>(stream));
  stream.synchronize();
  const Image& pixels = pixelsFor(p);
  const auto types = outputPlanes(p);
  const std::vector<int> sampled = sampleRows(p.height, 4, hash(p));
  std::vector<std::vector<Image>> rows(sampled.size());
  for (std::size_t s = 0; s < sampled.size(); ++s) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      rows[s].emplace_back(1, 1, p.width, types[i]);
      const DevicePass::Plane plane = pass.plane(static_cast<int>(i));
      BANKSIDE_CUDA_CHECK(
          cudaMemcpy(rows[s].back().plane(0).data,
                     a.dst(0) + plane.offset + static_cast<std::size_t>(sampled[s]) * plane.rowBytes,
                     static_cast<std::size_t>(p.width) * sizeOf(types[i]), cudaMemcpyDeviceToHost));
    }
  }
  std::vector<Verification> verdicts(sampled.size());
  ThreadTeam(0).forRanges(0, static_cast<int>(sampled.size()), 1, [&](int first, int last) {
    for (auto s = static_cast<std::size_t>(first); s < static_cast<std::size_t>(last); ++s) {
      ImageSource source(pixels);
      verdicts[s] = verify(p, bank, source, {0, sampled[s], p.width, 1}, rows[s], pass.errorBound(), 1);
    }
  });
  for (std::size_t s = 0; s < sampled.size(); ++s)
    if (!verdicts[s].passed) return "row " + std::to_string(sampled[s]) + ", " + verdicts[s].place();
  return {};
}

}  // namespace bankside::cuda

#include "kernels/peers/choosing_pass.h"

#include <algorithm>

#include "core/made_input.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/measure_pass.h"

namespace bankside::cuda {
namespace {

/// The bank that taps in correlation form are.
FilterBank correlationBank(const ConvolutionProblem& p, const CorrelationTaps& taps) {
  const FilterBank shape = randomBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth);
  std::vector<Filter> filters;
  auto next = taps.taps.begin();
  for (int f = 0; f < p.filterCount; ++f) {
    Filter filter = shape[f];
    std::copy_n(next, filter.taps.size(), filter.taps.begin());
    next += static_cast<std::ptrdiff_t>(filter.taps.size());
    filters.push_back(std::move(filter));
  }
  return {shape.info(), std::move(filters)};
}

}  // namespace

double shortestSeconds(const std::function<void(cudaStream_t)>& start) {
  constexpr double isLong = 0.01;
  const Stream stream;
  const Event begin, end;
  std::vector<double> samples;
  for (int round = 0; round < 4; ++round) {
    begin.record(stream);
    start(stream);
    end.record(stream);
    stream.synchronize();
    if (round > 0) samples.push_back(secondsBetween(begin, end));
    if (round == 1 && samples.front() > isLong) break;
  }
  return *std::min_element(samples.begin(), samples.end());
}

bool ChoosingPass::takeFastest(const ConvolutionProblem& p, const CorrelationTaps& taps,
                               const std::vector<int>& ways, std::string& reason) {
  if (ways.empty()) return false;
  std::vector<std::pair<double, int>> timed;
  {
    const DeviceBuffer src(sourceBytes()), dst(resultBytes());
    // Small positive numbers, as f32 and as halves.
    BANKSIDE_CUDA_CHECK(cudaMemset(src.data(), 0x3c, sourceBytes()));
    for (const int way : ways) {
      try {
        use(way);
        timed.emplace_back(shortestSeconds([&](cudaStream_t s) { start(src.data(), dst.data(), s); }), way);
      } catch (const Error& error) {
        reason = error.what();
      }
    }
  }
  std::sort(timed.begin(), timed.end());
  ConvolutionProblem judged = p;
  judged.mode = FilterMode::CrossCorrelation;
  const FilterBank bank = correlationBank(p, taps);
  for (const auto& [seconds, way] : timed) {
    use(way);
    std::string wrong;
    try {
      wrong = judgePass(*this, judged, bank);
    } catch (const Error& error) {
      wrong = error.what();
    }
    if (wrong.empty()) return true;
    reason = variant() + ": " + wrong;
  }
  return false;
}

}  // namespace bankside::cuda

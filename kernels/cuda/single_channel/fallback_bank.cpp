#include "kernels/cuda/single_channel/fallback_bank.h"

#include "kernels/cuda/runtime/device_state.h"

namespace bankside::cuda {
namespace {

/// More than a plan or a benchmark has.
constexpr std::size_t streamsAtFirst = 8;
/// The number of every launch in a graph; of other launches it is the one after which numbers begin anew.
constexpr std::uint32_t launchOfGraphs = ~0u;

int choose(const ConvolutionProblem& problem, const CorrelationTaps& taps, bool besideOthers) {
  const std::size_t mostShared = deviceTraits().mostShared;
  return besideOthers ? chooseAnySize(problem, taps.anchorX, taps.anchorY, mostShared)
                      : chooseFallback(problem, taps.anchorX, taps.anchorY, mostShared);
}

bool isCaptured(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  BANKSIDE_CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace

FallbackBank::FallbackBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, bool besideOthers)
    : problem_(problem),
      besideOthers_(besideOthers),
      bank_(problem, taps, {choose(problem, taps, besideOthers)}),
      maps_(besideOthers ? 1 : streamsAtFirst) {
  // Before a stream is recorded, which cannot allocate.
  const std::size_t bytes =
      FallbackMap::sizeFor(problem.width, problem.height, problem.filterWidth, problem.filterHeight).bytes();
  for (StreamMap& map : maps_) {
    map.words.reserve(bytes);
    BANKSIDE_CUDA_CHECK(cudaMemset(map.words.data(), 0, bytes));
  }
}

FallbackBank::StreamMap& FallbackBank::mapOf(cudaStream_t stream) {
  if (besideOthers_) return maps_.front();
  for (StreamMap& map : maps_) {
    if (!map.stream) map.stream = stream;
    if (map.stream == stream) return map;
  }
  return maps_.emplace_back(StreamMap{stream, {}, 0});
}

FallbackMap FallbackBank::emptyMap(int width, int height, cudaStream_t stream) {
  StreamMap& own = mapOf(stream);
  FallbackMap map = FallbackMap::sizeFor(width, height, problem_.filterWidth, problem_.filterHeight);
  const bool grows = map.bytes() > own.words.bytes();
  if (grows) own.words.reserve(map.bytes());
  map.words = reinterpret_cast<std::uint32_t*>(own.words.data());
  // Words are cleared when they are new, and when the numbers of launches begin anew; those of a graph, which
  // has the same number every time, before each of its launches.
  const bool ofGraph = besideOthers_ && isCaptured(stream);
  const bool anew = ++own.launch == launchOfGraphs;
  if (anew || grows || ofGraph)
    BANKSIDE_CUDA_CHECK(cudaMemsetAsync(own.words.data(), 0, own.words.bytes(), stream));
  if (anew || grows) own.launch = 1;
  map.launch = ofGraph ? launchOfGraphs : own.launch;
  return map;
}

}  // namespace bankside::cuda

#include "kernels/cuda/single_channel/fallback_bank.h"

#include "kernels/cuda/runtime/device_state.h"

namespace bankside::cuda {
namespace {

/// More than a plan or a benchmark has.
constexpr std::size_t streamsAtFirst = 8;

}  // namespace

FallbackBank::FallbackBank(const ConvolutionProblem& problem, const CorrelationTaps& taps)
    : problem_(problem),
      bank_(problem, taps, {chooseFallback(problem, taps.anchorX, taps.anchorY, deviceTraits().mostShared)}),
      maps_(streamsAtFirst) {
  // Before a stream is recorded, which cannot allocate.
  const std::size_t bytes =
      FallbackMap::sizeFor(problem.width, problem.height, problem.filterWidth, problem.filterHeight).bytes();
  for (StreamMap& map : maps_) {
    map.words.reserve(bytes);
    BANKSIDE_CUDA_CHECK(cudaMemset(map.words.data(), 0, bytes));
  }
}

FallbackBank::StreamMap& FallbackBank::mapOf(cudaStream_t stream) {
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
  // Words are cleared when they are new, and when the numbers of launches begin anew.
  if (++own.launch == 0 || grows) {
    BANKSIDE_CUDA_CHECK(cudaMemsetAsync(own.words.data(), 0, own.words.bytes(), stream));
    own.launch = 1;
  }
  map.words = reinterpret_cast<std::uint32_t*>(own.words.data());
  map.launch = own.launch;
  return map;
}

}  // namespace bankside::cuda

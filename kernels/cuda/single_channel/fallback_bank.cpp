#include "kernels/cuda/single_channel/fallback_bank.h"

#include "kernels/cuda/runtime/device_state.h"

namespace bankside::cuda {
namespace {

/// More than a plan or a benchmark has.
constexpr std::size_t streamsAtFirst = 8;
int choose(const ConvolutionProblem& problem, const CorrelationTaps& taps, bool besideOthers) {
  const std::size_t mostShared = deviceTraits().mostShared;
  return besideOthers ? chooseAnySize(problem, taps.anchorX, taps.anchorY, mostShared)
                      : chooseFallback(problem, taps.anchorX, taps.anchorY, mostShared);
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
  // Words are cleared when they are new, and when the numbers of launches begin anew. In a graph every launch
  // has the same number.
  map.clearedBehind = besideOthers_;
  if (grows || ++own.launch == 0)
    BANKSIDE_CUDA_CHECK(cudaMemsetAsync(own.words.data(), 0, own.words.bytes(), stream));
  if (grows || own.launch == 0 || besideOthers_) own.launch = 1;
  map.launch = own.launch;
  return map;
}

}  // namespace bankside::cuda

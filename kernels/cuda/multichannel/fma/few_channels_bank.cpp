#include "kernels/cuda/multichannel/fma/few_channels_bank.h"

#include <algorithm>

#include "kernels/cuda/multichannel/fma/few_channels.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/shared_memory.h"
#include "kernels/cuda/single_channel/any_size_shape.h"

namespace bankside::cuda {
namespace {

/// [F,C,kh,kw] with every row of taps at a whole vector.
std::vector<float> layout(const ConvolutionProblem& p, const std::vector<float>& taps) {
  const auto width = static_cast<std::size_t>(p.filterWidth);
  const auto stride = static_cast<std::size_t>(AnySizeShape::tapStride(p.filterWidth));
  std::vector<float> laid(taps.size() / width * stride);
  for (std::size_t row = 0; row < taps.size() / width; ++row)
    std::copy_n(taps.data() + row * width, width, laid.data() + row * stride);
  return laid;
}

}  // namespace

FewChannelsBank::FewChannelsBank(const ConvolutionProblem& problem, const CorrelationTaps& taps)
    : problem_(problem),
      anchorX_(taps.anchorX),
      anchorY_(taps.anchorY),
      multiprocessors_(deviceTraits().multiprocessors) {
  const std::vector<float> laid = layout(problem, taps.taps);
  const std::size_t bytes = laid.size() * sizeof(float);
  taps_.reserve(bytes);
  BANKSIDE_CUDA_CHECK(cudaMemcpy(taps_.data(), laid.data(), bytes, cudaMemcpyHostToDevice));
}

NumericTraits FewChannelsBank::traits() const {
  return {.errorBound = {gammaBound(static_cast<double>(problem_.tapChannels()) * problem_.filterHeight *
                                    problem_.filterWidth)}};
}

void FewChannelsBank::start(KernelArguments a, std::ptrdiff_t channelStride, int, cudaStream_t stream) {
  a = withBank(a, problem_, anchorX_, anchorY_, taps_.data());
  const int tileRows = ceilDiv(a.height, AnySizeShape::tileHeight);
  a.filtersPerBlock = fewChannelsFilters(problem_, a.width, a.height, multiprocessors_);
  a.partsLog2 = partsLog2(a.filterCount, a.filtersPerBlock);
  a.wholeRows = blockRows(tileRows, 0, a.partsLog2) > mostBlockRows ? tileRows : 0;
  const dim3 grid(static_cast<unsigned>(ceilDiv(a.width, AnySizeShape::unitWidth)),
                  static_cast<unsigned>(blockRows(tileRows, a.wholeRows, a.partsLog2)));
  const void* const kernel = fewChannelsKernelOf(fusedOf(a.combine));
  const std::size_t shared = fewChannelsBytes(problem_);
  allowSharedMemory(kernel, shared);
  int channels = problem_.tapChannels();
  void* arguments[] = {&a, &channels, &channelStride};
  BANKSIDE_CUDA_CHECK(
      cudaLaunchKernel(kernel, grid, dim3(32 * AnySizeShape::warps), arguments, shared, stream));
}

}  // namespace bankside::cuda

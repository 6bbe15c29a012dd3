#include "kernels/cuda/multichannel/fma/few_channels_bank.h"

#include <algorithm>

#include "kernels/cuda/multichannel/fma/few_channels.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/cuda/runtime/shared_memory.h"
#include "kernels/cuda/single_channel/any_size_shape.h"

namespace bankside::cuda {
namespace {

/// [F,C,kh,kw]: filters in passes, in a row of a channel's taps those of a pass side by side; of one filter a
/// pass rows begin at whole vectors.
std::vector<float> layout(const ConvolutionProblem& p, const std::vector<float>& taps) {
  const int perPass = fewChannelsPerPass(p);
  const int stride = perPass == 1 ? roundUp(p.filterWidth, 4) : p.filterWidth;
  const int rows = p.tapChannels() * p.filterHeight;
  std::vector<float> laid(
      static_cast<std::size_t>(ceilDiv(p.filterCount, perPass) * passStride(rows * stride, perPass)));
  std::size_t from = 0;
  for (int f = 0; f < p.filterCount; ++f)
    for (int row = 0; row < rows; ++row)
      for (int x = 0; x < p.filterWidth; ++x, ++from)
        laid[static_cast<std::size_t>(f / perPass * rows * stride * perPass + (row * stride + x) * perPass +
                                      f % perPass)] = taps[from];
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

std::string FewChannelsBank::describe() const {
  return problem_.filterWidth <= mostNarrowWidth ? "few_channels" + std::to_string(problem_.filterWidth)
                                                 : "few_channels";
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
  const void* const kernel =
      fewChannelsKernelOf(problem_.filterWidth, fewChannelsPerPass(problem_), fusedOf(a.combine));
  const std::size_t shared = fewChannelsBytes(problem_);
  allowSharedMemory(kernel, shared);
  int channels = problem_.tapChannels();
  void* arguments[] = {&a, &channels, &channelStride};
  launchKernel({kernel, grid, dim3(32 * AnySizeShape::warps), arguments, shared}, stream);
}

}  // namespace bankside::cuda

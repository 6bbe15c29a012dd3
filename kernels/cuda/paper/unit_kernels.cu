#include <cstring>
#include <type_traits>
#include <vector>

#include "core/error.h"
#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/multichannel/fma/block_shape.h"
#include "kernels/cuda/paper/paper_kernel.cuh"
#include "kernels/cuda/paper/unit_pass.h"
#include "kernels/cuda/runtime/device_buffer.h"

namespace bankside::cuda {
namespace {

constexpr int side = 3;
constexpr int taps = side * side;
/// Table 1: F_TB, W, H, C_SH, F_T, W_T.
constexpr BlockShape shape{64, 32, 4, 2, 4, 16, 2};
constexpr int threads = shape.threads();
constexpr int lanes = shape.filterLanes();
constexpr int rows = shape.stagedRows(side);
constexpr int stride = shape.stagedColumns(side);

/// As the paper has it: the next channels come through registers while these are summed.
template <class T, int unit>
__global__ void __launch_bounds__(threads)
    unitKernel(const T* src, const std::uint32_t* bank, float* dst, int channels, int height, int width) {
  using Elements = Unit<T, unit>;
  constexpr int stagePixels = shape.channelsPerStep * rows * stride;
  constexpr int tapWords = taps * shape.filtersPerBlock * static_cast<int>(sizeof(T)) / 4;
  constexpr int stageWords = shape.channelsPerStep * tapWords;
  constexpr int pixelSlots = ceilDiv(stagePixels, threads);
  constexpr int wordSlots = ceilDiv(stageWords, threads);
  __shared__ __align__(16) T pixels[stagePixels];
  __shared__ __align__(16) std::uint32_t words[stageWords];
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % lanes;
  const int run = thread / lanes;
  const int runRow = run / shape.runsPerRow();
  const int runColumn = run % shape.runsPerRow() * shape.pixelsPerThread;
  const int x0 = static_cast<int>(blockIdx.x) * shape.tileWidth;
  const int y0 = static_cast<int>(blockIdx.y) * shape.tileHeight;
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(height) * width;
  bank += static_cast<std::ptrdiff_t>(blockIdx.z) * channels * tapWords;

  T nextPixels[pixelSlots];
  std::uint32_t nextWords[wordSlots];
  const auto load = [&](int channel) {
#pragma unroll
    for (int j = 0; j < pixelSlots; ++j) {
      const int i = j * threads + thread;
      const int y = y0 + i / stride % rows - side / 2;
      const int x = x0 + i % stride - side / 2;
      const bool inside = i < stagePixels && y >= 0 && y < height && x >= 0 && x < width;
      nextPixels[j] = inside ? src[(channel + i / (rows * stride)) * plane + y * width + x] : T{};
    }
#pragma unroll
    for (int j = 0; j < wordSlots; ++j) {
      const int i = j * threads + thread;
      if (i < stageWords) nextWords[j] = bank[channel * tapWords + i];
    }
  };
  const auto store = [&] {
#pragma unroll
    for (int j = 0; j < pixelSlots; ++j)
      if (j * threads + thread < stagePixels) pixels[j * threads + thread] = nextPixels[j];
#pragma unroll
    for (int j = 0; j < wordSlots; ++j)
      if (j * threads + thread < stageWords) words[j * threads + thread] = nextWords[j];
  };

  float sum[shape.filtersPerThread][shape.pixelsPerThread] = {};
  load(0);
  for (int channel = 0; channel < channels; channel += shape.channelsPerStep) {
    __syncthreads();
    store();
    __syncthreads();
    if (channel + shape.channelsPerStep < channels) load(channel + shape.channelsPerStep);
#pragma unroll 1
    for (int row = 0; row < shape.channelsPerStep * side; ++row) {
      constexpr int windowUnits = ceilDiv(shape.pixelsPerThread + side - 1, unit);
      const T* const line = pixels + (row / side * rows + runRow + row % side) * stride + runColumn;
      float window[windowUnits * unit];
#pragma unroll
      for (int u = 0; u < windowUnits; ++u) {
        const Elements v = *reinterpret_cast<const Elements*>(line + u * unit);
#pragma unroll
        for (int e = 0; e < unit; ++e) window[u * unit + e] = asFloat(v.pixel[e]);
      }
#pragma unroll
      for (int k = 0; k < side; ++k) {
        // Neighbouring threads read neighbouring units.
        const T* const filters =
            reinterpret_cast<const T*>(words) + (row * side + k) * shape.filtersPerBlock + lane * unit;
        float tap[shape.filtersPerThread];
#pragma unroll
        for (int u = 0; u < shape.filtersPerThread / unit; ++u) {
          const Elements v = *reinterpret_cast<const Elements*>(filters + u * lanes * unit);
#pragma unroll
          for (int e = 0; e < unit; ++e) tap[u * unit + e] = asFloat(v.pixel[e]);
        }
#pragma unroll
        for (int f = 0; f < shape.filtersPerThread; ++f)
#pragma unroll
          for (int p = 0; p < shape.pixelsPerThread; ++p)
            sum[f][p] = __fmaf_rn(tap[f], window[p + k], sum[f][p]);
      }
    }
  }
#pragma unroll
  for (int f = 0; f < shape.filtersPerThread; ++f) {
    const int filter =
        static_cast<int>(blockIdx.z) * shape.filtersPerBlock + (f / unit * lanes + lane) * unit + f % unit;
    storeFull(dst + filter * plane + (y0 + runRow) * width + x0 + runColumn, sum[f]);
  }
}

class UnitPass final : public DevicePass {
 public:
  UnitPass(const ConvolutionProblem& p, const CorrelationTaps& bank, int unit) : problem_(p), unit_(unit) {
    const bool halves = p.srcType == ElementType::F16;
    const auto perBlock = static_cast<std::size_t>(shape.filtersPerBlock);
    const std::size_t size = sizeOf(p.srcType);
    std::vector<std::byte> layout(bank.taps.size() * size);
    for (std::size_t i = 0; i < bank.taps.size(); ++i) {
      const int filter = static_cast<int>(i) / (p.channels * taps);
      const int rest = static_cast<int>(i) % (p.channels * taps);
      const std::size_t at = tapPosition(shape, filter, rest / taps, rest % taps, p.channels, taps);
      const Half half = toHalf(bank.taps[i]);
      if (halves && toFloat(half) != bank.taps[i])
        throw Error(ErrorCode::Unsupported, "half precision does not hold the taps");
      std::memcpy(layout.data() + at * size, halves ? static_cast<const void*>(&half) : &bank.taps[i], size);
    }
    blocks_ = bank.taps.size() / static_cast<std::size_t>(p.channels * taps) / perBlock;
    bank_.reserve(layout.size());
    BANKSIDE_CUDA_CHECK(cudaMemcpy(bank_.data(), layout.data(), layout.size(), cudaMemcpyHostToDevice));
  }

  std::string variant() const override { return "Table 1, units of " + std::to_string(unit_); }
  ErrorBound errorBound() const override {
    return {gammaBound(static_cast<double>(problem_.channels) * taps), true};
  }
  std::size_t resultBytes() const override { return plane(problem_.filterCount).offset; }
  Plane plane(int i) const override {
    const std::size_t row = static_cast<std::size_t>(problem_.width) * sizeof(float);
    return {static_cast<std::size_t>(i) * row * static_cast<std::size_t>(problem_.height), row};
  }

  void start(const void* src, void* dst, void* stream) override {
    const auto go = [&](auto element, auto unit) {
      using T = decltype(element);
      const dim3 grid(static_cast<unsigned>(problem_.width / shape.tileWidth),
                      static_cast<unsigned>(problem_.height / shape.tileHeight),
                      static_cast<unsigned>(blocks_));
      const auto* from = static_cast<const T*>(src);
      const auto* bank = reinterpret_cast<const std::uint32_t*>(bank_.data());
      auto* to = static_cast<float*>(dst);
      void* arguments[] = {&from, &bank, &to, &problem_.channels, &problem_.height, &problem_.width};
      BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(unitKernel<T, decltype(unit)::value>), grid,
                                           dim3(threads), arguments, 0, static_cast<cudaStream_t>(stream)));
    };
    const auto withUnit = [&](auto element) {
      switch (unit_) {
        case 1: go(element, std::integral_constant<int, 1>()); break;
        case 2: go(element, std::integral_constant<int, 2>()); break;
        default: go(element, std::integral_constant<int, 4>()); break;
      }
    };
    if (problem_.srcType == ElementType::F16) {
      withUnit(__half());
    } else {
      withUnit(float());
    }
  }

 private:
  ConvolutionProblem problem_;
  int unit_;
  std::size_t blocks_ = 0;
  DeviceBuffer bank_;
};

}  // namespace

std::unique_ptr<DevicePass> makeUnitPass(const ConvolutionProblem& p, const FilterBank& bank,
                                         int unitElements) {
  const bool takes = p.channelMode == ChannelMode::Summed && p.channels % shape.channelsPerStep == 0 &&
                     p.filterCount % shape.filtersPerBlock == 0 && p.width % shape.tileWidth == 0 &&
                     p.height % shape.tileHeight == 0 && p.filterHeight == side && p.filterWidth == side &&
                     p.anchorX == 1 && p.anchorY == 1 && p.border.isZero() && p.combine == Combine::None &&
                     p.dstType == ElementType::F32 &&
                     (p.srcType == ElementType::F32 || p.srcType == ElementType::F16) &&
                     (unitElements == 1 || unitElements == 2 || unitElements == 4);
  if (!takes) throw Error(ErrorCode::Unsupported, "the kernel of units is not made for " + format(p));
  return std::make_unique<UnitPass>(p, correlationTaps(p, bank), unitElements);
}

}  // namespace bankside::cuda

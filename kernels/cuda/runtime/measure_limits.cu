#include "kernels/cuda/runtime/measure_limits.h"

#include <algorithm>

#include "kernels/cuda/device/half_product.cuh"
#include "kernels/cuda/pixels/pack_halves.cuh"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/stream.h"
#include "kernels/cuda/runtime/time_launches.h"

namespace bankside::cuda {
namespace {

/// Every thread reads `rows` x 4 pixels and writes them to every plane, planes outermost.
template <int rows, bool streaming>
__global__ void __launch_bounds__(256)
    streamKernel(const float* src, float* dst, int width, std::ptrdiff_t planeStride, int planes) {
  const int x = (static_cast<int>(blockIdx.x) * 32 + static_cast<int>(threadIdx.x) % 32) * 4;
  const int y = (static_cast<int>(blockIdx.y) * 8 + static_cast<int>(threadIdx.x) / 32) * rows;
  float4 v[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r)
    v[r] = __ldg(reinterpret_cast<const float4*>(src + static_cast<std::ptrdiff_t>(y + r) * width + x));
  float* out = dst + static_cast<std::ptrdiff_t>(y) * width + x;
#pragma unroll 1
  for (int p = 0; p < planes; ++p, out += planeStride) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      float4* to = reinterpret_cast<float4*>(out + static_cast<std::ptrdiff_t>(r) * width);
      if constexpr (streaming) {
        __stcs(to, v[r]);
      } else {
        *to = v[r];
      }
    }
  }
}

__global__ void __launch_bounds__(256) fmaKernel(float* out, float a, float b, int rounds) {
  float sum[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) sum[i] = static_cast<float>(threadIdx.x + i);
#pragma unroll 1
  for (int k = 0; k < rounds; ++k) {
#pragma unroll
    for (int j = 0; j < 16; ++j)
#pragma unroll
      for (int i = 0; i < 16; ++i) sum[i] = __fmaf_rn(sum[i], a, b);
  }
  float total = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) total += sum[i];
  if (total == 12345.678f) out[threadIdx.x] = total;  // never: keeps the sums alive
}

__global__ void __launch_bounds__(256) productKernel(float* out, float tap, float pixel, int rounds) {
  const float lane = static_cast<float>(threadIdx.x % 32);
  const std::uint32_t a = bitsOf(__floats2half2_rn(tap * lane, tap));
  const uint4 taps = {a, a ^ 0x8000u, a, a ^ 0x8000u};
  const std::uint32_t pixels[2] = {bitsOf(__floats2half2_rn(pixel * lane, pixel)),
                                   bitsOf(__floats2half2_rn(pixel, pixel * lane))};
  float sum[8][4] = {};
#pragma unroll 1
  for (int k = 0; k < rounds; ++k) {
#pragma unroll
    for (int i = 0; i < 8; ++i) multiplyHalves(sum[i], taps, pixels);
  }
  float total = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) total += sum[i][0] + sum[i][1] + sum[i][2] + sum[i][3];
  if (total == 12345.678f) out[threadIdx.x] = total;  // never: keeps the sums alive
}

__global__ void emptyKernel() {}

__global__ void fillKernel(float* out, std::size_t count) {
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    const auto h = static_cast<std::uint32_t>(i * 2654435761u) ^ static_cast<std::uint32_t>(i >> 13) * 40503u;
    out[i] = static_cast<float>(h >> 8) * 0x1p-23f - 1.0f;
  }
}

/// A thread copies four times 16 bytes, 4 KiB apart.
__global__ void __launch_bounds__(256) copyKernel(const float4* src, float4* dst) {
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * 1024 + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) v[i] = __ldcs(src + first + i * 256);
#pragma unroll
  for (int i = 0; i < 4; ++i) __stcs(dst + first + i * 256, v[i]);
}

double copySeconds(const DeviceBuffer& src, const DeviceBuffer& dst, std::size_t bytes) {
  const Stream stream;
  const Event begin;
  const Event end;
  std::vector<double> samples;
  for (int round = 0; round < 11; ++round) {
    begin.record(stream);
    BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(dst.data(), src.data(), bytes, cudaMemcpyDeviceToDevice, stream));
    end.record(stream);
    stream.synchronize();
    samples.push_back(secondsBetween(begin, end));
  }
  return medianInterval(samples).median;
}

double seconds(const std::function<void(cudaStream_t)>& work, int repeats) {
  return timeLaunches([&](int, void* stream) { work(static_cast<cudaStream_t>(stream)); }, 1, repeats).median;
}

template <int rows, bool streaming>
double streamSeconds(const DeviceBuffer& src, const DeviceBuffer& dst, int side, int planes) {
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(side) * side;
  return seconds(
      [&](cudaStream_t stream) {
        streamKernel<rows, streaming>
            <<<dim3(static_cast<unsigned>(side / 128), static_cast<unsigned>(side / (8 * rows))), 256, 0,
               stream>>>(reinterpret_cast<const float*>(src.data()), reinterpret_cast<float*>(dst.data()),
                         side, plane, planes);
      },
      4);
}

/// Of some runs in a row: until none of the last ones was faster, since a device at rest has a low clock.
double leastSeconds(const Stream& stream, const std::function<void()>& work) {
  constexpr int most = 60;
  constexpr int none = 6;
  const Event begin;
  const Event end;
  double least = 0;
  for (int round = 0, since = 0; round < most && since < none; ++round, ++since) {
    begin.record(stream);
    work();
    end.record(stream);
    stream.synchronize();
    const double once = secondsBetween(begin, end);
    if (round > 0 && (least == 0 || once < least)) {
      if (once < 0.98 * least) since = 0;
      least = once;
    }
  }
  return least;
}

}  // namespace

MeasuredRates measureRates() {
  constexpr std::size_t bytes = std::size_t{128} << 20;  // more than a last-level cache holds
  constexpr int rounds = 64;
  const DeviceBuffer src(bytes);
  const DeviceBuffer dst(bytes);
  const Stream stream;
  const int blocks = describeDevice().multiprocessors * 8;
  const double sums = leastSeconds(stream, [&] {
    fmaKernel<<<static_cast<unsigned>(blocks), 256, 0, stream>>>(reinterpret_cast<float*>(dst.data()), 0.999f,
                                                                 0.001f, rounds);
  });
  const double copy = leastSeconds(stream, [&] {
    copyKernel<<<static_cast<unsigned>(bytes / 16 / 1024), 256, 0, stream>>>(
        reinterpret_cast<const float4*>(src.data()), reinterpret_cast<float4*>(dst.data()));
  });
  BANKSIDE_CUDA_CHECK(cudaGetLastError());
  return {.copyBytes = 2.0 * bytes / copy, .multiplyAdds = 256.0 * rounds * 256 * blocks / sums};
}

MachineLimits measureLimits() {
  MachineLimits limits{.threads = 0};
  constexpr int side = 4096;
  constexpr std::size_t plane = static_cast<std::size_t>(side) * side * sizeof(float);
  const DeviceBuffer src(16 * plane);
  const DeviceBuffer dst(32 * plane);
  fillKernel<<<1024, 256>>>(reinterpret_cast<float*>(src.data()), 16 * plane / sizeof(float));
  BANKSIDE_CUDA_CHECK(cudaDeviceSynchronize());

  // The copy engine in a stream, and a kernel of plain 16-byte copies: the better one is the chip's rate.
  const double byKernel = seconds(
      [&](cudaStream_t stream) {
        copyKernel<<<static_cast<unsigned>(16 * plane / 16 / 1024), 256, 0, stream>>>(
            reinterpret_cast<const float4*>(src.data()), reinterpret_cast<float4*>(dst.data()));
      },
      2);
  limits.copyBytes = 2.0 * 16 * plane / std::min(byKernel, copySeconds(src, dst, 16 * plane));
  for (const int planes : {1, 8, 12, 32}) {
    MachineLimits::Stream best{planes, 0, ""};
    const auto tried = [&](double once, const char* order) {
      const double rate = (planes + 1.0) * plane / once;
      if (rate > best.bytes) best = {planes, rate, order};
    };
    tried(streamSeconds<1, true>(src, dst, side, planes), "1 row a thread, streaming stores");
    tried(streamSeconds<2, true>(src, dst, side, planes), "2 rows a thread, streaming stores");
    tried(streamSeconds<4, true>(src, dst, side, planes), "4 rows a thread, streaming stores");
    tried(streamSeconds<8, true>(src, dst, side, planes), "8 rows a thread, streaming stores");
    tried(streamSeconds<4, false>(src, dst, side, planes), "4 rows a thread, plain stores");
    limits.streams.push_back(best);
  }

  const int blocks = describeDevice().multiprocessors * 8;
  constexpr int rounds = 256;
  limits.flops = 2.0 * 256 * rounds * 256 * blocks /
                 seconds(
                     [&](cudaStream_t stream) {
                       fmaKernel<<<static_cast<unsigned>(blocks), 256, 0, stream>>>(
                           reinterpret_cast<float*>(dst.data()), 0.999f, 0.001f, rounds);
                     },
                     8);
  // Of a warp: 16 x 16 times 16 x 8 an instruction.
  limits.tensorFlops = 2.0 * 16 * 16 * 8 * 8 * rounds * 8 * blocks /
                       seconds(
                           [&](cudaStream_t stream) {
                             productKernel<<<static_cast<unsigned>(blocks), 256, 0, stream>>>(
                                 reinterpret_cast<float*>(dst.data()), 0.37f, 0.81f, rounds);
                           },
                           8);
  limits.graphLaunchSeconds = seconds([](cudaStream_t stream) { emptyKernel<<<1, 32, 0, stream>>>(); }, 200);

  const Stream stream;
  const Event begin;
  const Event end;
  std::vector<double> samples;
  for (int round = 0; round < 11; ++round) {
    begin.record(stream);
    for (int i = 0; i < 500; ++i) emptyKernel<<<1, 32, 0, stream>>>();
    end.record(stream);
    stream.synchronize();
    samples.push_back(secondsBetween(begin, end) / 500);
  }
  limits.launchSeconds = medianInterval(samples).median;
  BANKSIDE_CUDA_CHECK(cudaGetLastError());
  return limits;
}

}  // namespace bankside::cuda

#include "kernels/cuda/maps/window_kernels.h"

#include <algorithm>
#include <utility>

#include "kernels/cuda/maps/field_map.cuh"
#include "kernels/cuda/maps/launch.cuh"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {
namespace {

constexpr int boxThreads = 64;
constexpr int tile = 32;
constexpr int tileRows = 8;

/// Numbers of one box sum after another: `count` places with `reach` of 0 before and behind, each of `lanes`
/// numbers side by side. Weights and sums, one plane after the other.
struct BoxPlanes {
  double* from;
  double* to;
  int count;
  int lanes;
  int reach;

  __host__ __device__ std::ptrdiff_t places() const { return count + 2 * reach; }
  __host__ __device__ std::ptrdiff_t plane() const { return places() * lanes; }
};

/// Puts 0 into the places beyond both ends.
__global__ void __launch_bounds__(boxThreads) clearEndsKernel(BoxPlanes box) {
  const int lane = static_cast<int>(blockIdx.x) * boxThreads + static_cast<int>(threadIdx.x);
  if (lane >= box.lanes) return;
  double* const plane = box.from + blockIdx.z * box.plane() + lane;
  for (int i = static_cast<int>(blockIdx.y); i < box.reach; i += static_cast<int>(gridDim.y)) {
    plane[static_cast<std::ptrdiff_t>(i) * box.lanes] = 0;
    plane[(box.reach + box.count + static_cast<std::ptrdiff_t>(i)) * box.lanes] = 0;
  }
}

/// What counts, rows becoming lanes: place x of lane y.
__global__ void __launch_bounds__(tile* tileRows)
    gatherKernel(const __grid_constant__ LocalMean mean, BoxPlanes box) {
  __shared__ float values[tile][tile + 1];
  __shared__ unsigned char in[tile][tile + 4];
  const int left = static_cast<int>(blockIdx.x) * tile;
  const int top = static_cast<int>(blockIdx.y) * tile;
  const auto column = static_cast<int>(threadIdx.x);
  for (int r = static_cast<int>(threadIdx.y); r < tile; r += tileRows) {
    const int x = left + column;
    const int y = top + r;
    const bool there = x < mean.from.width && y < mean.from.height;
    const float value = there ? mean.from.at(x, y) : 0.0f;
    const bool does = there && counts(mean.inside, value, x, y);
    values[r][column] = does ? value : 0.0f;
    in[r][column] = does ? 1 : 0;
  }
  __syncthreads();
  for (int r = static_cast<int>(threadIdx.y); r < tile; r += tileRows) {
    const int x = left + r;
    const int y = top + column;
    if (x >= mean.from.width || y >= mean.from.height) continue;
    const std::ptrdiff_t at = (x + static_cast<std::ptrdiff_t>(box.reach)) * box.lanes + y;
    const auto value = static_cast<double>(values[column][r]);
    box.from[at] = in[column][r];
    box.from[box.plane() + at] = mean.ofSquares ? value * value : value;
  }
}

/// Sums of rows become those of columns: place y of lane x.
__global__ void __launch_bounds__(tile* tileRows) turnKernel(BoxPlanes from, BoxPlanes to) {
  __shared__ double values[tile][tile + 1];
  const int left = static_cast<int>(blockIdx.x) * tile;  // places of `from`
  const int top = static_cast<int>(blockIdx.y) * tile;   // lanes of `from`
  const auto column = static_cast<int>(threadIdx.x);
  const double* const source = from.from + blockIdx.z * from.plane();
  double* const target = to.from + blockIdx.z * to.plane();
  for (int r = static_cast<int>(threadIdx.y); r < tile; r += tileRows) {
    const int place = left + r;
    const int lane = top + column;
    if (place < from.count && lane < from.lanes)
      values[r][column] = source[(place + static_cast<std::ptrdiff_t>(from.reach)) * from.lanes + lane];
  }
  __syncthreads();
  for (int r = static_cast<int>(threadIdx.y); r < tile; r += tileRows) {
    const int place = top + r;  // of `to`
    const int lane = left + column;
    if (place < to.count && lane < to.lanes)
      target[(place + static_cast<std::ptrdiff_t>(to.reach)) * to.lanes + lane] = values[column][r];
  }
}

/// A lane and a block of places a thread, or several of them: the boxes that begin in it, as the host's
/// BoxSums.
__global__ void __launch_bounds__(boxThreads) boxKernel(BoxPlanes box, int radius) {
  const int lane = static_cast<int>(blockIdx.x) * boxThreads + static_cast<int>(threadIdx.x);
  if (lane >= box.lanes) return;
  const double* const __restrict__ from = box.from + blockIdx.z * box.plane() + lane;
  double* const __restrict__ to = box.to + blockIdx.z * box.plane() + lane;
  const auto all = static_cast<int>(box.places());
  const std::ptrdiff_t step = box.lanes;
  const int length = 2 * radius + 1;
  const auto grid = static_cast<int>(gridDim.y);
  for (int begin = (static_cast<int>(blockIdx.y) - 1) * length; begin < all; begin += grid * length) {
    const int next = begin + length;
    double sum = 0;
#pragma unroll 8
    for (int i = next - 1; i >= begin; --i) {
      sum += i >= 0 && i < all ? from[i * step] : 0.0;
      if (i + radius >= 0 && i + radius < all) to[(i + radius) * step] = sum;
    }
    sum = 0;
    const int end = min(next + 2 * radius, all + radius);
#pragma unroll 8
    for (int i = next; i < end; ++i) {
      sum += i < all ? from[i * step] : 0.0;
      if (i - radius >= 0) to[(i - radius) * step] += sum;
    }
  }
}

__global__ void __launch_bounds__(pixelThreads)
    finishMeanKernel(const __grid_constant__ LocalMean mean, BoxPlanes box) {
  forPixels(mean.to.width, mean.to.height, [&](int x, int y) {
    const std::ptrdiff_t at = (y + static_cast<std::ptrdiff_t>(box.reach)) * box.lanes + x;
    const double weight = box.from[at];
    const double value = weight > 0 ? box.from[box.plane() + at] / weight : 0;
    mean.to.at(x, y) = static_cast<float>(mean.ofSquares ? sqrt(value < 0 ? 0.0 : value) : value);
  });
}

__device__ __forceinline__ void take(float& most, float x) { most = x > most || x != x ? x : most; }

/// Of pixels `step` apart, of which `count` lie along the way and this is number `at`. Nearest ones first,
/// what comes before ahead of what comes behind.
__device__ __forceinline__ float dilated(const float* pixel, std::ptrdiff_t step, int at, int count,
                                         const float* weights, int reach) {
  float most = *pixel;
  for (int k = 1; k <= reach; ++k) {
    const float w = weights[k];
    if (at >= k) take(most, w * pixel[-k * step]);
    if (at + k < count) take(most, w * pixel[k * step]);
  }
  return most;
}

__global__ void __launch_bounds__(pixelThreads)
    dilateKernel(PlaneView<float> from, const float* weights, int reach, bool down, PlaneView<float> to) {
  forPixels(from.width, from.height, [&](int x, int y) {
    const float* const pixel = from.row(y) + x;
    to.at(x, y) = down ? dilated(pixel, from.stride, y, from.height, weights, reach)
                       : dilated(pixel, 1, x, from.width, weights, reach);
  });
}

__global__ void __launch_bounds__(pixelThreads)
    shiftKernel(PlaneView<float> from, int right, int down, PlaneView<float> to) {
  forPixels(from.width, from.height, [&](int x, int y) {
    to.at(x, y) = from.at(min(max(x - right, 0), from.width - 1), min(max(y - down, 0), from.height - 1));
  });
}

constexpr unsigned bothPlanes = 2;

/// The three boxes; the sums are then where `from` says.
void startBoxes(BoxPlanes& box, const WindowBoxes& boxes, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(ceilDiv(box.lanes, boxThreads));
  launch(clearEndsKernel, {blocks, 32, bothPlanes}, boxThreads, stream, box);
  for (const int radius : boxes.radii) {
    const int parts = ceilDiv(static_cast<int>(box.places()), 2 * radius + 1) + 1;
    launch(boxKernel, {blocks, static_cast<unsigned>(std::min(parts, mostGridRows)), bothPlanes}, boxThreads,
           stream, box, radius);
    std::swap(box.from, box.to);
  }
}

}  // namespace

std::size_t localMeanBytes(int height, int width, const WindowBoxes& boxes) {
  const BoxPlanes rows{nullptr, nullptr, width, height, boxes.reach()};
  const BoxPlanes columns{nullptr, nullptr, height, width, boxes.reach()};
  // Two planes of each kind, from one place to another and back.
  return static_cast<std::size_t>(4 * std::max(rows.plane(), columns.plane())) * sizeof(double);
}

void startLocalMean(const LocalMean& mean, const WindowBoxes& boxes, cudaStream_t stream) {
  const int height = mean.from.height;
  const int width = mean.from.width;
  BoxPlanes rows{mean.work, nullptr, width, height, boxes.reach()};
  BoxPlanes columns{nullptr, nullptr, height, width, boxes.reach()};
  double* const other = mean.work + 2 * std::max(rows.plane(), columns.plane());
  rows.to = other;
  const auto tiles = [](int side) { return static_cast<unsigned>(ceilDiv(side, tile)); };
  launch(gatherKernel, {tiles(width), tiles(height)}, {tile, tileRows}, stream, mean, rows);
  startBoxes(rows, boxes, stream);
  columns.from = rows.to;
  columns.to = rows.from;
  launch(turnKernel, {tiles(width), tiles(height), bothPlanes}, {tile, tileRows}, stream, rows, columns);
  startBoxes(columns, boxes, stream);
  launch(finishMeanKernel, gridOver(width, height, highBlock), highBlock, stream, mean, columns);
}

void startDilate(const PlaneView<float>& from, const float* weights, int reach,
                 const PlaneView<float>& across, const PlaneView<float>& to, cudaStream_t stream) {
  launch(dilateKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, from, weights, reach,
         false, across);
  launch(dilateKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, across, weights,
         reach, true, to);
}

void startShift(const PlaneView<float>& from, int right, int down, const PlaneView<float>& to,
                cudaStream_t stream) {
  launch(shiftKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, from, right, down, to);
}

}  // namespace bankside::cuda

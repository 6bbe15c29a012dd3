#include "kernels/cuda/maps/local_mean_kernels.h"

#include <algorithm>
#include <utility>

#include "kernels/cuda/maps/field_map.cuh"
#include "kernels/cuda/maps/launch.cuh"
#include "kernels/cuda/pixels/tile_math.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_probe.h"

namespace bankside::cuda {

/// The block's dynamic shared memory.
__device__ __forceinline__ float4* lineMemory() {
  extern __shared__ float4 memory[];
  return memory;
}

namespace {

/// Of `all` places that are `step` numbers apart: the boxes that begin in the block of places from `begin`
/// on, as the host's BoxSums.
__device__ __forceinline__ void sumBlock(const double* __restrict__ from, double* __restrict__ to,
                                         std::ptrdiff_t step, int all, int begin, int radius) {
  const int next = begin + 2 * radius + 1;
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

/// The weight and the sum of a window.
struct alignas(16) Weighed {
  double weight;
  double sum;
};

__device__ __forceinline__ float meanOf(const Weighed& w, bool ofSquares) {
  const double value = w.weight > 0 ? w.sum / w.weight : 0;
  return static_cast<float>(ofSquares ? sqrt(value < 0 ? 0.0 : value) : value);
}

__device__ __forceinline__ Weighed weighed(const LocalMean& mean, int x, int y) {
  const float value = mean.from.at(x, y);
  if (!counts(mean.inside, value, x, y)) return {0, 0};
  const auto wide = static_cast<double>(value);
  return {1, mean.ofSquares ? wide * wide : wide};
}

// Where a block's shared memory holds whole rows and whole columns, nothing lies between but the sums of
// rows.

constexpr int lineThreads = 256;

/// Lines of one direction: a block takes 2^linesLog2 of them, side by side.
struct Lines {
  int count;  ///< places of one, without `reach` beyond both ends
  int reach;
  int linesLog2;
  int radii[3];

  constexpr int places() const { return count + 2 * reach; }
  constexpr std::size_t sharedBytes() const {
    return 2 * sizeof(Weighed) * (static_cast<std::size_t>(places()) << linesLog2);
  }
};

/// The three boxes over lines that were put into shared memory by `get(place, line)`, nothing beyond their
/// ends; then calls use(place, line, weighed).
template <class Get, class Use>
__device__ __forceinline__ void sumLines(const Lines& lines, const Get& get, const Use& use) {
  const int width = 1 << lines.linesLog2;
  const int all = lines.places();
  auto* from = reinterpret_cast<Weighed*>(lineMemory());
  Weighed* to = from + (static_cast<std::ptrdiff_t>(all) << lines.linesLog2);
  for (int i = static_cast<int>(threadIdx.x); i < all << lines.linesLog2; i += lineThreads) {
    const int place = (i >> lines.linesLog2) - lines.reach;
    from[i] = place >= 0 && place < lines.count ? get(place, i & (width - 1)) : Weighed{0, 0};
  }
  const int lanes = 2 * width;
  for (const int radius : lines.radii) {
    __syncthreads();
    const int length = 2 * radius + 1;
    const int tasks = (ceilDiv(all, length) + 1) * lanes;
    for (int task = static_cast<int>(threadIdx.x); task < tasks; task += lineThreads) {
      const int lane = task & (lanes - 1);
      const int begin = ((task >> (lines.linesLog2 + 1)) - 1) * length;
      sumBlock(reinterpret_cast<const double*>(from) + lane, reinterpret_cast<double*>(to) + lane, lanes, all,
               begin, radius);
    }
    Weighed* const kept = from;
    from = to;
    to = kept;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < lines.count << lines.linesLog2; i += lineThreads)
    use(i >> lines.linesLog2, i & (width - 1), from[i + (lines.reach << lines.linesLog2)]);
}

/// Weights and sums of rows: [H,W] without gaps.
__global__ void __launch_bounds__(lineThreads)
    sumRowsKernel(const __grid_constant__ LocalMean mean, const __grid_constant__ Lines lines,
                  Weighed* sums) {
  const int top = static_cast<int>(blockIdx.x) << lines.linesLog2;
  sumLines(
      lines,
      [&](int x, int line) {
        return top + line < mean.from.height ? weighed(mean, x, top + line) : Weighed{0, 0};
      },
      [&](int x, int line, const Weighed& w) {
        if (top + line < mean.from.height)
          sums[static_cast<std::ptrdiff_t>(top + line) * mean.from.width + x] = w;
      });
}

__global__ void __launch_bounds__(lineThreads)
    sumColumnsKernel(const __grid_constant__ LocalMean mean, const __grid_constant__ Lines lines,
                     const Weighed* sums) {
  const int left = static_cast<int>(blockIdx.x) << lines.linesLog2;
  sumLines(
      lines,
      [&](int y, int line) {
        return left + line < mean.from.width
                   ? sums[static_cast<std::ptrdiff_t>(y) * mean.from.width + left + line]
                   : Weighed{0, 0};
      },
      [&](int y, int line, const Weighed& w) {
        if (left + line < mean.from.width) mean.to.at(left + line, y) = meanOf(w, mean.ofSquares);
      });
}

/// As many lines side by side as leave room for `blocks` blocks, a power of 2; 0: not even one line fits.
int linesAtOnce(Lines& lines, std::size_t mostShared, std::size_t blocks) {
  constexpr std::size_t aBlock = 1024;  // takes the device of the shared memory
  const std::size_t most = mostShared / blocks - aBlock;
  lines.linesLog2 = 2;
  while (lines.linesLog2 > 0 && lines.sharedBytes() > most) --lines.linesLog2;
  return lines.sharedBytes() <= mostShared ? 1 << lines.linesLog2 : 0;
}

struct WholeLines {
  Lines rows, columns;
  bool fit;
};

WholeLines wholeLines(int height, int width, const WindowBoxes& boxes) {
  const auto linesOf = [&](int count) {
    return Lines{count, boxes.reach(), 0, {boxes.radii[0], boxes.radii[1], boxes.radii[2]}};
  };
  WholeLines whole{linesOf(width), linesOf(height), false};
  const std::size_t mostShared = traitsOf(currentDevice()).mostShared;
  // Columns are read in pieces of a row: rather two of them than another block.
  whole.fit = linesAtOnce(whole.rows, mostShared, 3) > 0 && linesAtOnce(whole.columns, mostShared, 2) > 0;
  return whole;
}

// Elsewhere all numbers lie in device memory, from one step to the next.

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

/// A lane and a block of places a thread, or several of them.
__global__ void __launch_bounds__(boxThreads) boxKernel(BoxPlanes box, int radius) {
  const int lane = static_cast<int>(blockIdx.x) * boxThreads + static_cast<int>(threadIdx.x);
  if (lane >= box.lanes) return;
  const double* const __restrict__ from = box.from + blockIdx.z * box.plane() + lane;
  double* const __restrict__ to = box.to + blockIdx.z * box.plane() + lane;
  const auto all = static_cast<int>(box.places());
  const std::ptrdiff_t step = box.lanes;
  const int length = 2 * radius + 1;
  const auto grid = static_cast<int>(gridDim.y);
  for (int begin = (static_cast<int>(blockIdx.y) - 1) * length; begin < all; begin += grid * length)
    sumBlock(from, to, step, all, begin, radius);
}

__global__ void __launch_bounds__(pixelThreads)
    finishMeanKernel(const __grid_constant__ LocalMean mean, BoxPlanes box) {
  forPixels(mean.to.width, mean.to.height, [&](int x, int y) {
    const std::ptrdiff_t at = (y + static_cast<std::ptrdiff_t>(box.reach)) * box.lanes + x;
    mean.to.at(x, y) = meanOf({box.from[at], box.from[box.plane() + at]}, mean.ofSquares);
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
  if (wholeLines(height, width, boxes).fit)
    return static_cast<std::size_t>(height) * static_cast<std::size_t>(width) * sizeof(Weighed);
  const BoxPlanes rows{nullptr, nullptr, width, height, boxes.reach()};
  const BoxPlanes columns{nullptr, nullptr, height, width, boxes.reach()};
  // Two planes of each kind, from one place to another and back.
  return static_cast<std::size_t>(4 * std::max(rows.plane(), columns.plane())) * sizeof(double);
}

void startLocalMean(const LocalMean& mean, const WindowBoxes& boxes, cudaStream_t stream) {
  const int height = mean.from.height;
  const int width = mean.from.width;
  if (const WholeLines whole = wholeLines(height, width, boxes); whole.fit) {
    auto* const sums = reinterpret_cast<Weighed*>(mean.work);
    const auto blocksOf = [](int lines, int log2) {
      return static_cast<unsigned>(ceilDiv(lines, 1 << log2));
    };
    launchWith(sumRowsKernel, whole.rows.sharedBytes(), blocksOf(height, whole.rows.linesLog2), lineThreads,
               stream, mean, whole.rows, sums);
    launchWith(sumColumnsKernel, whole.columns.sharedBytes(), blocksOf(width, whole.columns.linesLog2),
               lineThreads, stream, mean, whole.columns, sums);
    return;
  }
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

}  // namespace bankside::cuda

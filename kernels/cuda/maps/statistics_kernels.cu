#include "kernels/cuda/maps/statistics_kernels.h"

#include <algorithm>
#include <cmath>

#include "core/maps/lane_sums.h"
#include "kernels/cuda/device/warp_reduce.cuh"
#include "kernels/cuda/maps/field_map.cuh"
#include "kernels/cuda/maps/launch.cuh"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {
namespace {

constexpr int threads = 256;
constexpr int mostBlocks = 1056;  // eight a multiprocessor of a large device
constexpr int digits = 256;
constexpr std::uint32_t none = ~0u;

/// Calls use(key) for the thread's pixels that count. Blocks take rows in turn.
template <class Use>
__device__ __forceinline__ void forKeys(const FieldMap& map, const Use& use) {
  for (int y = static_cast<int>(blockIdx.x); y < map.pixels.height; y += static_cast<int>(gridDim.x)) {
    for (int x = static_cast<int>(threadIdx.x); x < map.pixels.width; x += threads) {
      const float value = map.pixels.at(x, y);
      if (counts(map.inside, value, x, y)) use(keyOf(value));
    }
  }
}

__global__ void __launch_bounds__(digits) clearKernel(FieldStatistics* s) {
  s->histogram[threadIdx.x] = 0;
  if (threadIdx.x != 0) return;
  s->count = 0;
  s->least = none;
  s->most = 0;
}

__global__ void __launch_bounds__(threads) countKernel(const __grid_constant__ FieldMap map) {
  std::uint32_t count = 0;
  std::uint32_t least = none;
  std::uint32_t most = 0;
  forKeys(map, [&](std::uint32_t key) {
    ++count;
    least = min(least, key);
    most = max(most, key);
  });
  count = sumOfWarp(count);
  least = leastOfWarp(least);
  most = largestOfWarp(most);
  if (threadIdx.x % 32 != 0 || count == 0) return;
  atomicAdd(&map.statistics->count, count);
  atomicMin(&map.statistics->least, least);
  atomicMax(&map.statistics->most, most);
}

__global__ void beginSelectionKernel(FieldStatistics* s, double percent, Between between) {
  const double place = percent / 100 * static_cast<double>(s->count - 1);
  const auto low = static_cast<std::uint32_t>(place);
  s->key = 0;
  s->rank = low;
  s->next = none;
  s->rest = between == Between::Neighbours ? place - static_cast<double>(low) : 0;
}

/// Of the keys whose digits above this one are those that were found.
__global__ void __launch_bounds__(threads) histogramKernel(const __grid_constant__ FieldMap map, int shift) {
  __shared__ std::uint32_t mine[digits];
  for (int i = static_cast<int>(threadIdx.x); i < digits; i += threads) mine[i] = 0;
  __syncthreads();
  const std::uint32_t found = map.statistics->key;
  std::uint32_t digit = none;  // that was seen last, and how often in a row
  std::uint32_t count = 0;
  forKeys(map, [&](std::uint32_t key) {
    if (shift != 24 && (key ^ found) >> (shift + 8) != 0) return;
    const std::uint32_t next = key >> shift & (digits - 1);
    if (next != digit && count != 0) atomicAdd(&mine[digit], count);
    count = next == digit ? count + 1 : 1;
    digit = next;
  });
  if (count != 0) atomicAdd(&mine[digit], count);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < digits; i += threads) {
    if (mine[i] != 0) atomicAdd(&map.statistics->histogram[i], mine[i]);
  }
}

/// The digit in which the rank lies. After the last digit, what is equal to the key is known: the next one
/// may be the same.
__global__ void __launch_bounds__(digits) pickKernel(FieldStatistics* s, int shift) {
  __shared__ std::uint32_t upTo[digits];  // how many have this digit or a smaller one
  const auto digit = static_cast<int>(threadIdx.x);
  const std::uint32_t here = s->histogram[digit];
  const std::uint32_t rank = s->rank;
  std::uint32_t sum = here;
  upTo[digit] = sum;
  for (int away = 1; away < digits; away *= 2) {
    __syncthreads();
    if (digit >= away) sum += upTo[digit - away];
    __syncthreads();
    upTo[digit] = sum;
  }
  s->histogram[digit] = 0;
  if (rank >= sum || rank < sum - here) return;
  s->rank = rank - (sum - here);
  s->key |= static_cast<std::uint32_t>(digit) << shift;
  if (shift == 0 && rank + 1 < sum) s->next = s->key;
}

__global__ void __launch_bounds__(threads) nextKernel(const __grid_constant__ FieldMap map) {
  const std::uint32_t found = map.statistics->key;
  std::uint32_t least = none;
  forKeys(map, [&](std::uint32_t key) {
    if (key > found) least = min(least, key);
  });
  least = leastOfWarp(least);
  if (threadIdx.x % 32 == 0 && least != none) atomicMin(&map.statistics->next, least);
}

__global__ void endSelectionKernel(FieldStatistics* s) {
  const double at = valueOf(s->key);
  s->percentile = s->rest == 0 ? at : at + s->rest * (valueOf(s->next) - at);
}

/// core/maps/lane_sums.h by a warp.
template <class Value>
__device__ __forceinline__ double warpSum(int count, const Value& value) {
  __shared__ double lanes[sumLanes];
  const int lane = static_cast<int>(threadIdx.x);
  double sum = 0;
  for (int i = lane; i < count; i += sumLanes) sum += value(i);
  lanes[lane] = sum;
  for (int half = sumLanes / 2; half > 0; half /= 2) {
    __syncwarp();
    if (lane < half) lanes[lane] += lanes[lane + half];
  }
  __syncwarp();
  return lanes[0];
}

/// Behind the statistics.
__device__ __forceinline__ double* rowSumsOf(FieldStatistics* s) { return reinterpret_cast<double*>(s + 1); }

/// A warp a row: of the values, or of the squares of what they are off the mean.
__global__ void __launch_bounds__(sumLanes)
    rowSumKernel(const __grid_constant__ FieldMap map, bool ofSquares) {
  const int y = static_cast<int>(blockIdx.x);
  const double mean = ofSquares ? map.statistics->mean : 0;
  const double sum = warpSum(map.pixels.width, [&](int x) {
    const float value = map.pixels.at(x, y);
    if (!counts(map.inside, value, x, y)) return 0.0;
    const double off = static_cast<double>(value) - mean;
    return ofSquares ? off * off : static_cast<double>(value);
  });
  if (threadIdx.x == 0) rowSumsOf(map.statistics)[y] = sum;
}

__global__ void __launch_bounds__(sumLanes) momentKernel(FieldStatistics* s, int height, bool ofSquares) {
  const double* const rows = rowSumsOf(s);
  const double sum = warpSum(height, [&](int y) { return rows[y]; });
  if (threadIdx.x != 0) return;
  const double moment = sum / static_cast<double>(s->count);
  if (ofSquares)
    s->deviation = sqrt(moment);
  else
    s->mean = moment;
}

__global__ void __launch_bounds__(threads) fillKernel(const FieldStatistics* s, PlaneView<float> to) {
  const auto value = static_cast<float>(s->percentile);
  for (int y = static_cast<int>(blockIdx.x); y < to.height; y += static_cast<int>(gridDim.x)) {
    for (int x = static_cast<int>(threadIdx.x); x < to.width; x += threads) to.at(x, y) = value;
  }
}

__global__ void __launch_bounds__(threads)
    scaleKernel(const __grid_constant__ FieldMap map, Middle which, PlaneView<float> to) {
  const FieldStatistics& s = *map.statistics;
  const double least = valueOf(s.least);
  const double size = which == Middle::Least ? valueOf(s.most) - least : s.deviation;
  const double middle = which == Middle::Least ? least : which == Middle::Mean ? s.mean : s.percentile;
  const double factor = size > 0 && s.least != s.most ? 1 / size : 0;
  for (int y = static_cast<int>(blockIdx.x); y < to.height; y += static_cast<int>(gridDim.x)) {
    for (int x = static_cast<int>(threadIdx.x); x < to.width; x += threads)
      to.at(x, y) = static_cast<float>((static_cast<double>(map.pixels.at(x, y)) - middle) * factor);
  }
}

dim3 blocksFor(int height) { return {static_cast<unsigned>(std::min(height, mostBlocks))}; }

}  // namespace

std::size_t statisticsBytes(int height) {
  return sizeof(FieldStatistics) + static_cast<std::size_t>(height) * sizeof(double);
}

void startCount(const FieldMap& map, cudaStream_t stream) {
  launch(clearKernel, 1, digits, stream, map.statistics);
  launch(countKernel, blocksFor(map.pixels.height), threads, stream, map);
}

void startPercentile(const FieldMap& map, double percent, cudaStream_t stream, Between between) {
  launch(beginSelectionKernel, 1, 1, stream, map.statistics, percent, between);
  for (int shift = 24; shift >= 0; shift -= 8) {
    launch(histogramKernel, blocksFor(map.pixels.height), threads, stream, map, shift);
    launch(pickKernel, 1, digits, stream, map.statistics, shift);
  }
  if (between == Between::Neighbours) launch(nextKernel, blocksFor(map.pixels.height), threads, stream, map);
  launch(endSelectionKernel, 1, 1, stream, map.statistics);
}

void startMoments(const FieldMap& map, cudaStream_t stream) {
  for (const bool ofSquares : {false, true}) {
    launch(rowSumKernel, static_cast<unsigned>(map.pixels.height), sumLanes, stream, map, ofSquares);
    launch(momentKernel, 1, sumLanes, stream, map.statistics, map.pixels.height, ofSquares);
  }
}

void startFillPercentile(const FieldMap& map, const PlaneView<float>& to, cudaStream_t stream) {
  launch(fillKernel, blocksFor(to.height), threads, stream, map.statistics, to);
}

void startScale(const FieldMap& map, Middle middle, const PlaneView<float>& to, cudaStream_t stream) {
  launch(scaleKernel, blocksFor(to.height), threads, stream, map, middle, to);
}

}  // namespace bankside::cuda

#include "kernels/cuda/maps/field_kernels.h"

#include <cmath>

#include "kernels/cuda/device/warp_reduce.cuh"
#include "kernels/cuda/device/warp_vote.cuh"
#include "kernels/cuda/maps/field_map.cuh"
#include "kernels/cuda/maps/launch.cuh"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {
namespace {

/// A warp a word of a mask, several rows of them a block.
constexpr dim3 wordBlock(maskWordBits, pixelThreads / maskWordBits);
constexpr int medianThreads = 1024;

/// Of the up to three pixels around place `at` of `count`, in their order.
template <class Get>
__device__ __forceinline__ float meanOf(int at, int count, const Get& get) {
  const int first = max(0, at - 1);
  const int last = min(count - 1, at + 1);
  float sum = 0;
  for (int k = first; k <= last; ++k) sum += get(k);
  return sum / static_cast<float>(last - first + 1);
}

__global__ void __launch_bounds__(pixelThreads) boxMeanKernel(PlaneView<float> from, PlaneView<float> to) {
  forPixels(from.width, from.height, [&](int x, int y) {
    to.at(x, y) = meanOf(y, from.height, [&](int row) {
      return meanOf(x, from.width, [&](int column) {
        const float value = from.at(column, row);
        return isFinite(value) ? value : 0.0f;
      });
    });
  });
}

/// The number `rank` of `count` values in their order, from 0 on, by a block: its key bit by bit.
template <class Value>
__device__ __forceinline__ float ordered(int count, std::uint32_t rank, const Value& value) {
  __shared__ std::uint32_t below[32];
  if (threadIdx.x < 32) below[threadIdx.x] = 0;
  __syncthreads();
  std::uint32_t found = 0;
  for (int bit = 31; bit >= 0; --bit) {
    const std::uint32_t tried = found | 1u << bit;
    std::uint32_t mine = 0;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += medianThreads)
      mine += keyOf(value(i)) < tried ? 1 : 0;
    mine = sumOfWarp(mine);
    if (threadIdx.x % maskWordBits == 0 && mine != 0) atomicAdd(&below[bit], mine);
    __syncthreads();
    if (below[bit] <= rank) found = tried;
  }
  __syncthreads();
  return static_cast<float>(valueOf(found));
}

__global__ void __launch_bounds__(medianThreads)
    thresholdKernel(const __grid_constant__ FieldMap map, int side, double level, FieldFound* found) {
  const PlaneView<float>& means = map.pixels;
  const int count = 4 * side * side;
  const std::uint32_t middle = static_cast<std::uint32_t>(count - 1) / 2;
  const auto corner = [&](int i) {
    const int row = i / (2 * side);
    const int column = i - row * 2 * side;
    return means.at(column < side ? column : means.width - 2 * side + column,
                    row < side ? row : means.height - 2 * side + row);
  };
  const float dark = ordered(count, middle, corner);
  const float off = ordered(count, middle, [&](int i) { return fabsf(corner(i) - dark); });
  if (threadIdx.x != 0) return;
  const FieldThreshold threshold =
      fieldThreshold(static_cast<float>(map.statistics->percentile), dark, off, level);
  *found = {threshold.value, threshold.everything ? 1u : 0u, map.statistics->count, 0};
}

/// Calls use(x, word, y) for the pixels of the warp's words; whole warps do, with x beyond the mask too.
template <class Use>
__device__ __forceinline__ void forWords(const BitMask& mask, const Use& use) {
  const auto word = static_cast<int>(blockIdx.x);
  const int x = word * maskWordBits + static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); y < mask.height;
       y += static_cast<int>(gridDim.y * blockDim.y))
    use(x, word, y);
}

__global__ void __launch_bounds__(pixelThreads)
    aboveKernel(PlaneView<float> means, const FieldFound* found, BitMask to) {
  const float threshold = found->threshold;
  forWords(to, [&](int x, int word, int y) {
    const std::uint32_t bits = votesOfWarp(x < to.width && means.at(x, y) > threshold);
    if (threadIdx.x == 0) to.at(word, y) = bits;
  });
}

__global__ void __launch_bounds__(pixelThreads) packKernel(SeenMask mask, BitMask to) {
  forWords(to, [&](int x, int word, int y) {
    const std::uint32_t bits = votesOfWarp(x < to.width && mask.at(x, y) != 0);
    if (threadIdx.x == 0) to.at(word, y) = bits;
  });
}

__global__ void __launch_bounds__(pixelThreads) spanKernel(const RowSpan* spans, DeviceMask to) {
  forPixels(to.width, to.height, [&](int x, int y) {
    const RowSpan span = spans[y];
    to.at(x, y) = x >= span.first && x <= span.last ? 1 : 0;
  });
}

__global__ void __launch_bounds__(pixelThreads)
    nearestInRowsKernel(BitMask mask, bool inside, NearestInRows nearest) {
  const int words = mask.rowWords();
  const int past = mask.width - (words - 1) * maskWordBits;  // pixels of the last word
  const auto lane = static_cast<int>(threadIdx.x);
  forWords(mask, [&](int x, int word, int y) {
    const auto bitsOf = [&](int w) {
      const std::uint32_t bits = mask.at(w, y) ^ (inside ? 0u : ~0u);
      return w + 1 < words ? bits : bits & ~0u >> (maskWordBits - past);
    };
    const std::uint32_t mine = bitsOf(word);
    // Of the words beside, which are the same for the whole warp.
    int before = -1;
    int after = -1;
    for (int w = word - 1; w >= 0 && (mine & 1) == 0; --w) {
      const std::uint32_t bits = bitsOf(w);
      if (bits == 0) continue;
      before = w * maskWordBits + highestBit(bits);
      break;
    }
    for (int w = word + 1; w < words && mine >> (maskWordBits - 1) == 0; ++w) {
      const std::uint32_t bits = bitsOf(w);
      if (bits == 0) continue;
      after = w * maskWordBits + lowestBit(bits);
      break;
    }
    const std::uint32_t upToHere = mine & ~0u >> (maskWordBits - 1 - lane);
    const std::uint32_t fromHere = mine & ~0u << lane;
    const int first = word * maskWordBits;
    if (upToHere != 0) before = first + highestBit(upToHere);
    if (fromHere != 0) after = first + lowestBit(fromHere);
    const bool left = before >= 0 && (after < 0 || x - before <= after - x);
    const int column = left ? before : after;
    const bool there = x < mask.width && column >= 0;
    const std::uint32_t least = leastOfWarp(there ? static_cast<unsigned>(abs(x - column)) : noneInRow);
    if (x < mask.width) nearest.columns.at(x, y) = static_cast<std::int16_t>(column);
    if (lane == 0) nearest.least.at(y, word) = static_cast<std::uint16_t>(least);
  });
}

__device__ __forceinline__ unsigned squared(int x) { return static_cast<unsigned>(x * x); }

/// A warp looks at its own row first, then at 32 rows at a time, a thread each, for those that may be near
/// enough to one of its pixels.
__global__ void __launch_bounds__(pixelThreads) beyondKernel(const __grid_constant__ Beyond b, int reach) {
  const auto lane = static_cast<int>(threadIdx.x);
  const bool asBefore = b.instead != nullptr && *b.any == 0;
  forWords(b.to, [&](int x, int word, int y) {
    const bool in = x < b.to.width;
    const auto isNear = [&](int row) {
      if (!in) return true;
      const int column = b.nearest.columns.at(x, row);
      return column >= 0 && squared(x - column) + squared(y - row) <= b.most;
    };
    bool near = isNear(y);
    for (int first = y - reach; first <= y + reach; first += maskWordBits) {
      if (asBefore || votesOfWarp(!near) == 0) break;
      const int mine = first + lane;
      bool may = mine >= 0 && mine < b.to.height && mine <= y + reach;
      if (may) {
        const unsigned across = b.nearest.least.at(mine, word);
        may = across != noneInRow && across * across + squared(y - mine) <= b.most;
      }
      for (std::uint32_t rows = votesOfWarp(may); rows != 0; rows &= rows - 1)
        near = near || isNear(first + lowestBit(rows));
    }
    std::uint32_t bits = votesOfWarp(in && near != b.is);
    if (asBefore) bits = b.instead[&b.to.at(word, y) - b.to.words];
    if (lane == 0) b.to.at(word, y) = bits;
    if (in && b.bytes.data != nullptr) b.bytes.at(x, y) = bits >> lane & 1;
    if (b.instead == nullptr && lane == 0 && bits != 0 && *b.any == 0) atomicMax(b.any, 1u);
  });
}

/// The nearest of several pixels, one column's after the other.
struct Nearest {
  int x, y;  ///< whose
  unsigned square = ~0u;
  int column = -1;
  int row = -1;

  __device__ __forceinline__ void look(int theirs, int at) {
    if (theirs < 0) return;
    const unsigned distance = squared(x - theirs) + squared(y - at);
    if (distance > square || (distance == square && theirs >= column)) return;
    square = distance;
    column = theirs;
    row = at;
  }
};

/// Outward from a pixel's row, several rows at a time: what lies further away changes nothing.
__global__ void __launch_bounds__(pixelThreads)
    fillKernel(PlaneView<float> from, PlaneView<float> means, SeenMask inside,
               PlaneView<std::int16_t> columns, PlaneView<float> to) {
  constexpr int step = 4;
  forPixels(from.width, from.height, [&](int x, int y) {
    if (inside.at(x, y) != 0) {
      to.at(x, y) = from.at(x, y);
      return;
    }
    Nearest nearest{x, y};
    nearest.look(columns.at(x, y), y);
    const int farthest = max(y, from.height - 1 - y);
    for (int away = 1; away <= farthest && squared(away) <= nearest.square; away += step) {
      int above[step], below[step];
#pragma unroll
      for (int k = 0; k < step; ++k) {
        above[k] = y - away - k >= 0 ? columns.at(x, y - away - k) : -1;
        below[k] = y + away + k < from.height ? columns.at(x, y + away + k) : -1;
      }
#pragma unroll
      for (int k = 0; k < step; ++k) {
        nearest.look(above[k], y - away - k);
        nearest.look(below[k], y + away + k);
      }
    }
    to.at(x, y) = nearest.column < 0 ? 0.0f : means.at(nearest.column, nearest.row);
  });
}

dim3 gridOf(const BitMask& mask) { return gridOver(mask.rowWords() * maskWordBits, mask.height, wordBlock); }

}  // namespace

void startBoxMeans(const PlaneView<float>& from, const PlaneView<float>& to, cudaStream_t stream) {
  launch(boxMeanKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, from, to);
}

void startFieldThreshold(const FieldMap& map, double level, FieldFound* found, cudaStream_t stream) {
  launch(thresholdKernel, 1, medianThreads, stream, map, cornerSide(map.pixels.width, map.pixels.height),
         level, found);
}

void startAbove(const PlaneView<float>& means, const FieldFound* found, const BitMask& to,
                cudaStream_t stream) {
  launch(aboveKernel, gridOf(to), wordBlock, stream, means, found, to);
}

void startPack(const SeenMask& mask, const BitMask& to, cudaStream_t stream) {
  launch(packKernel, gridOf(to), wordBlock, stream, mask, to);
}

void startSpans(const RowSpan* spans, const DeviceMask& to, cudaStream_t stream) {
  launch(spanKernel, gridOver(to.width, to.height, wideBlock), wideBlock, stream, spans, to);
}

void startNearestInRows(const BitMask& mask, bool inside, const NearestInRows& nearest, cudaStream_t stream) {
  launch(nearestInRowsKernel, gridOf(mask), wordBlock, stream, mask, inside, nearest);
}

void startBeyond(const Beyond& beyond, cudaStream_t stream) {
  const auto reach = static_cast<int>(std::sqrt(static_cast<double>(beyond.most)));
  launch(beyondKernel, gridOf(beyond.to), wordBlock, stream, beyond, reach);
}

void startFill(const PlaneView<float>& from, const PlaneView<float>& means, const SeenMask& inside,
               const PlaneView<std::int16_t>& columns, const PlaneView<float>& to, cudaStream_t stream) {
  launch(fillKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, from, means, inside,
         columns, to);
}

}  // namespace bankside::cuda

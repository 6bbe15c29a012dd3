#include "kernels/cuda/maps/field_kernels.h"

#include "kernels/cuda/maps/field_map.cuh"
#include "kernels/cuda/maps/launch.cuh"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {
namespace {

constexpr int columnThreads = 32;

/// Of the up to three pixels around place `at` of `count`, in their order.
template <class Get>
__device__ __forceinline__ float meanOf(int at, int count, const Get& get) {
  const int first = max(0, at - 1);
  const int last = min(count - 1, at + 1);
  float sum = 0;
  for (int k = first; k <= last; ++k) sum += get(k);
  return sum / static_cast<float>(last - first + 1);
}

__global__ void __launch_bounds__(pixelThreads)
    boxMeanKernel(PlaneView<float> from, bool down, PlaneView<float> to) {
  forPixels(from.width, from.height, [&](int x, int y) {
    to.at(x, y) = down ? meanOf(y, from.height, [&](int k) { return from.at(x, k); })
                       : meanOf(x, from.width, [&](int k) {
                           const float value = from.at(k, y);
                           return isFinite(value) ? value : 0.0f;
                         });
  });
}

__global__ void __launch_bounds__(pixelThreads)
    aboveKernel(PlaneView<float> from, float value, DeviceMask to) {
  forPixels(from.width, from.height, [&](int x, int y) { to.at(x, y) = from.at(x, y) > value ? 1 : 0; });
}

/// A column a thread: down, then up again. As near below as above: above.
__global__ void __launch_bounds__(columnThreads)
    nearestInColumnKernel(SeenMask mask, bool inside, PlaneView<int> rows) {
  const int x = static_cast<int>(blockIdx.x) * columnThreads + static_cast<int>(threadIdx.x);
  if (x >= mask.width) return;
  int last = -1;
#pragma unroll 8
  for (int y = 0; y < mask.height; ++y) {
    if ((mask.at(x, y) != 0) == inside) last = y;
    rows.at(x, y) = last;
  }
  last = -1;
#pragma unroll 8
  for (int y = mask.height - 1; y >= 0; --y) {
    const int above = rows.at(x, y);
    if (above == y) last = y;
    if (last >= 0 && (above < 0 || last - y < y - above)) rows.at(x, y) = last;
  }
}

/// The square of the distance to the nearest of the pixels that `rows` are about; those further than the root
/// of `most` are not looked for. `nearest`: its column.
__device__ __forceinline__ unsigned squaredDistance(const PlaneView<int>& rows, int x, int y, unsigned most,
                                                    int& nearest) {
  const int* const row = rows.row(y);
  unsigned best = ~0u;
  const auto look = [&](int column) {
    const int at = row[column];
    if (at < 0) return;
    const unsigned across = static_cast<unsigned>(x > column ? x - column : column - x);
    const unsigned down = static_cast<unsigned>(y > at ? y - at : at - y);
    const unsigned square = across * across + down * down;
    if (square < best || (square == best && column < nearest)) {
      best = square;
      nearest = column;
    }
  };
  nearest = x;
  const int farthest = max(x, rows.width - 1 - x);
  for (int k = 0; k <= farthest; ++k) {
    const auto squared = static_cast<unsigned>(k) * static_cast<unsigned>(k);
    if (squared > best || squared > most) break;
    if (x - k >= 0) look(x - k);
    if (k > 0 && x + k < rows.width) look(x + k);
  }
  return best;
}

__global__ void __launch_bounds__(pixelThreads)
    beyondKernel(PlaneView<int> rows, unsigned most, std::uint8_t value, DeviceMask to, std::uint32_t* any) {
  bool mine = false;
  forPixels(rows.width, rows.height, [&](int x, int y) {
    int nearest = 0;
    const bool beyond = squaredDistance(rows, x, y, most, nearest) > most;
    mine = mine || beyond;
    to.at(x, y) = beyond ? value : static_cast<std::uint8_t>(1 - value);
  });
  if (mine && *any == 0) atomicMax(any, 1u);
}

__global__ void __launch_bounds__(pixelThreads)
    fillKernel(PlaneView<float> from, PlaneView<float> means, SeenMask inside, PlaneView<int> rows,
               PlaneView<float> to) {
  forPixels(from.width, from.height, [&](int x, int y) {
    if (inside.at(x, y) != 0) {
      to.at(x, y) = from.at(x, y);
      return;
    }
    int nearest = 0;
    squaredDistance(rows, x, y, ~0u, nearest);
    to.at(x, y) = means.at(nearest, rows.at(nearest, y));
  });
}

}  // namespace

void startBoxMeans(const PlaneView<float>& from, const PlaneView<float>& across, const PlaneView<float>& to,
                   cudaStream_t stream) {
  launch(boxMeanKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, from, false, across);
  launch(boxMeanKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, across, true, to);
}

void startAbove(const PlaneView<float>& from, float value, const DeviceMask& to, cudaStream_t stream) {
  launch(aboveKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, from, value, to);
}

void startNearestInColumn(const SeenMask& mask, bool inside, const PlaneView<int>& rows,
                          cudaStream_t stream) {
  launch(nearestInColumnKernel, static_cast<unsigned>(ceilDiv(mask.width, columnThreads)), columnThreads,
         stream, mask, inside, rows);
}

void startBeyond(const PlaneView<int>& rows, unsigned most, std::uint8_t value, const DeviceMask& to,
                 std::uint32_t* any, cudaStream_t stream) {
  launch(beyondKernel, gridOver(rows.width, rows.height, highBlock), highBlock, stream, rows, most, value, to,
         any);
}

void startFill(const PlaneView<float>& from, const PlaneView<float>& means, const SeenMask& inside,
               const PlaneView<int>& rows, const PlaneView<float>& to, cudaStream_t stream) {
  launch(fillKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, from, means, inside,
         rows, to);
}

}  // namespace bankside::cuda

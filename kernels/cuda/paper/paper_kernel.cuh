/// Algorithm 1 as the paper has it: a thread block walks down a block of W x H pixels row by row; for each
/// row every filter is computed before the next one comes.
///
/// Kept by name (`cuda:single-channel-paper`) to be measured against what came after it, and because its
/// `unitPixels` shows the bank-width model: how many pixels a thread reads, computes and writes as one unit.
/// Shared memory holds the source's own type, so that units of 8- and 16-bit pixels can be narrower than a
/// bank. A thread's K x (K + n - 1) pixels stay in the registers that they came to: the loop over rows is
/// unrolled K times, and each time another row of registers is the oldest.
///
/// Source  Chen et al., DAC 2017, section 3 and Algorithm 1; n, W and H are open to its design-space
///         exploration. Deviations: borders are resolved while a row is loaded (the paper has none); the halo
///         is padded to whole units; filters may be split over blocks where an image has few.
#pragma once

#include "kernels/cuda/pixels/constant_taps.cuh"
#include "kernels/cuda/pixels/result_sink.cuh"
#include "kernels/cuda/pixels/stage_tile.cuh"

namespace bankside::cuda {

/// `unitPixels` neighbouring pixels: one access.
template <class T, int unitPixels>
struct alignas(sizeof(T) * unitPixels) Unit {
  T pixel[unitPixels];
};

template <int unitPixels>
__device__ __forceinline__ void storeUnit(const KernelArguments& a, std::ptrdiff_t offset, int count,
                                          const float (&sum)[unitPixels]) {
  if (a.dst.type == ElementType::F32 && count >= unitPixels) {
    Unit<float, unitPixels> unit;
#pragma unroll
    for (int i = 0; i < unitPixels; ++i) unit.pixel[i] = sum[i];
    // Two accesses where a unit is wider than the widest.
    constexpr int most = unitPixels < 4 ? unitPixels : 4;
#pragma unroll
    for (int i = 0; i < unitPixels; i += most)
      *reinterpret_cast<Unit<float, most>*>(static_cast<float*>(a.dst.pixels) + offset + i) =
          *reinterpret_cast<const Unit<float, most>*>(&unit.pixel[i]);
    return;
  }
#pragma unroll
  for (int i = 0; i < unitPixels; ++i) {
    if (i >= count) return;
    switch (a.dst.type) {
      case ElementType::F32: static_cast<float*>(a.dst.pixels)[offset + i] = sum[i]; break;
      case ElementType::F16: static_cast<__half*>(a.dst.pixels)[offset + i] = __float2half_rn(sum[i]); break;
      case ElementType::U8:
        static_cast<std::uint8_t*>(a.dst.pixels)[offset + i] =
            static_cast<std::uint8_t>(roundedBits(sum[i], 255.0f));
        break;
      case ElementType::U16:
        static_cast<std::uint16_t*>(a.dst.pixels)[offset + i] =
            static_cast<std::uint16_t>(roundedBits(sum[i], 65535.0f));
        break;
    }
  }
}

/// A border's value as a pixel; `fits` refuses values that the type does not hold.
template <class T>
__device__ __forceinline__ T fromFloat(float value) {
  if constexpr (std::is_same_v<T, __half>) {
    return __float2half_rn(value);
  } else {
    return static_cast<T>(value);
  }
}

/// The sizes of one thread block.
template <int filterSize, int unitPixels, int blockWidth, int blockHeight>
struct PaperBlock {
  static constexpr int width = blockWidth;
  static constexpr int height = blockHeight;
  static constexpr int threads = width / unitPixels;
  static constexpr int reach = filterSize / 2;
  static constexpr int halo = roundUp(reach, unitPixels);
  static constexpr int columns = width + 2 * halo;
  static constexpr int extraUnits = 2 * halo / unitPixels;
};

template <int filterSize, class T, int unitPixels, int blockWidth, int blockHeight>
__global__ void __launch_bounds__(blockWidth / unitPixels)
    paperKernel(const __grid_constant__ KernelArguments a) {
  using Block = PaperBlock<filterSize, unitPixels, blockWidth, blockHeight>;
  using Pixels = Unit<T, unitPixels>;
  constexpr int k = filterSize;
  constexpr int spare = Block::halo - Block::reach;  // columns of the first unit that no thread needs
  static_assert(Block::extraUnits <= Block::threads);
  __shared__ Pixels rows[k][Block::columns / unitPixels];

  const BlockPlace place = placeOf(a);
  const int t = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * Block::width + t * unitPixels;
  const int y0 = place.tileY * Block::height;
  const int sourceX = a.x + static_cast<int>(blockIdx.x) * Block::width - Block::halo;
  const int sourceY = a.y + y0 - Block::reach;
  const int lastY = a.y + a.height - 1 + Block::reach;
  const bool inside = sourceX >= 0 && sourceX + Block::columns <= a.src.width && sourceX % unitPixels == 0 &&
                      a.src.stride % unitPixels == 0;

  const auto load = [&](int row, int unit) {
    // Rows below the last one of the result are nobody's, and a band does not hold them.
    const int from = bufferRow(min(sourceY + row, lastY), a.src.imageHeight, a.border.kind,
                               a.src.rowsResolved, a.src.firstRow);
    const T* pixels = static_cast<const T*>(a.src.pixels) + from * a.src.stride;
    if (inside && from >= 0) return *reinterpret_cast<const Pixels*>(pixels + sourceX + unit * unitPixels);
    Pixels loaded;
#pragma unroll
    for (int i = 0; i < unitPixels; ++i) {
      const int column = borderIndex(sourceX + unit * unitPixels + i, a.src.width, a.border.kind);
      loaded.pixel[i] = from < 0 || column < 0 ? fromFloat<T>(a.border.value) : pixels[column];
    }
    return loaded;
  };

  // Lines 1 and 2: the first K rows.
#pragma unroll 1
  for (int row = 0; row < k; ++row) {
    rows[row][t] = load(row, t);
    if (t < Block::extraUnits) rows[row][Block::threads + t] = load(row, Block::threads + t);
  }
  __syncthreads();

  // Row y of the block's source is in window[y % k].
  float window[k][k + unitPixels - 1];
  const auto readRow = [&](int row, float(&to)[k + unitPixels - 1]) {
    constexpr int units = (spare + k + unitPixels - 1 + unitPixels - 1) / unitPixels;
#pragma unroll
    for (int u = 0; u < units; ++u) {
      const Pixels unit = rows[row][t + u];
#pragma unroll
      for (int i = 0; i < unitPixels; ++i) {
        const int at = u * unitPixels + i - spare;
        if (at >= 0 && at < k + unitPixels - 1) to[at] = asFloat(unit.pixel[i]);
      }
    }
  };
  // Line 3.
#pragma unroll
  for (int row = 0; row < k - 1; ++row) readRow(row, window[row]);

#pragma unroll 1
  for (int first = k - 1; first < Block::height + k - 1; first += k) {
#pragma unroll
    for (int phase = 0; phase < k; ++phase) {
      const int row = first + phase;
      if (Block::height % k != 0 && row >= Block::height + k - 1) break;
      constexpr int newest = k - 1;
      const int slot = (newest + phase) % k;
      // Line 5: the next row on its way into registers while this one is computed.
      const bool more = row + 1 < Block::height + k - 1;
      Pixels next, nextExtra;
      if (more) {
        next = load(row + 1, t);
        if (t < Block::extraUnits) nextExtra = load(row + 1, Block::threads + t);
      }
      readRow(slot, window[slot]);
      // Lines 7 to 9.
      const int y = y0 + row - (k - 1);
      if (x < a.width && y < a.height) {
#pragma unroll 1
        for (int filter = place.firstFilter; filter < place.endFilter; ++filter) {
          const int taps = filter * passStride(k * k, 1);
          float sum[unitPixels] = {};
#pragma unroll
          for (int ky = 0; ky < k; ++ky)
#pragma unroll
            for (int kx = 0; kx < k; ++kx)
#pragma unroll
              for (int p = 0; p < unitPixels; ++p)
                sum[p] =
                    __fmaf_rn(constantTaps[taps + ky * k + kx], window[(phase + ky) % k][p + kx], sum[p]);
          storeUnit<unitPixels>(a, filter * a.dst.planeStride + y * a.dst.stride + x, a.width - x, sum);
        }
      }
      __syncthreads();
      // Line 10: it takes the place of the row that nobody needs any more.
      if (more) {
        rows[(slot + 1) % k][t] = next;
        if (t < Block::extraUnits) rows[(slot + 1) % k][Block::threads + t] = nextExtra;
      }
      __syncthreads();
    }
  }
}

}  // namespace bankside::cuda

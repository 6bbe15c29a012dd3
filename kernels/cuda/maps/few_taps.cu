#include "kernels/cuda/maps/few_taps.h"

#include <algorithm>

#include "kernels/cuda/maps/launch.cuh"
#include "kernels/cuda/maps/map_work.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {
namespace {

constexpr int atOnce = FewTaps::filtersAtOnce;
constexpr int rowsAThread = 4;  // a block's height apart
constexpr dim3 tileBlock(64, 4);

struct FewTapArguments {
  PlaneView<float> maps;
  PlaneView<float> responses;
  std::ptrdiff_t plane;
  Border border;
  FewTaps::Reach reach;
  int filters;
  const FewTaps::Tap* taps;
  const int* begins;
  const int* steps;
};

using Sums = float[atOnce][rowsAThread];

/// pixelsOf(tap) gives what gives the pixel of row k.
template <class PixelsOf>
__device__ __forceinline__ void addTaps(const FewTapArguments& a, int group, const PixelsOf& pixelsOf,
                                        Sums& sums) {
  for (int step = a.steps[group]; step < a.steps[group + 1]; ++step) {
    const int* const begins = a.begins + static_cast<std::ptrdiff_t>(step) * atOnce;
#pragma unroll
    for (int f = 0; f < atOnce; ++f) {
      const int end = begins[f + 1];
      for (int t = begins[f]; t < end; ++t) {
        const FewTaps::Tap tap = a.taps[t];
        const auto pixel = pixelsOf(tap);
#pragma unroll
        for (int k = 0; k < rowsAThread; ++k) sums[f][k] = __fmaf_rn(tap.weight, pixel(k), sums[f][k]);
      }
    }
  }
}

/// Some filters a layer of the grid.
__global__ void __launch_bounds__(pixelThreads) fewTapsKernel(const __grid_constant__ FewTapArguments a) {
  constexpr int tileHeight = static_cast<int>(tileBlock.y) * rowsAThread;
  const auto group = static_cast<int>(blockIdx.z);
  const int left = static_cast<int>(blockIdx.x * tileBlock.x);
  const int x = left + static_cast<int>(threadIdx.x);
  const std::ptrdiff_t apart = static_cast<std::ptrdiff_t>(tileBlock.y) * a.maps.stride;
  for (int top = static_cast<int>(blockIdx.y) * tileHeight; top < a.maps.height;
       top += static_cast<int>(gridDim.y) * tileHeight) {
    const int first = top + static_cast<int>(threadIdx.y);
    Sums sums = {};
    if (left >= a.reach.left && left + static_cast<int>(tileBlock.x) + a.reach.right <= a.maps.width &&
        top >= a.reach.above && top + tileHeight + a.reach.below <= a.maps.height) {
      const float* const here = a.maps.row(first) + x;
      addTaps(
          a, group,
          [&](const FewTaps::Tap& tap) {
            return [pixel = here + tap.channel * a.plane + tap.y * a.maps.stride + tap.x, apart](int k) {
              return pixel[k * apart];
            };
          },
          sums);
    } else if (x < a.maps.width) {
      addTaps(
          a, group,
          [&](const FewTaps::Tap& tap) {
            const int column = borderIndex(x + tap.x, a.maps.width, a.border);
            return [&a, &tap, first, column](int k) {
              // Rows below the map are nobody's.
              const int y = min(first + k * static_cast<int>(tileBlock.y), a.maps.height - 1) + tap.y;
              const int row = borderIndex(y, a.maps.height, a.border);
              return row < 0 || column < 0 ? a.border.value : a.maps.row(row)[tap.channel * a.plane + column];
            };
          },
          sums);
    }
    if (x >= a.maps.width) continue;
#pragma unroll
    for (int f = 0; f < atOnce; ++f) {
      const int filter = group * atOnce + f;
#pragma unroll
      for (int k = 0; k < rowsAThread; ++k) {
        const int y = first + k * static_cast<int>(tileBlock.y);
        if (filter < a.filters && y < a.maps.height) a.responses.row(y)[filter * a.plane + x] = sums[f][k];
      }
    }
  }
}

int tapsOf(const ConvolutionProblem& p) { return p.tapChannels() * p.filterHeight * p.filterWidth; }

}  // namespace

bool FewTaps::takes(const ConvolutionProblem& problem, const CorrelationTaps& taps) {
  constexpr std::ptrdiff_t leastZeros = 15;  // for each tap
  const std::ptrdiff_t each = tapsOf(problem);
  for (auto filter = taps.taps.begin(); filter != taps.taps.end(); filter += each) {
    const std::ptrdiff_t zeros = std::count(filter, filter + each, 0.0f);
    if (each - zeros > most || zeros < leastZeros * (each - zeros)) return false;
  }
  return true;
}

FewTaps::FewTaps(const ConvolutionProblem& p, const CorrelationTaps& taps, const MapWork& work)
    : border_(p.border), counts_(static_cast<std::size_t>(p.filterCount)) {
  std::vector<std::vector<std::vector<Tap>>> few(counts_.size());  // by filter and channel
  auto weight = taps.taps.begin();
  for (std::size_t f = 0; f < few.size(); ++f) {
    few[f].resize(static_cast<std::size_t>(p.tapChannels()));
    for (int c = 0; c < p.tapChannels(); ++c) {
      for (int y = 0; y < p.filterHeight; ++y) {
        for (int x = 0; x < p.filterWidth; ++x, ++weight) {
          if (*weight == 0) continue;
          const Tap tap{*weight, c, x - taps.anchorX, y - taps.anchorY};
          few[f][static_cast<std::size_t>(c)].push_back(tap);
          ++counts_[f];
          reach_.left = std::max(reach_.left, -tap.x);
          reach_.right = std::max(reach_.right, tap.x);
          reach_.above = std::max(reach_.above, -tap.y);
          reach_.below = std::max(reach_.below, tap.y);
        }
      }
    }
  }
  std::vector<Tap> all;
  std::vector<int> begins, steps = {0};
  for (std::size_t first = 0; first < few.size(); first += filtersAtOnce) {
    const std::size_t end = std::min(few.size(), first + filtersAtOnce);
    for (std::size_t c = 0; c < static_cast<std::size_t>(p.tapChannels()); ++c) {
      bool any = false;
      for (std::size_t f = first; f < end; ++f) any = any || !few[f][c].empty();
      if (!any) continue;
      for (std::size_t f = first; f < first + filtersAtOnce; ++f) {
        begins.push_back(static_cast<int>(all.size()));
        if (f < end) all.insert(all.end(), few[f][c].begin(), few[f][c].end());
      }
    }
    steps.push_back(static_cast<int>(begins.size()) / filtersAtOnce);
  }
  begins.push_back(static_cast<int>(all.size()));
  work.putNow(taps_, all.data(), all.size() * sizeof(Tap));
  work.putNow(begins_, begins.data(), begins.size() * sizeof(int));
  work.putNow(steps_, steps.data(), steps.size() * sizeof(int));
}

int FewTaps::mostOfAFilter() const { return *std::max_element(counts_.begin(), counts_.end()); }

void FewTaps::start(const PlaneView<float>& maps, std::ptrdiff_t plane, const PlaneView<float>& responses,
                    cudaStream_t stream) const {
  const int tileRows = ceilDiv(maps.height, rowsAThread);
  launch(fewTapsKernel,
         gridOver(maps.width, tileRows, tileBlock, static_cast<std::size_t>(ceilDiv(filters(), atOnce))),
         tileBlock, stream,
         {maps, responses, plane, border_, reach_, filters(), reinterpret_cast<const Tap*>(taps_.data()),
          reinterpret_cast<const int*>(begins_.data()), reinterpret_cast<const int*>(steps_.data())});
}

}  // namespace bankside::cuda

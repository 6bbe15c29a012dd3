#include "kernels/cuda/maps/few_taps.h"

#include <algorithm>

#include "kernels/cuda/maps/launch.cuh"
#include "kernels/cuda/maps/map_work.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {
namespace {

struct FewTapArguments {
  PlaneView<float> maps;
  PlaneView<float> responses;
  std::ptrdiff_t plane;
  Border border;
  const FewTaps::Tap* taps;
  const int* begins;
};

/// A filter a layer of the grid.
__global__ void __launch_bounds__(pixelThreads) fewTapsKernel(const __grid_constant__ FewTapArguments a) {
  const auto filter = static_cast<int>(blockIdx.z);
  const int begin = a.begins[filter];
  const int end = a.begins[filter + 1];
  forPixels(a.maps.width, a.maps.height, [&](int x, int y) {
    float sum = 0;
    for (int t = begin; t < end; ++t) {
      const FewTaps::Tap tap = a.taps[t];
      int column = x + tap.x;
      int row = y + tap.y;
      const bool inside = static_cast<unsigned>(column) < static_cast<unsigned>(a.maps.width) &&
                          static_cast<unsigned>(row) < static_cast<unsigned>(a.maps.height);
      if (!inside) {
        column = borderIndex(column, a.maps.width, a.border.kind);
        row = borderIndex(row, a.maps.height, a.border.kind);
      }
      const float pixel =
          row < 0 || column < 0 ? a.border.value : a.maps.row(row)[tap.channel * a.plane + column];
      sum = __fmaf_rn(tap.weight, pixel, sum);
    }
    a.responses.row(y)[filter * a.plane + x] = sum;
  });
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
    : border_(p.border) {
  std::vector<Tap> few;
  auto weight = taps.taps.begin();
  for (int f = 0; f < p.filterCount; ++f) {
    begins_.push_back(static_cast<int>(few.size()));
    for (int c = 0; c < p.tapChannels(); ++c) {
      for (int y = 0; y < p.filterHeight; ++y) {
        for (int x = 0; x < p.filterWidth; ++x, ++weight) {
          if (*weight != 0) few.push_back({*weight, c, x - taps.anchorX, y - taps.anchorY});
        }
      }
    }
  }
  begins_.push_back(static_cast<int>(few.size()));
  work.putNow(taps_, few.data(), few.size() * sizeof(Tap));
  work.putNow(there_, begins_.data(), begins_.size() * sizeof(int));
}

int FewTaps::mostOfAFilter() const {
  int largest = 0;
  for (std::size_t f = 0; f + 1 < begins_.size(); ++f)
    largest = std::max(largest, begins_[f + 1] - begins_[f]);
  return largest;
}

void FewTaps::start(const PlaneView<float>& maps, std::ptrdiff_t plane, const PlaneView<float>& responses,
                    cudaStream_t stream) const {
  launch(fewTapsKernel, gridOver(maps.width, maps.height, wideBlock, static_cast<std::size_t>(filters())),
         wideBlock, stream,
         {maps, responses, plane, border_, reinterpret_cast<const Tap*>(taps_.data()),
          reinterpret_cast<const int*>(there_.data())});
}

}  // namespace bankside::cuda

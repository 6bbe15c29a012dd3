/// A bank of filters that are nearly all zeros, such as single taps along a line.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "core/border.h"
#include "core/plane_view.h"
#include "core/problem.h"
#include "kernels/cuda/runtime/device_buffer.h"

namespace bankside::cuda {

class MapWork;

/// Taps that are not zero, one fused multiply-add each in the direct order.
class FewTaps {
 public:
  /// Taps of a filter up to which it is worth it: others have engines.
  static constexpr int most = 64;
  /// Whether no filter has more, and each is mostly zeros.
  static bool takes(const ConvolutionProblem& problem, const CorrelationTaps& taps);

  /// `work` takes them to the device. Errors  Error{Device}, Error{Limit}
  FewTaps(const ConvolutionProblem& problem, const CorrelationTaps& taps, const MapWork& work);

  /// Of the filter that has most.
  int mostOfAFilter() const;
  int filters() const { return static_cast<int>(counts_.size()); }

  /// A response a filter, of maps `plane` elements apart; so are the results. Errors  Error{Device}
  void start(const PlaneView<float>& maps, std::ptrdiff_t plane, const PlaneView<float>& responses,
             cudaStream_t stream) const;

  struct Tap {
    float weight = 0;
    int channel = 0;
    int x = 0;  ///< from the result's pixel
    int y = 0;
  };
  /// How far they lie from the result's pixel.
  struct Reach {
    int left = 0, right = 0, above = 0, below = 0;
  };
  /// Filters that a thread sums side by side: what they read of a channel is near it meanwhile.
  static constexpr int filtersAtOnce = 6;

 private:
  Border border_;
  Reach reach_;
  std::vector<int> counts_;  ///< of each filter's taps
  // In device memory. Taps lie as they are taken: of some filters side by side, and of these of one channel
  // after the other ("steps"), a filter's in their own order. `begins_`: of every step's and filter's, and
  // their end; `steps_`: of every filters' side by side, and their end.
  DeviceBuffer taps_, begins_, steps_;
};

}  // namespace bankside::cuda

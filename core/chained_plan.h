/// Two banks in one plan: the seam for an engine that keeps the maps between them where it computes.
///
/// Without it the runner keeps the maps in host memory (core/run/map_source.h), with any engine on either
/// side.
#pragma once

#include "core/activation.h"
#include "core/engine.h"

namespace bankside {

/// The planes that `first` gives (`outputPlanes`, f32), activated, are the channels of `second`:
/// second.channels == outputPlanes(first).size(), second.srcType == F32, sizes equal. Each has its own
/// border, applied at the edges of the image and of the maps, which are as large.
struct ChainedProblem {
  ConvolutionProblem first;
  Activation activation = Activation::None;
  ConvolutionProblem second;
  bool operator==(const ChainedProblem&) const = default;
};

/// `run` takes the first problem's image and gives the second problem's planes; a region of them, with
/// whatever halo of maps it takes. `errorBound()` is the second bank's, over the maps as computed.
class ChainedPlan : public Plan {
 public:
  /// Of the maps, before the activation.
  virtual ErrorBound firstErrorBound() const = 0;
};

}  // namespace bankside

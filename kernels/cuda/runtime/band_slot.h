/// What is on its way through the devices, and the buffers that it takes.
#pragma once

#include <vector>

#include "kernels/cuda/runtime/band_source.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {

/// An image on its way.
struct Run {
  PlanImage& item;
  PhaseTimes times = {};
  int rowsDone = 0;               ///< that are with its sink
  std::vector<int> devices = {};  ///< that computed those
};

/// One band on its way, or several images of one band each.
struct Slot {
  explicit Slot(const ConvolutionProblem& problem) : source(problem) {}
  BandSource source;
  DeviceBuffer deviceSource;
  DeviceBuffer deviceResult;
  PinnedBuffer result;
  Event uploadBegin, uploadEnd, computeBegin, computeEnd, downloadBegin, downloadEnd;
  Region band;             ///< in the image
  std::vector<Run*> runs;  ///< whose band it is; none: idle
  /// Of each image, where its planes are written at once: in its sink's pinned memory, from the band's first
  /// row on. None: they come into `result`.
  std::vector<std::vector<MutablePlane>> inPlace;

  bool idle() const { return runs.empty(); }
  int images() const { return static_cast<int>(runs.size()); }
};

}  // namespace bankside::cuda

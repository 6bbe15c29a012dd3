/// Which of the conformance problems the tensor cores take.
#pragma once

#include "core/problem.h"

namespace bankside::cuda {

/// Whether the engine would take the problem's shape.
inline bool inReach(const ConvolutionProblem& p) {
  return p.filterHeight <= 31 && p.filterWidth <= 31 &&
         (p.channels == 1 || p.channelMode == ChannelMode::PerPlane);
}

}  // namespace bankside::cuda

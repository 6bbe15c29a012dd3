/// Algorithms 1 and 2 of Chen et al., DAC 2017, as engines: there to be compared with.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `cuda:single-channel-paper`: Algorithm 1's own order (paper_kernel.cuh), in units as wide as a bank. Odd
/// squares up to 7 x 7, plain responses.
std::unique_ptr<Engine> makePaperEngine();

/// `cuda:multichannel-paper`: Algorithm 2's own order (general_kernel.cuh), 3 x 3, 5 x 5 and 7 x 7.
std::unique_ptr<Engine> makePaperMultichannelEngine();

}  // namespace bankside

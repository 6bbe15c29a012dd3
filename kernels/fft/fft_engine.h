#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `cpu:fft`: every source tile transformed once, multiplied by every filter's spectrum and transformed back.
/// Its cost hardly depends on the filter size. Refuses banks whose spectra would not fit in memory.
std::unique_ptr<Engine> makeFftEngine();

}  // namespace bankside

/// The bank in constant memory: every warp works on one filter at a time, so its taps are broadcast.
///
/// One array a translation unit; whoever launches a kernel of that unit copies the bank to its `constantTaps`
/// first (see launch_table.h).
#pragma once

#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {
namespace {

__constant__ alignas(16) float constantTaps[maxConstantTaps];

}  // namespace
}  // namespace bankside::cuda

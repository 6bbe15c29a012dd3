/// How a block walks over an image: index arithmetic alone, one definition for host and device.
#pragma once

#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

/// Warpgroups of a block that multiply: as many as registers hold the sums of.
BANKSIDE_HOST_DEVICE constexpr int tensorConsumers(int tapColumns, PixelParts parts, bool chained) {
  if (parts == PixelParts::Split) return tapColumns > (chained ? 48 : 64) ? 3 : tapColumns > 48 ? 4 : 5;
  return tapColumns > 96 || (chained && tapColumns > 64) ? 4 : 5;
}
/// Whether warpgroups start their chains of products one after the other: where the first chain of a result
/// keeps the tensor cores busy. Not several equal ones, nor narrow ones of split pixels (measured: equal at
/// 64 columns, 4 % slower at 48).
BANKSIDE_HOST_DEVICE constexpr bool startInTurn(int tapColumns, PixelParts parts, bool chained) {
  return !chained && (parts != PixelParts::Split || tapColumns > 64);
}
/// Of a block: one more warpgroup stages.
BANKSIDE_HOST_DEVICE constexpr int tensorThreads(int consumers) { return (consumers + 1) * tensorWarpgroup; }

/// A block keeps a band of columns and walks down `blockStrips` strips of it, chunk by chunk, in a ring of
/// rows: one warpgroup stages a chunk while the others multiply the one before; the first chunk is staged by
/// all. Places are bytes of shared memory; taps come first.
struct TensorWalk {
  static constexpr int stagerWarps = tensorWarpgroup / 32;
  /// Rows of such a warp on their way from global memory.
  BANKSIDE_HOST_DEVICE static constexpr int rowsAhead(int pixelBytes) { return pixelBytes > 2 ? 2 : 4; }
  static constexpr int mostChunks = 256;  ///< of a block; each has a flag

  int consumers = 3;  ///< warpgroups of the block; one more stages
  int strips = 1;     ///< of a chunk
  int blockStrips = 1;
  int chunks = 1;
  int ring = 1;                ///< rows of pixels
  int reach = 1;               ///< TensorLayout::reach: kernels should not divide
  int firstRows = 1;           ///< of the first chunk
  int before = 1;              ///< chunks whose rows a chunk reads, before its own
  int ownSteps = 1;            ///< steps of a chain before the next warpgroup starts one
  int units = 0;               ///< Unit of every unit of a pass, behind the taps
  int unitBytes = 0;           ///< of a pass
  int pixels = 0;              ///< of the first plane
  int plane = 0;               ///< bytes of one plane of pixels
  int raw = 0;                 ///< rows as they are copied, by stagers
  int startRaw = 0;            ///< and a row of each other warp that stages the first chunk
  int starters = stagerWarps;  ///< warps that stage the first chunk
  int total = 0;
};

/// Blocks that give every multiprocessor about as much to do: a column's last one is shorter than the others,
/// and a multiprocessor gets one long one or several short ones. They start column by column, then pass by
/// pass, then downwards.
TensorWalk tensorWalk(const TensorLayout& layout, int width, int height, int multiprocessors);

/// The warps of a block that multiplies by warps: all of them stage rows, then all multiply strips.
inline constexpr int warpsOfBlock = 4;
inline constexpr int threadsOfWarps = 32 * warpsOfBlock;
/// Of a multiprocessor at a time, where shared memory holds them: one stages while the other multiplies.
inline constexpr int warpBlocksTogether = 2;
/// What a block may have on every device that `TensorForm::Warps` is for: that of 8.6, 8.9 and 12.0. Layouts
/// fit in it, so that results do not depend on what a device has.
inline constexpr int leastShared = 99 * 1024;

/// The walk of blocks of warps: chunk by chunk they stage, meet, multiply and meet again, so that the ring
/// holds one chunk's rows. `shared`: bytes that a block of the device may have.
TensorWalk warpWalk(const TensorLayout& layout, int width, int height, int multiprocessors, int shared);

/// Whether such blocks hold a chunk, in the least shared memory.
bool fitsInWarps(const TensorLayout& layout);

/// Products that are started one after the other: what stands around them is shared.
inline constexpr int startedTogether = 4;
/// Places of cores that a launch's arguments hold: TensorArguments::corePlaces.
inline constexpr int mostCorePlaces = 576;
/// Those of a ring's cores, and again of those that the strip at its last row reads; places are read some
/// instructions ahead.
BANKSIDE_HOST_DEVICE constexpr int corePlacesOf(const TensorLayout& layout, const TensorWalk& walk) {
  return walk.ring * layout.cores + 2 * (layout.steps + startedTogether);
}

/// Share of a block's multiplying warpgroups that two chunks, as many rows as the ring holds, keep busy.
double busyShare(const TensorLayout& layout);

/// Whether a block and a launch hold the layout's taps, and chunks of so many rows.
bool fitsInBlock(const TensorLayout& layout, int chunkRows);

}  // namespace bankside::cuda

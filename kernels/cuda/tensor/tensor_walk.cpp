#include "kernels/cuda/tensor/tensor_walk.h"

#include <algorithm>

namespace bankside::cuda {
namespace {

/// Shared memory of a block that has a multiprocessor to itself; what kernels declare themselves lies beside
/// it.
constexpr int sharedBytes = 225 * 1024;
constexpr int bytesOfUnit = 8;
/// Rows of a chunk: fewer mean more to tell each other, more a later start, which is most where a block has
/// few rows.
constexpr int rowsOfChunk = 16;
constexpr int chunksOfBlock = 4;
/// What a block does before its first turn and after its last one, in turns, and for every row that it needs
/// above the first.
constexpr double turnsAround = 4;
constexpr double turnsOfRow = 0.05;

/// Strips of a chunk at least: where passes take turns, all that multiply meet once a turn each, and what
/// they wait for together must not be more than the two chunks that the ring holds.
int fewestStrips(const TensorLayout& layout) {
  if (!layout.combined || layout.passes == 1) return 1;
  const int multipliers = tensorMultipliers(layout.tapColumns, layout.parts, layout.chained());
  return ceilDiv((multipliers - 1) * groupsOfProduct, layout.groups);
}

TensorWalk walkWith(const TensorLayout& layout, int strips, int blockStrips) {
  TensorWalk walk;
  walk.multipliers = tensorMultipliers(layout.tapColumns, layout.parts, layout.chained());
  walk.strips = std::min(strips, blockStrips);
  walk.blockStrips = blockStrips;
  walk.chunks = ceilDiv(blockStrips, walk.strips);
  const int rows = walk.strips * layout.rowStep;
  walk.ring = rows - layout.rowStep + layout.reach() + (walk.chunks > 1 ? rows : 0);
  walk.units = layout.tapBuffers * layout.passBytes();
  walk.unitBytes = roundUp(layout.blocks * layout.unitPlacesOfBlock() * bytesOfUnit, 16);
  walk.pixels = walk.units + layout.tapBuffers * walk.unitBytes;
  walk.plane = (walk.ring + (walk.chunks > 1 && layout.repeatsRow() ? 1 : 0)) * layout.pitch();
  walk.raw = walk.pixels + layout.planes() * walk.plane;
  const int raw = TensorWalk::stagerWarps * TensorWalk::rowsAhead(layout.pixelBytes) * layout.rawPitch();
  // The last row's descriptors, of the last plane.
  walk.total = walk.raw + std::max(raw, descriptorReach - groupsOfProduct * coreBytes);
  return walk;
}

}  // namespace

bool fitsInBlock(const TensorLayout& layout, int chunkRows) {
  const int strips = std::max(ceilDiv(chunkRows, layout.rowStep), fewestStrips(layout));
  return walkWith(layout, strips, 2 * strips).total <= sharedBytes;
}

TensorWalk tensorWalk(const TensorLayout& layout, int width, int height, int multiprocessors) {
  const int columns = ceilDiv(width, layout.width()) * (layout.combined ? 1 : layout.passes);
  const int strips = ceilDiv(height, layout.rowStep);
  const int fewest = fewestStrips(layout);
  int chunk = std::max(fewest, rowsOfChunk / layout.rowStep);
  while (chunk > fewest && walkWith(layout, chunk, 2 * chunk).total > sharedBytes) --chunk;
  const double around = turnsAround + turnsOfRow * layout.reach();
  const double turnsOfStrip =
      static_cast<double>(layout.groups) / groupsOfProduct * (layout.combined ? layout.passes : 1);
  int best = 1;
  double least = 0;
  for (int blocks = ceilDiv(strips, chunk * TensorWalk::mostChunks); blocks <= strips; ++blocks) {
    const int each = ceilDiv(strips, blocks);
    const int rounds = ceilDiv(columns * ceilDiv(strips, each), multiprocessors);
    const double time = rounds * (each * turnsOfStrip + around);
    if (least > 0 && time >= least) continue;
    least = time;
    best = each;
  }
  return walkWith(layout, std::max(std::min(chunk, ceilDiv(best, chunksOfBlock)), fewest), best);
}

}  // namespace bankside::cuda

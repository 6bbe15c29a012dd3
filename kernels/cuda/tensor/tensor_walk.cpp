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

/// Strips of a chunk at least. Warpgroups that wait for each other several times a turn, for the next pass or
/// for the baton, must be within the two chunks that the ring holds: the next chunk is staged when all are
/// done with the first.
int fewestStrips(const TensorLayout& layout) {
  const bool inPasses = layout.combined && layout.passes > 1;
  const bool inChains = layout.blocks > 1 && startInTurn(layout.parts, layout.chained());
  if (!inPasses && !inChains) return 1;
  const int multipliers = tensorMultipliers(layout.tapColumns, layout.parts, layout.chained());
  return ceilDiv((multipliers - 1) * groupsOfProduct, layout.groups);
}

/// Where warps that stage the first chunk beside the stagers copy their rows: where the second chunk's will
/// be, or behind everything else.
void placeHelpers(const TensorLayout& layout, TensorWalk& walk) {
  const int most = walk.multipliers * TensorWalk::stagerWarps;
  const int inRing = (walk.ring - walk.firstRows) * layout.pitch() / layout.rawPitch();
  const int behind = std::min((sharedBytes - walk.total) / layout.rawPitch(), most);
  if (inRing >= behind) {
    walk.startRaw = walk.raw - walk.plane + walk.firstRows * layout.pitch();
    walk.starters += std::min(inRing, most);
  } else {
    walk.startRaw = walk.total;
    walk.starters += behind;
    walk.total += behind * layout.rawPitch();
  }
}

TensorWalk walkWith(const TensorLayout& layout, int strips, int blockStrips) {
  TensorWalk walk;
  walk.multipliers = tensorMultipliers(layout.tapColumns, layout.parts, layout.chained());
  walk.strips = std::min(strips, blockStrips);
  walk.blockStrips = blockStrips;
  walk.chunks = ceilDiv(blockStrips, walk.strips);
  const int rows = walk.strips * layout.rowStep;
  walk.reach = layout.reach();
  walk.before = ceilDiv(walk.reach, rows);
  walk.firstRows = rows - layout.rowStep + walk.reach;
  walk.ring = walk.firstRows + (walk.chunks > 1 ? rows : 0);
  walk.units = layout.tapBuffers * layout.passBytes();
  walk.unitBytes = roundUp(layout.blocks * layout.unitPlacesOfBlock() * bytesOfUnit, 16);
  walk.pixels = walk.units + layout.tapBuffers * walk.unitBytes;
  walk.plane = (walk.ring + (walk.chunks > 1 && layout.repeatsRow() ? 1 : 0)) * layout.pitch();
  walk.raw = walk.pixels + layout.planes() * walk.plane;
  const int raw = TensorWalk::stagerWarps * TensorWalk::rowsAhead(layout.pixelBytes) * layout.rawPitch();
  // The last row's descriptors, of the last plane.
  walk.total = walk.raw + std::max(raw, descriptorReach - groupsOfProduct * coreBytes);
  placeHelpers(layout, walk);
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
  // Two chunks are staged without waiting for anybody.
  return walkWith(layout,
                  std::max(std::min(chunk, ceilDiv(best, chunksOfBlock)), std::min(fewest, ceilDiv(best, 2))),
                  best);
}

}  // namespace bankside::cuda

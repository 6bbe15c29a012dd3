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
constexpr int rowsOfChunk = 32;
constexpr int chunksOfBlock = 4;
/// What a block does before its first turn and after its last one, in turns (as measured on small images: 4
/// to 6 us, with split pixels up to 12), and for every row that it needs above the first.
double turnsAround(PixelParts parts) { return parts == PixelParts::Whole ? 8 : 12; }
constexpr double turnsOfRow = 0.05;

int consumersOf(const TensorLayout& layout) {
  return tensorConsumers(layout.tapColumns, layout.parts, layout.chained());
}

/// Strips of a chunk at least. Warpgroups that wait for each other several times a turn, for the next pass or
/// in the ordered barrier, must be within the two chunks that the ring holds: the next chunk is staged when
/// all are done with the first.
int fewestStrips(const TensorLayout& layout) {
  const bool inPasses = layout.combined && layout.passes > 1;
  const bool inChains = layout.blocks > 1 && startInTurn(layout.tapColumns, layout.parts, layout.chained());
  if (!inPasses && !inChains) return 1;
  const int consumers = consumersOf(layout);
  return ceilDiv((consumers - 1) * groupsOfProduct, layout.groups);
}

/// Where warps that stage the first chunk beside the stagers copy their rows: where the second chunk's will
/// be, or behind everything else.
void placeHelpers(const TensorLayout& layout, TensorWalk& walk) {
  const int most = walk.consumers * TensorWalk::stagerWarps;
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

/// Chunks of so many strips, in a block of so many.
TensorWalk chunksOf(const TensorLayout& layout, int strips, int blockStrips) {
  TensorWalk walk;
  walk.strips = std::min(strips, blockStrips);
  walk.blockStrips = blockStrips;
  walk.chunks = ceilDiv(blockStrips, walk.strips);
  walk.reach = layout.reach();
  walk.before = ceilDiv(walk.reach, walk.strips * layout.rowStep);
  return walk;
}

TensorWalk walkWith(const TensorLayout& layout, int strips, int blockStrips) {
  TensorWalk walk = chunksOf(layout, strips, blockStrips);
  walk.consumers = consumersOf(layout);
  const int rows = walk.strips * layout.rowStep;
  // Products into the same sums wait for each other: two warpgroups at a time, and longer alone where the
  // next one has nothing to write before, or where three instructions a step wait for each other less.
  walk.ownSteps = layout.halves == TapParts::Apart ? layout.chainSteps() * 3 / 4
                  : layout.combined                ? layout.chainSteps() * 2 / 3
                                                   : layout.chainSteps() / 2;
  walk.firstRows = rows - layout.rowStep + walk.reach;
  walk.ring = walk.firstRows + (walk.chunks > 1 ? rows : 0);
  walk.units = layout.tapBuffers * layout.passBytes();
  walk.unitBytes = layout.blocks * layout.unitPlacesOf(layout.eights()) * bytesOfUnit;
  walk.pixels = walk.units + layout.tapBuffers * walk.unitBytes;
  walk.plane = (walk.ring + (walk.chunks > 1 && layout.repeatsRow() ? 1 : 0)) * layout.pitch();
  walk.raw = walk.pixels + layout.planes() * walk.plane;
  const int raw = TensorWalk::stagerWarps * TensorWalk::rowsAhead(layout.pixelBytes) * layout.rawPitch();
  // The last row's descriptors, of the last plane.
  walk.total = walk.raw + std::max(raw, descriptorReach - groupsOfProduct * coreBytes);
  placeHelpers(layout, walk);
  return walk;
}

/// Whether a block and a launch hold chunks of so many strips.
bool fits(const TensorLayout& layout, int strips) {
  const TensorWalk walk = walkWith(layout, strips, 2 * strips);
  return walk.total <= sharedBytes && corePlacesOf(layout, walk) <= mostCorePlaces;
}

/// Turns until the last block is done. Blocks start in order, the last and shorter one of every column after
/// all others, on multiprocessors that have none of the last round: several one after another, where that
/// ends sooner than giving the others more.
double turnsOf(int columns, int strips, int each, int multiprocessors, double turnsOfStrip, double around) {
  const double whole = each * turnsOfStrip + around;
  const int wholeBlocks = columns * (strips / each);
  const int rounds = wholeBlocks / multiprocessors;
  const int inLastRound = wholeBlocks % multiprocessors;
  const double wholeEnd = (inLastRound > 0 ? rounds + 1 : rounds) * whole;
  if (strips % each == 0) return wholeEnd;
  const double shorter = strips % each * turnsOfStrip + around;
  return std::max(wholeEnd, rounds * whole + ceilDiv(columns, multiprocessors - inLastRound) * shorter);
}

/// Strips of a block, so that the last block is done first.
int evenStrips(int columns, int strips, int most, int multiprocessors, double turnsOfStrip, double around) {
  int best = 1;
  double least = 0;
  for (int each = std::min(strips, most); each >= 1; --each) {
    const double turns = turnsOf(columns, strips, each, multiprocessors, turnsOfStrip, around);
    if (least > 0 && turns >= least) continue;
    least = turns;
    best = each;
  }
  return best;
}

/// What a kernel of warps declares itself, and what the device keeps of a block's shared memory.
constexpr int declaredShared = 3 * 1024;
constexpr int keptShared = 1024;
/// Strips that a block's start is worth, and more where a strip has less to multiply: in steps of a block of
/// taps, a warp each.
constexpr double stepsAround = 60;
constexpr double stepsOfRow = 0.5;

TensorWalk warpsWith(const TensorLayout& layout, int strips, int blockStrips) {
  TensorWalk walk = chunksOf(layout, strips, blockStrips);
  walk.firstRows = walk.strips * layout.rowStep - layout.rowStep + walk.reach;
  walk.ring = walk.firstRows;
  walk.plane = (walk.ring + (walk.chunks > 1 && layout.repeatsRow() ? 1 : 0)) * layout.pitch();
  walk.raw = layout.planes() * walk.plane;
  walk.total = walk.raw + warpsOfBlock * TensorWalk::rowsAhead(layout.pixelBytes) * layout.rawPitch();
  return walk;
}

bool fitsInWarps(const TensorLayout& layout, int strips, int shared) {
  const TensorWalk walk = warpsWith(layout, strips, 2 * strips);
  return walk.total + declaredShared <= shared && corePlacesOf(layout, walk) <= mostCorePlaces;
}

}  // namespace

bool fitsInWarps(const TensorLayout& layout) { return fitsInWarps(layout, 1, leastShared); }

TensorWalk warpWalk(const TensorLayout& layout, int width, int height, int multiprocessors, int shared) {
  const int strips = ceilDiv(height, layout.rowStep);
  // A share of a multiprocessor's memory for each block, or all of it where few strips would fit.
  const int share = (shared + keptShared) / warpBlocksTogether - keptShared;
  const int wanted = std::max(warpsOfBlock, rowsOfChunk / layout.rowStep);
  const auto fitting = [&](int bytes) {
    int chunk = wanted;
    while (chunk > 1 && !fitsInWarps(layout, chunk, bytes)) --chunk;
    return chunk < warpsOfBlock ? chunk : chunk / warpsOfBlock * warpsOfBlock;
  };
  const bool together = fitsInWarps(layout, warpsOfBlock, share);
  const int chunk = fitting(together ? share : shared);
  const double steps = static_cast<double>(layout.blocks) * layout.steps;
  const double around = stepsAround + stepsOfRow * layout.reach();
  const int best =
      evenStrips(ceilDiv(width, layout.width()), strips, chunk * TensorWalk::mostChunks,
                 multiprocessors * (together ? warpBlocksTogether : 1), steps / warpsOfBlock, around);
  return warpsWith(layout, chunk, best);
}

bool fitsInBlock(const TensorLayout& layout, int chunkRows) {
  return fits(layout, std::max(ceilDiv(chunkRows, layout.rowStep), fewestStrips(layout)));
}

double busyShare(const TensorLayout& layout) {
  const int consumers = consumersOf(layout);
  const int turnsOfTwo = 2 * layout.groups / groupsOfProduct;
  int strips = ceilDiv(consumers, turnsOfTwo);
  while (strips > 1 && !fits(layout, strips)) --strips;
  return std::min(1.0, static_cast<double>(strips * turnsOfTwo) / consumers);
}

TensorWalk tensorWalk(const TensorLayout& layout, int width, int height, int multiprocessors) {
  const int columns = ceilDiv(width, layout.width()) * (layout.combined ? 1 : layout.passes);
  const int strips = ceilDiv(height, layout.rowStep);
  const int fewest = fewestStrips(layout);
  int chunk = std::max(fewest, rowsOfChunk / layout.rowStep);
  while (chunk > fewest && !fits(layout, chunk)) --chunk;
  const double around = turnsAround(layout.parts) + turnsOfRow * layout.reach();
  const double turnsOfStrip =
      static_cast<double>(layout.groups) / groupsOfProduct * (layout.combined ? layout.passes : 1);
  const int best =
      evenStrips(columns, strips, chunk * TensorWalk::mostChunks, multiprocessors, turnsOfStrip, around);
  // Two chunks are staged without waiting for anybody.
  return walkWith(layout,
                  std::max(std::min(chunk, ceilDiv(best, chunksOfBlock)), std::min(fewest, ceilDiv(best, 2))),
                  best);
}

}  // namespace bankside::cuda

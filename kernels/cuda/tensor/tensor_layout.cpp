#include "kernels/cuda/tensor/tensor_layout.h"

#include <algorithm>
#include <iterator>

namespace bankside::cuda {
namespace {

/// What a block may take where two are to share a multiprocessor (1 KiB of 228 is the system's, for each),
/// and where it has it to itself.
constexpr int halfOfShared = 112 * 1024;
constexpr int allOfShared = 226 * 1024;
/// Taps may take so much of it.
constexpr int mostTapBytes = 64 * 1024;
constexpr int unitBytes = 16;
constexpr int mostRowStep = 16;
/// Rows of a chunk: below that, halo rows and barriers are most of what is done.
constexpr int fewRows = 8;
constexpr int manyRows = 48;

TensorLayout layoutWith(const ConvolutionProblem& p, int shiftsLog2, int rowStep, int tapColumns,
                        bool everyProduct) {
  TensorLayout layout;
  layout.parts = pixelPartsOf(p.srcType);
  layout.everyProduct = everyProduct;
  // Halves as pixels leave no bits to spare, parts of pixels few: their chains grow with what serial f32 sums
  // would err. An even number, see `steps`.
  const int taps = p.filterHeight * p.filterWidth;
  if (p.srcType == ElementType::F16) layout.longest = std::clamp(taps / 15, 8, longestChain) & ~1;
  if (layout.parts == PixelParts::Split)
    layout.longest = std::clamp(std::min(taps / 10 + 2, taps / 16 + 5), 4, longestChain) & ~1;
  layout.shiftsLog2 = shiftsLog2;
  layout.rowStep = rowStep;
  layout.tapColumns = tapColumns;
  layout.cores = ceilDiv(p.filterWidth + layout.shifts() - 1, 8);
  layout.steps = ceilDiv((p.filterHeight + rowStep - 1) * layout.cores, 2);
  layout.steps = roundUp(layout.steps, 2 * layout.chains());
  const int blocks = ceilDiv(p.filterCount * rowStep, layout.unitsPerBlock());
  layout.blocks = std::clamp(mostTapBytes / layout.blockBytes(), 1, blocks);
  layout.passes = ceilDiv(blocks, layout.blocks);
  // The last pass may be as full as the others.
  layout.blocks = ceilDiv(blocks, layout.passes);
  return layout;
}

SharedPlan planWith(const TensorLayout& layout, int warpgroups, int strips, int chunks = 1) {
  SharedPlan plan;
  plan.warpgroups = warpgroups;
  plan.stagers = chunks > 1 ? 1 : 0;
  plan.strips = strips;
  plan.chunks = chunks;
  plan.units = layout.passBytes();
  plan.pixels = plan.units + layout.units() * unitBytes;
  const int chunk = strips * layout.rowStep;
  plan.ring = chunk - layout.rowStep + layout.reach() + (chunks > 1 ? chunk : 0);
  plan.plane = (plan.ring + (chunks > 1 && layout.repeatsRow() ? 1 : 0)) * layout.pitch();
  // The last row's descriptors, of the last plane.
  plan.total = plan.pixels + layout.planes() * plan.plane + descriptorReach - groupsOfProduct * coreBytes;
  return plan;
}

/// The walk that is done first, or a plan of no strips where shared memory holds too little for one.
SharedPlan walkingPlan(const TensorLayout& layout, int width, int height, int multiprocessors) {
  const int warpgroups =
      mostTensorThreads(layout.tapColumns, layout.parts, layout.chained()) / tensorWarpgroup;
  const int turnsOfStrip = layout.groups / groupsOfProduct;
  const int columns = ceilDiv(width, layout.width()) * layout.passes;
  SharedPlan best;
  best.strips = 0;
  double least = 0;
  for (int strips = ceilDiv(fewRows, layout.rowStep); strips * layout.rowStep <= manyRows; ++strips) {
    if (planWith(layout, warpgroups, strips, 2).total > allOfShared) break;
    // Warpgroups take turns.
    const double turns = ceilDiv(strips * turnsOfStrip, warpgroups - 1) * static_cast<double>(warpgroups - 1);
    const int all = ceilDiv(height, strips * layout.rowStep);
    for (int chunks = 2; chunks <= std::min(mostChunks, all); ++chunks) {
      const int rounds = ceilDiv(columns * ceilDiv(all, chunks), multiprocessors);
      // Staging the first chunk, and every barrier, is time that nobody multiplies in.
      const double first =
          0.3 * (strips + static_cast<double>(layout.reach()) / layout.rowStep) * turnsOfStrip;
      const double time = rounds * (chunks * (turns + 1.5) + first);
      if (best.strips > 0 && time >= least) continue;
      least = time;
      best = planWith(layout, warpgroups, strips, chunks);
    }
  }
  return best;
}

// What follows was fitted to 171 times of 26 layouts of u8 banks on an H200 (4096 x 4096, K = 7 to 15, F = 1
// to 32), and set by a few of other types. The layout that comes out is the fastest or within 4 % in ten of
// the eleven problems.

/// Cycles of a multiprocessor for one instruction: more than its tensor cores need (half a cycle a column),
/// since both matrices come from shared memory.
double cyclesOf(int tapColumns) { return 0.43 * tapColumns + 16; }
/// For every chain, where there are several.
constexpr double cyclesOfChain = 250;
/// To stage one group: by one warpgroup while others multiply, or by all before they do.
constexpr double cyclesOfGroup = 6;
constexpr double cyclesOfGroupByAll = 2.5;
/// To write one result pixel; groups of few pixels are written in shorter runs.
double cyclesOfResult(int shifts) { return 0.17 * (shifts == 2 ? 1.25 : shifts == 4 ? 1.1 : 1.0); }
/// What is done at the same time gets in each other's way.
constexpr double shareOfSecond = 0.6;
constexpr double shareOfThird = 0.08;

bool walks(const TensorLayout& layout) {
  return layout.mayWalk && planWith(layout, 4, ceilDiv(fewRows, layout.rowStep), 2).total <= allOfShared;
}

/// Rows staged for one row of results, where no block walks: halo rows are staged again for every tile.
double stagedRows(const TensorLayout& layout) {
  int strips = ceilDiv(manyRows, layout.rowStep);
  while (strips > 1 && planWith(layout, 4, strips).total > allOfShared) --strips;
  const double rows = strips * layout.rowStep;
  return (rows + layout.reach()) / rows;
}

/// Cycles of a multiprocessor for the products of one result pixel, all filters.
double layoutCost(const TensorLayout& layout) {
  double step = cyclesOf(layout.tapColumns);
  if (layout.parts == PixelParts::Split) step += layout.chained() ? step : cyclesOf(layout.tapColumns / 2);
  const double chains = layout.chained() ? layout.chains() * layout.planes() * cyclesOfChain : 0.0;
  return layout.passes * layout.blocks * (layout.steps * step + chains) /
         (groupsOfProduct * layout.shifts() * layout.rowStep);
}

/// Cycles of a multiprocessor for one result pixel, all filters and everything that is done for it.
double wholeCost(const TensorLayout& layout, const ConvolutionProblem& p, bool combined) {
  const double products = layoutCost(layout);
  const double writing = cyclesOfResult(layout.shifts()) * (combined ? 2 : p.filterCount + 1);
  // Groups overlap: with more outputs each, fewer are staged, once a pass if results are not combined.
  const double groups =
      static_cast<double>(layout.planes() * (combined ? 1 : layout.passes)) / layout.shifts();
  if (!walks(layout)) {
    return std::max(products, writing) + shareOfSecond * std::min(products, writing) +
           cyclesOfGroupByAll * groups * stagedRows(layout);
  }
  double work[] = {products, writing, cyclesOfGroup * groups};
  std::sort(std::begin(work), std::end(work));
  return work[2] + shareOfSecond * work[1] + shareOfThird * work[0];
}

/// Whether a lane can combine what it holds: rows of a strip must not share a lane, and where it matters
/// which filter came first, filters must not share several.
bool combines(const TensorLayout& layout, Combine combine) {
  if (layout.unitsOfEight() % layout.rowStep != 0) return false;
  const bool inOrder = combine == Combine::ArgMax || combine == Combine::AbsMax;
  return !inOrder || layout.filtersOfEight() == 1;
}

}  // namespace

Fused fusedWith(const ConvolutionProblem& p) { return p.filterCount == 1 ? Fused::None : fusedOf(p.combine); }

TensorLayout tensorLayout(const ConvolutionProblem& p, bool everyProduct) {
  const bool combined = fusedWith(p) != Fused::None;
  TensorLayout best;
  double bestCost = 0;
  for (const int shiftsLog2 : {3, 2, 1}) {
    for (int rowStep = 1; rowStep <= mostRowStep; ++rowStep) {
      for (const int tapColumns : {48, 64, 96, 128}) {
        TensorLayout layout = layoutWith(p, shiftsLog2, rowStep, tapColumns, everyProduct);
        layout.mayWalk = p.srcType != ElementType::F32 && !(combined && layout.passes > 1);
        // Several sums of a result together are more than the registers hold.
        if ((layout.chained() || layout.parts == PixelParts::Split) && tapColumns == 128) continue;
        if (combined && !combines(layout, p.combine)) continue;
        if (planWith(layout, 2, 1).total > allOfShared) layout.groups = groupsOfProduct;
        if (layout.steps > mostSteps || planWith(layout, 2, 1).total > allOfShared) continue;
        const double cost = wholeCost(layout, p, combined);
        if (bestCost == 0 || cost < 0.98 * bestCost) {
          best = layout;
          bestCost = cost;
        }
      }
    }
  }
  return best;
}

double tensorCost(const ConvolutionProblem& p) {
  return wholeCost(tensorLayout(p), p, fusedWith(p) != Fused::None);
}

SharedPlan sharedPlan(const TensorLayout& layout, int width, int height, int multiprocessors) {
  if (layout.mayWalk) {
    const SharedPlan plan = walkingPlan(layout, width, height, multiprocessors);
    if (plan.strips > 0) return plan;
  }
  constexpr struct { int warpgroups, bytes; } ways[] = {{2, halfOfShared}, {4, allOfShared}};
  SharedPlan best;
  for (const auto& way : ways) {
    int strips = std::max(1, 32 / layout.rowStep);
    const auto plan = [&] { return planWith(layout, way.warpgroups, strips); };
    while (strips > 1 && plan().total > way.bytes) --strips;
    if (plan().total > way.bytes) continue;
    if (best.total == 0 || strips > best.strips) best = plan();
    if (strips * layout.rowStep >= fewRows) break;
  }
  int strips = best.strips;
  const auto blocks = [&] {
    return static_cast<double>(ceilDiv(width, layout.width())) * ceilDiv(height, strips * layout.rowStep);
  };
  while (strips > 1 && blocks() < 3.0 * multiprocessors) strips /= 2;
  // Warpgroups take turns.
  const int turns = layout.groups / groupsOfProduct;
  while (strips > best.warpgroups && strips * turns % best.warpgroups != 0) --strips;
  return planWith(layout, best.warpgroups, strips);
}

}  // namespace bankside::cuda

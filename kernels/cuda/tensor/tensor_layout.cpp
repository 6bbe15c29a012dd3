#include "kernels/cuda/tensor/tensor_layout.h"

#include <algorithm>

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

int unitsOf(const ConvolutionProblem& p, int rowStep) { return p.filterCount * rowStep; }

TensorLayout layoutWith(const ConvolutionProblem& p, int shifts, int rowStep) {
  TensorLayout layout;
  layout.parts = pixelPartsOf(p.srcType);
  // Halves as pixels leave no bits to spare: their chains grow with what serial f32 sums would err.
  if (p.srcType == ElementType::F16)
    layout.longest = std::clamp(p.filterHeight * p.filterWidth / 15, 8, longestChain);
  layout.shifts = shifts;
  layout.rowStep = rowStep;
  layout.cores = ceilDiv(p.filterWidth + shifts - 1, 8);
  layout.steps = ceilDiv((p.filterHeight + rowStep - 1) * layout.cores, 2);
  layout.steps = roundUp(layout.steps, layout.chains());
  const int blocks = ceilDiv(unitsOf(p, rowStep), layout.unitsPerBlock());
  layout.blocks = std::clamp(mostTapBytes / layout.blockBytes(), 1, blocks);
  layout.passes = ceilDiv(blocks, layout.blocks);
  // The last pass may be as full as the others.
  layout.blocks = ceilDiv(blocks, layout.passes);
  return layout;
}

SharedPlan planWith(const TensorLayout& layout, Fused fused, int warpgroups, int strips) {
  SharedPlan plan;
  plan.warpgroups = warpgroups;
  plan.strips = strips;
  plan.units = layout.passBytes();
  plan.results = plan.units + layout.units() * unitBytes;
  plan.pixels = plan.results + warpgroups * layout.combineBytes(fused);
  const int rows = (strips - 1) * layout.rowStep + layout.reach();
  plan.plane = rows * layout.pitch();
  // The last row's descriptors, of the last plane.
  plan.total = plan.pixels + layout.planes() * plan.plane + descriptorReach - layout.columns * coreBytes;
  return plan;
}

}  // namespace

double layoutCost(const TensorLayout& layout) {
  return static_cast<double>(layout.passes) * layout.blocks * layout.steps * layout.planes() /
         (layout.shifts * layout.rowStep);
}

Fused fusedWith(const ConvolutionProblem& p) { return p.filterCount == 1 ? Fused::None : fusedOf(p.combine); }

TensorLayout tensorLayout(const ConvolutionProblem& p) {
  TensorLayout best;
  double bestCost = 0;
  for (const int shifts : {2, 4}) {
    // Four outputs with the number of a filter each are more than the registers hold.
    if (shifts == 4 && p.combine == Combine::ArgMax) continue;
    for (int rowStep = 1; rowStep <= mostRowStep; ++rowStep) {
      TensorLayout layout = layoutWith(p, shifts, rowStep);
      const Fused fused = fusedWith(p);
      const bool combined = fused != Fused::None;
      if (layout.keepsMuch(combined) || planWith(layout, fused, 2, 1).total > allOfShared)
        layout.columns = 64;
      if (layout.steps > mostSteps || planWith(layout, fused, 2, 1).total > allOfShared) continue;
      if (rowStep > 1) {
        // Stacked rows that do not fill a block are free; more blocks of taps are not.
        if (layout.blockBytes() > mostTapBytes) continue;
        // A combine wants all filters of a row in one place.
        if (layout.passes > 1 || (combined && layout.blocks > 1)) continue;
      }
      // With four outputs a group is staged once for twice the pixels.
      const double cost = layoutCost(layout) + 0.4 / shifts;
      if (bestCost == 0 || cost < 0.97 * bestCost) {
        best = layout;
        bestCost = cost;
      }
    }
  }
  return best;
}

SharedPlan sharedPlan(const TensorLayout& layout, Fused fused, int width, int height, int multiprocessors) {
  constexpr int fewRows = 8;  // below that, halo rows are most of what is staged
  constexpr struct {
    int warpgroups, bytes;
  } ways[] = {{2, halfOfShared}, {4, allOfShared}, {2, allOfShared}};
  SharedPlan best;
  for (const auto& way : ways) {
    int strips = std::max(1, 32 / layout.rowStep);
    const auto plan = [&] { return planWith(layout, fused, way.warpgroups, strips); };
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
  if (strips > best.warpgroups) strips -= strips % best.warpgroups;
  return planWith(layout, fused, best.warpgroups, strips);
}

}  // namespace bankside::cuda

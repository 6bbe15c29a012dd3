#include "kernels/cuda/tensor/tensor_choice.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "kernels/cuda/tensor/tensor_walk.h"

namespace bankside::cuda {
namespace {

/// Taps of filters that are written one by one may take so much of shared memory.
constexpr int mostTapBytes = 64 * 1024;
constexpr int mostRowStep = 16;
/// Rows of a chunk that a block should have room for.
constexpr int fewRows = 8;
/// Instructions of a sum.
constexpr int mostSumSteps = 32;
/// Of a chain that is over so soon that split pixels should not have a second one.
constexpr int fewSteps = 6;

/// Instructions of a sum, at most, so that it errs less than serial f32 sums do, which err the more the
/// larger the filter. Measured (H200, squares from the smallest that the planner takes to 31, taps of both
/// signs and of one): 0.37 to 0.92 of their largest error.
/// Not measured on what `mma.sync` is for: an instruction may add its products in two eights there, and cut
/// off after each, so that it errs so much more (11 of 9.5 cut-off bits in the mean). Shares that keep the
/// host's model of it (tensor_error_test.cpp) below serial f32's error.
double shareOfWarps(ElementType type) {
  return type == ElementType::U16 || type == ElementType::F16 ? 0.6 : 0.8;
}
int longestSum(const ConvolutionProblem& p, TensorForm form) {
  const double side = std::sqrt(static_cast<double>(p.filterHeight) * p.filterWidth);
  double longest = 0;
  switch (p.srcType) {
    case ElementType::U8: longest = 1.25 * side; break;
    case ElementType::F16: longest = 0.8 * side; break;
    case ElementType::U16: longest = 0.57 * side; break;
    case ElementType::F32: longest = side < 7 ? 2 : std::max(side - 4, 4.0); break;
  }
  longest = std::min<double>(longest, mostSumSteps);
  if (form == TensorForm::Warps) longest *= shareOfWarps(p.srcType);
  return std::max(static_cast<int>(longest), 2);
}

int chainsOf(const TensorLayout& layout, const ConvolutionProblem& p) {
  // Exact sums may be as long as they like; beside rounded taps what long ones cut off is little.
  if (oneProduct(layout.products)) return 1;
  const int longest = longestSum(p, layout.form);
  const auto sums = [&](bool chained) {
    return layout.form == TensorForm::Warps ? 1 : sumsOfChain(layout.tapColumns, layout.parts, chained);
  };
  // One output's taps lie in so many instructions, the first perhaps half another row's of its strip; the
  // rest are other rows' alone.
  const int halfway = layout.cores % 2 != 0 && layout.rowStep > 1 ? 1 : 0;
  const int own = ceilDiv(p.filterHeight * layout.cores + halfway, 2);
  if (own <= longest * sums(false)) return 1;
  return ceilDiv(layout.steps, longest * sums(true));
}

/// One chain of narrower instructions takes more of shared memory than two chains, but is started once; and
/// its sums leave registers for more columns.
TapParts halvesOf(const TensorLayout& layout) {
  if (oneProduct(layout.products)) return TapParts::High;
  if (layout.form == TensorForm::Warps || layout.parts == PixelParts::Whole || layout.chained())
    return TapParts::Both;
  const bool apart = layout.tapColumns > 96 || (layout.tapColumns == 96 && layout.steps <= fewSteps);
  return apart ? TapParts::Apart : TapParts::Both;
}

TensorLayout layoutWith(const ConvolutionProblem& p, PartialProducts products, const TensorChoice& choice,
                        TensorForm form) {
  TensorLayout layout;
  layout.form = form;
  layout.products = products;
  layout.parts = pixelPartsOf(p.srcType, products);
  layout.pixelBytes = static_cast<int>(sizeOf(p.srcType));
  layout.combined = fusedWith(p) != Fused::None;
  layout.shiftsLog2 = std::countr_zero(static_cast<unsigned>(choice.shifts));
  layout.rowStep = choice.rowStep;
  layout.tapColumns = choice.tapColumns;
  layout.cores = ceilDiv(p.filterWidth + layout.shifts() - 1, 8);
  layout.steps = ceilDiv((p.filterHeight + layout.rowStep - 1) * layout.cores, 2);
  layout.chains = chainsOf(layout, p);
  layout.steps = roundUp(std::max(layout.steps, 2), layout.chains);
  layout.halves = halvesOf(layout);
  const int blocks = ceilDiv(p.filterCount * layout.rowStep, layout.unitsPerBlock());
  // Combined filters are best in one pass.
  layout.blocks = blocks;
  if (form == TensorForm::Warps) {
    layout.groups = groupsOfProduct;
    return layout;
  }
  if (!layout.combined || !fitsInBlock(layout, fewRows)) {
    int most = mostTapBytes / layout.blockBytes();
    if (most >= 2 && most < blocks && layout.combined) {
      layout.tapBuffers = 2;
      most /= 2;
    }
    layout.blocks = std::clamp(most, 1, blocks);
    layout.passes = ceilDiv(blocks, layout.blocks);
    // The last pass may be as full as the others.
    layout.blocks = ceilDiv(blocks, layout.passes);
  }
  if (!fitsInBlock(layout, layout.rowStep)) layout.groups = groupsOfProduct;
  return layout;
}

// What follows was fitted to 1,704 times of 107 banks on an H200 (4096 x 4096; K = 5 to 31, F = 1 to 32, u8,
// u16 and f32, with and without a maximum), each in 16 layouts: `bankside bench tune`; `cyclesOfChain` later,
// to 1,300 of banks in chains and of split pixels. The layout that comes out of those takes 2 % more than the
// fastest one in the mean, 41 % at most (a maximum of 32 filters 21 x 21); what the table has is taken before
// it. With one product 1 % and 5 % of 61 banks, which the table does not have.

/// Cycles of a multiprocessor for one instruction: more than its tensor cores need,
/// since both matrices come from shared memory.
double cyclesOf(int tapColumns) { return 0.387 * tapColumns + 10; }
/// The same for second parts of pixels and one half of the taps.
double cyclesOfSecondParts(int tapColumns) { return 0.387 * tapColumns / 2 + 16.3; }
/// For one of a step's instructions with halves apart; 231 times are 6 % above it (f32) to 6 % below it (u16)
/// in the mean, like those of other layouts.
double cyclesOfHalf(int tapColumns) { return 0.387 * tapColumns / 2 + 12; }
/// For every chain, where there are several.
constexpr double cyclesOfChain = 130;
/// Before and after a turn's products.
constexpr double cyclesOfTurn = 88;
constexpr double cyclesOfGroup = 3.33;
/// To look for the scale of f32 pixels, before everything else.
constexpr double cyclesOfScale = 0.6;
/// To write one result pixel: of smaller groups in shorter runs, which little hides where there is one
/// product (964 times of 61 banks).
double cyclesOfResult(const TensorLayout& layout) {
  const bool one = oneProduct(layout.products);
  constexpr double whole = 0.187;
  switch (layout.shifts()) {
    case 2: return whole * (one ? 1.15 : 1.05);
    case 4: return whole * (one ? 1.03 : 1.0);
    default: return whole;
  }
}
/// To combine one result pixel with those before it, and a turn's results to write.
constexpr double cyclesOfCombining = 0.057;
constexpr double cyclesOfCombined = 386;
/// A combined turn's taps, where passes take turns.
constexpr double cyclesOfPass = 1250;
/// What is done at the same time gets in each other's way.
constexpr double shareOfSecond = 0.504;
constexpr double shareOfThird = 0.444;

/// Cycles of a multiprocessor for the products of one result pixel, all filters.
double layoutCost(const TensorLayout& layout) {
  double step = cyclesOf(layout.tapColumns);
  if (layout.halves == TapParts::Apart) {
    step = (2 + layout.secondHalves()) * cyclesOfHalf(layout.tapColumns);
  } else if (layout.parts == PixelParts::Split) {
    step += layout.secondHalves() * cyclesOfSecondParts(layout.tapColumns);
  }
  const double chains = layout.chained() ? (layout.chains + layout.planes() - 1) * cyclesOfChain : 0.0;
  return layout.passes * layout.blocks * (layout.steps * step + chains + cyclesOfTurn) / layout.turnPixels() /
         std::sqrt(busyShare(layout));
}

/// Cycles of a multiprocessor for one result pixel, all filters and everything that is done for it.
double wholeCost(const TensorLayout& layout, const ConvolutionProblem& p) {
  double products = layoutCost(layout);
  double writing = cyclesOfResult(layout) * (p.filterCount + 1);
  if (layout.combined) {
    writing = cyclesOfCombining * p.filterCount + cyclesOfCombined / layout.turnPixels();
    if (layout.passes > 1) products += layout.passes * cyclesOfPass / layout.turnPixels();
  }
  // Groups overlap: with more outputs each, fewer are staged, once a pass if results are not combined.
  const double groups =
      static_cast<double>(layout.planes() * (layout.combined ? 1 : layout.passes)) / layout.shifts();
  double work[] = {products, writing, cyclesOfGroup * groups};
  std::sort(std::begin(work), std::end(work));
  const double scale = p.srcType == ElementType::F32 ? cyclesOfScale : 0;
  return work[2] + shareOfSecond * work[1] + shareOfThird * work[0] + scale;
}

/// By warps: an instruction's cycle, a step's loads of both matrices
/// where they take longer, and a share of what is done beside them.
constexpr double bytesACycle = 128;
constexpr double cyclesOfWarpStep = 6;
double warpCost(const TensorLayout& layout, const ConvolutionProblem& p, double slower) {
  const auto step = [&](int columns) {
    const double tiles = groupsOfProduct / 16;
    const double products = tiles * columns / 8 * slower;
    // Sums of 64 groups, or of 32 where two sums of each are kept.
    const double sweeps = layout.chained() || layout.parts == PixelParts::Split ? 2 : 1;
    return std::max(products, (tiles * 512 + sweeps * columns * 32) / bytesACycle) + cyclesOfWarpStep;
  };
  double steps = step(layout.tapColumns);
  if (layout.parts == PixelParts::Split) steps += layout.secondHalves() * step(layout.tapColumns / 2);
  const double products = layout.blocks * (layout.steps * steps + cyclesOfTurn) / layout.turnPixels();
  const double writing = layout.combined
                             ? cyclesOfCombining * p.filterCount + cyclesOfCombined / layout.turnPixels()
                             : cyclesOfResult(layout) * (p.filterCount + 1);
  const double staging = cyclesOfGroup * layout.planes() / layout.shifts();
  const double scale = p.srcType == ElementType::F32 ? cyclesOfScale : 0;
  return products + shareOfSecond * writing + shareOfThird * staging + scale;
}

/// Whether a lane can combine what it holds: rows of a strip must not share a lane, and where it matters
/// which filter came first, filters must not share several.
bool combines(const TensorLayout& layout, Combine combine) {
  if (layout.unitsOfEight() % layout.rowStep != 0) return false;
  const bool inOrder = combine == Combine::ArgMax || combine == Combine::AbsMax;
  return !inOrder || layout.filtersOfEight() == 1;
}

/// Whether blocks hold a choice's layout, and lanes can combine.
bool holds(const TensorLayout& layout, const ConvolutionProblem& p) {
  if (layout.combined && !combines(layout, p.combine)) return false;
  if (layout.form == TensorForm::Warps) return fitsInWarps(layout);
  // Several sums of a result together are more than the registers hold.
  if (layout.chained() && layout.tapColumns == 128) return false;
  return fitsInBlock(layout, layout.rowStep);
}

double costOf(const TensorLayout& layout, const ConvolutionProblem& p) {
  return layout.form == TensorForm::Warps ? warpCost(layout, p, 1) : wholeCost(layout, p);
}

}  // namespace

Fused fusedWith(const ConvolutionProblem& p) { return p.filterCount == 1 ? Fused::None : fusedOf(p.combine); }

std::vector<TensorChoice> tensorChoices(const ConvolutionProblem& p, PartialProducts products,
                                        TensorForm form) {
  std::vector<std::pair<double, TensorChoice>> found;
  for (const int shifts : {8, 4, 2}) {
    for (int rowStep = 1; rowStep <= mostRowStep; ++rowStep) {
      for (const int tapColumns : {48, 64, 96, 128}) {
        if (form == TensorForm::Warps && tapColumns != warpColumns) continue;
        const TensorChoice choice{shifts, rowStep, tapColumns};
        const TensorLayout layout = layoutWith(p, products, choice, form);
        if (holds(layout, p)) found.emplace_back(costOf(layout, p), choice);
      }
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  std::vector<TensorChoice> choices;
  for (const auto& [cost, choice] : found) choices.push_back(choice);
  return choices;
}

TensorLayout tensorLayout(const ConvolutionProblem& p, PartialProducts products, const TensorChoice& choice,
                          TensorForm form) {
  return layoutWith(p, products, choice.shifts > 0 ? choice : tensorChoices(p, products, form).front(), form);
}

double tensorCost(const ConvolutionProblem& p, PartialProducts products, const TensorUnits& units) {
  const TensorLayout layout = tensorLayout(p, products, {}, units.form);
  return units.form == TensorForm::Warps ? warpCost(layout, p, units.slower) : wholeCost(layout, p);
}

}  // namespace bankside::cuda

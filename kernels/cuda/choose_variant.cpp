#include "kernels/cuda/choose_variant.h"

#include <algorithm>

#include "core/bank_width.h"

namespace bankside::cuda {
namespace {

/// Pixels: about eight waves of 256 x 24 blocks on a GPU of a hundred multiprocessors.
constexpr double smallestForLargeBlocks = 8e6;

}  // namespace

std::vector<int> fittingVariants(const ConvolutionProblem& problem, int anchorX, int anchorY) {
  std::vector<int> list;
  for (std::size_t i = 0; i < variants().size(); ++i) {
    if (fits(variants()[i], problem, anchorX, anchorY)) list.push_back(static_cast<int>(i));
  }
  return list;
}

int chooseVariant(const ConvolutionProblem& problem, int anchorX, int anchorY) {
  const std::vector<int> list = fittingVariants(problem, anchorX, anchorY);
  const auto& all = variants();
  // The list puts the shape that suits a filter size best first, the form of any size after them, trials
  // last. One filter is made by a shape that does not work on two at a time.
  if (problem.filterCount == 1) {
    for (const int i : list) {
      const Variant& v = all[static_cast<std::size_t>(i)];
      if (v.trial == Trial::No && !v.paper() && v.form != Form::AnySize && v.shape.filtersPerPass == 1)
        return i;
    }
  }
  // The shapes for fused values have large blocks: too few of them in a small image.
  for (const int i : list) {
    const bool small = static_cast<double>(problem.width) * problem.height < smallestForLargeBlocks;
    const Variant& v = all[static_cast<std::size_t>(i)];
    if (!v.paper() && !(v.valueOnly && small)) return i;
  }
  return list.front();
}

BankSplit splitBank(const Choice& choice, const ConvolutionProblem& problem, int width, int height,
                    int multiprocessors) {
  const Variant& v = variants()[static_cast<std::size_t>(choice.variant)];
  const int count = problem.filterCount;
  const int across = ceilDiv(width, v.blockWidth());
  const int tiles = across * ceilDiv(height, v.blockHeight());
  if (problem.combine != Combine::None) return {count, ceilDiv(height, v.blockHeight())};
  const int perPass = v.shape.filtersPerPass;
  const int wave = multiprocessors * v.minBlocks;
  const int wholeRows = tiles / wave * wave / across;
  if (choice.filtersPerBlock > 0) {
    const int perBlock = std::min(roundUp(choice.filtersPerBlock, perPass), roundUp(count, perPass));
    return {perBlock, choice.tailOnly ? wholeRows : 0};
  }
  // Where there is a whole wave, only what is left over is split; else multiprocessors that would stand idle
  // are worth staging a tile again for every pass. (The register form loads too much for that.)
  if (tiles >= wave) return {roundUp(ceilDiv(count, 4), perPass), wholeRows};
  int parts = 1;
  const auto worth = [&](double waves, int passes) {
    return tiles * parts < waves * wave && count / (parts + 1) >= passes * perPass;
  };
  while ((v.form == Form::Tile && worth(0.4, 1)) || worth(8, 4)) ++parts;
  return {roundUp(ceilDiv(count, parts), perPass), 0};
}

int matchedPaperVariant(const ConvolutionProblem& problem, int anchorX, int anchorY) {
  const int n = bankWidthFactor(static_cast<int>(sizeOf(problem.srcType)));
  for (const int i : fittingVariants(problem, anchorX, anchorY)) {
    const Variant& v = variants()[static_cast<std::size_t>(i)];
    if (v.paper() && v.shape.pixels == n) return i;
  }
  return -1;
}

}  // namespace bankside::cuda

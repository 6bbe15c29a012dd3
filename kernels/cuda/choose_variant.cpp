#include "kernels/cuda/choose_variant.h"

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
      if (v.trial == Trial::No && v.form != Form::AnySize && v.shape.filtersPerPass == 1) return i;
    }
  }
  // The shapes for fused values have large blocks: too few of them in a small image.
  for (const int i : list) {
    const bool small = static_cast<double>(problem.width) * problem.height < smallestForLargeBlocks;
    if (!(all[static_cast<std::size_t>(i)].valueOnly && small)) return i;
  }
  return list.front();
}

int chooseFiltersPerBlock(const Variant& variant, const ConvolutionProblem& problem, int width, int height,
                          int multiprocessors) {
  if (problem.combine != Combine::None) return problem.filterCount;
  const double blocks =
      static_cast<double>(ceilDiv(width, variant.blockWidth())) * ceilDiv(height, variant.blockHeight());
  const double wave = static_cast<double>(multiprocessors) * variant.minBlocks;
  int chunks = 1;
  const auto worth = [&](double waves, int passes) {
    return blocks * chunks < waves * wave &&
           problem.filterCount / (chunks + 1) >= passes * variant.shape.filtersPerPass;
  };
  // Multiprocessors that would stand idle are worth staging a tile again for every pass; eight waves, so that
  // the last one matters less, only for every fourth. (The register form loads too much for the former.)
  while ((variant.form == Form::Tile && worth(0.4, 1)) || worth(8, 4)) ++chunks;
  return roundUp(ceilDiv(problem.filterCount, chunks), variant.shape.filtersPerPass);
}

}  // namespace bankside::cuda

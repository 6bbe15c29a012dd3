#include "kernels/cuda/choose_variant.h"

namespace bankside::cuda {

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
  return list.front();
}

int chooseFiltersPerBlock(const Variant& variant, const ConvolutionProblem& problem, int width, int height,
                          int multiprocessors) {
  if (problem.combine != Combine::None) return problem.filterCount;
  const double blocks =
      static_cast<double>(ceilDiv(width, variant.blockWidth())) * ceilDiv(height, variant.blockHeight());
  const double wanted = 8.0 * multiprocessors * variant.minBlocks;
  const int atLeast = 4 * variant.shape.filtersPerPass;  // less would not be worth staging the tile again
  int chunks = 1;
  while (blocks * chunks < wanted && problem.filterCount / (chunks + 1) >= atLeast) ++chunks;
  return roundUp(ceilDiv(problem.filterCount, chunks), variant.shape.filtersPerPass);
}

}  // namespace bankside::cuda

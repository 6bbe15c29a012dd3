#include "kernels/cuda/single_channel/choose_variant.h"

#include <algorithm>

#include "core/bench/bank_width.h"

namespace bankside::cuda {
namespace {

/// Pixels: about eight waves of 256 x 24 blocks on a GPU of a hundred multiprocessors.
constexpr double smallestForLargeBlocks = 8e6;
/// Responses: two blocks of two units for every multiprocessor of such a GPU.
constexpr double smallestForWideBlocks = 2e6;
/// Pixels: below it low blocks fill a device of a hundred multiprocessors better.
constexpr double largestForLowBlocks = 6e5;
/// Pixels: up to here short ones, which stand behind low ones in the list.
constexpr double largestForShortBlocks = 2e6;

bool isLarge(const ConvolutionProblem& problem) {
  return static_cast<double>(problem.width) * problem.height >= smallestForLargeBlocks;
}
/// Blocks of 24 rows that combine all filters.
bool wantsLargeImage(const Variant& v) { return v.valueOnly || v.indexOnly; }

}  // namespace

std::vector<int> fittingVariants(const ConvolutionProblem& problem, int anchorX, int anchorY,
                                 std::size_t mostShared) {
  std::vector<int> list;
  for (std::size_t i = 0; i < variants().size(); ++i) {
    if (fits(variants()[i], problem, anchorX, anchorY, mostShared)) list.push_back(static_cast<int>(i));
  }
  return list;
}

int chooseVariant(const ConvolutionProblem& problem, int anchorX, int anchorY, std::size_t mostShared) {
  const std::vector<int> list = fittingVariants(problem, anchorX, anchorY, mostShared);
  const double pixels = static_cast<double>(problem.width) * problem.height;
  const auto suits = [&](const Variant& v) {
    if (v.paper() || v.trial != Trial::No || v.form == Form::AnySize) return false;
    // One filter is made by a shape that does not work on two at a time.
    if (problem.filterCount == 1 && v.shape.filtersPerPass > 1) return false;
    switch (v.forSize) {
      case ForSize::Small: return problem.filterCount == 1 && pixels < largestForLowBlocks;
      case ForSize::Medium: return problem.filterCount == 1 && pixels < largestForShortBlocks;
      case ForSize::Large: return isLarge(problem) && problem.filterCount >= 16;
      case ForSize::Any: break;
    }
    return isLarge(problem) || !wantsLargeImage(v);
  };
  // Shapes for a size of image go first; else the list has the one that suits a filter size best in front.
  int first = -1;
  for (const int i : list) {
    const Variant& v = variants()[static_cast<std::size_t>(i)];
    if (!suits(v)) continue;
    if (v.forSize != ForSize::Any) return i;
    const bool single = problem.filterCount == 1 && v.name.ends_with("_single");
    if (first < 0 || single) first = i;
  }
  return first >= 0 ? first : chooseAnySize(problem, anchorX, anchorY, mostShared);
}

int chooseAnySize(const ConvolutionProblem& problem, int anchorX, int anchorY, std::size_t mostShared) {
  const double pixels = static_cast<double>(problem.width) * problem.height;
  // Filters that are written one by one may be other blocks' work.
  const double responses = problem.combine == Combine::None ? pixels * problem.filterCount : pixels;
  int any = -1;
  for (const int i : fittingVariants(problem, anchorX, anchorY, mostShared)) {
    const Variant& v = variants()[static_cast<std::size_t>(i)];
    if (v.form == Form::AnySize && (any < 0 || responses >= smallestForWideBlocks)) any = i;
  }
  return any;
}

int chooseFallback(const ConvolutionProblem& problem, int anchorX, int anchorY, std::size_t mostShared) {
  // One marked pixel takes as long as a block does.
  const auto suits = [&](const Variant& v) {
    if (v.form == Form::AnySize) return true;
    if (v.form != Form::Tile || v.trial != Trial::No || v.forSize != ForSize::Any) return false;
    if (wantsLargeImage(v) && !isLarge(problem)) return false;
    const int perPass = v.shape.filtersPerPass;
    const double taps = static_cast<double>(ceilDiv(problem.filterCount, perPass)) *
                        passStride(problem.filterHeight * v.tapStride(problem.filterWidth), perPass);
    return taps <= maxConstantTaps;
  };
  const std::vector<int> list = fittingVariants(problem, anchorX, anchorY, mostShared);
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](int i) { return suits(variants()[static_cast<std::size_t>(i)]); });
  return found == list.end() ? -1 : *found;
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
  // Many planes of small filters are written fastest two at a time, by blocks that the device starts
  // together.
  if (problem.filterWidth <= 3 && count >= 16 && tiles >= 4 * wave) return {2, 0};
  // Where there is a whole wave of blocks, only what is left over is split; else as much as fills one wave.
  if (tiles >= wave) return {roundUp(ceilDiv(count, 4), perPass), wholeRows};
  const int parts = std::clamp(wave / tiles, 1, ceilDiv(count, perPass));
  return {roundUp(ceilDiv(count, parts), perPass), 0};
}

int matchedPaperVariant(const ConvolutionProblem& problem, int anchorX, int anchorY) {
  const int n = bankWidthFactor(static_cast<int>(sizeOf(problem.srcType)));
  for (const int i : fittingVariants(problem, anchorX, anchorY)) {
    const Variant& v = variants()[static_cast<std::size_t>(i)];
    if (v.paper() && !v.tuned && v.shape.pixels == n) return i;
  }
  return -1;
}

int choosePaperVariant(const ConvolutionProblem& problem, int anchorX, int anchorY) {
  for (const int i : fittingVariants(problem, anchorX, anchorY)) {
    if (variants()[static_cast<std::size_t>(i)].tuned && problem.srcType == ElementType::F32) return i;
  }
  return matchedPaperVariant(problem, anchorX, anchorY);
}

}  // namespace bankside::cuda

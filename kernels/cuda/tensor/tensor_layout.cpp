#include "kernels/cuda/tensor/tensor_layout.h"

#include <algorithm>

namespace bankside::cuda {
namespace {

TensorLayout layoutWith(const ConvolutionProblem& p, int columns, int rowStep) {
  TensorLayout layout;
  layout.parts = pixelPartsOf(p.srcType);
  layout.columns = columns;
  layout.rowStep = rowStep;
  layout.paired = p.filterWidth <= 8;
  layout.sweeps = p.filterWidth > 16 ? 2 : 1;
  const int rows = p.filterHeight + rowStep - 1;
  layout.steps = layout.paired ? ceilDiv(rows, 2) : rows;
  layout.passes = ceilDiv(p.filterCount * rowStep, layout.slots());
  return layout;
}

}  // namespace

double layoutCost(const TensorLayout& layout) {
  return static_cast<double>(layout.passes) * layout.columns * layout.sweeps * layout.steps / layout.rowStep;
}

TensorLayout tensorLayout(const ConvolutionProblem& p) {
  TensorLayout best;
  double bestCost = 0;
  for (const int columns : {64, 24}) {
    if (columns == 64 && pixelPartsOf(p.srcType) == PixelParts::Split) continue;
    // A combine wants all filters of a row in one place.
    const bool mayStack = p.combine == Combine::None || p.filterCount == 1;
    const int rowStep = mayStack ? std::max(1, columns / 2 / p.filterCount) : 1;
    const TensorLayout layout = layoutWith(p, columns, rowStep);
    // A block's taps stay in shared memory, and more than one block in a multiprocessor.
    if (layout.passBytes() > 64 * 1024 && columns > 24) continue;
    // With rows of their own, sums share no pixels: those are read anew for each.
    const double cost = layoutCost(layout) * (rowStep > 1 ? 1.4 : 1.0);
    if (bestCost == 0 || cost < bestCost) {
      best = layout;
      bestCost = cost;
    }
  }
  return best;
}

int stripsPerBlock(const TensorLayout& layout, int width, int height, int multiprocessors) {
  const int stripRows = sumRows(layout.columns, layout.parts) * layout.rowStep;
  int strips = std::max(1, 32 / stripRows);
  const auto blocks = [&] {
    return static_cast<double>(ceilDiv(width, TensorBlock::width)) * ceilDiv(height, strips * stripRows);
  };
  while (strips > 1 && blocks() < 8.0 * multiprocessors) strips /= 2;
  return strips;
}

std::size_t sharedBytes(const TensorLayout& layout, int strips) {
  const int sumRow = sumRows(layout.columns, layout.parts);
  const int rows = strips * sumRow * layout.rowStep - layout.rowStep + layout.reach();
  const int results = 4 * layout.slots() * resultWords(sumRow);
  const int pixels = layout.planes() * TensorBlock::stride(layout.paired) * rows;
  return static_cast<std::size_t>(layout.passBytes()) + static_cast<std::size_t>(results + pixels) * 4;
}

}  // namespace bankside::cuda

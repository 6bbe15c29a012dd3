#include "kernels/highway/direct_strips.h"

#include <algorithm>

namespace bankside::direct {
namespace {

/// Banks with this few taps read f32 rows where they lie; with more taps the copy is lost in the sum.
constexpr double inPlaceTaps = 400;

}  // namespace

DirectStrips::DirectStrips(const ConvolutionProblem& problem, const CorrelationTaps& taps)
    : problem_(problem),
      taps_(taps),
      kernels_(rowKernels()),
      program_(makeDirectProgram(problem, taps)),
      inPlace_(lowEnoughInPlace(problem) && tapsAPixel() * problem.filterCount <= inPlaceTaps) {
  for (const FilterBlock& block : program_.blocks) {
    kernelsOf_.push_back({kernelFor(kernels_, block.count, block.step, rowsAtOnce(block.count)),
                          kernelFor(kernels_, block.count, block.row, 1)});
  }
}

double DirectStrips::tapsAPixel() const {
  return static_cast<double>(problem_.tapChannels()) * problem_.filterHeight * problem_.filterWidth;
}

void DirectStrips::compute(const SourceBand& in, const Region& region, const StripTile& tile,
                           RowWindow& window, RowOutput& output, const std::stop_token& stop) const {
  const ConvolutionProblem& p = problem_;
  const int channel = p.channelMode == ChannelMode::Summed ? 0 : tile.group;
  const RowRange all{region.y + tile.top - taps_.anchorY, tile.bottom - tile.top + p.filterHeight - 1};
  window.start(p, taps_, in, kernels_, channel, region.x + tile.x, tile.width, program_.windowRows, inPlace_,
               all);
  const int step = window.whole() && output.takesTallSteps() ? tile.bottom - tile.top : program_.stepRows;
  for (int y = tile.top; y < tile.bottom; y += step) {
    const int rows = std::min(step, tile.bottom - y);
    window.moveTo(region.y + y, p.filterHeight + rows - 1);
    output.begin(y, rows);
    for (std::size_t i = 0; i < program_.blocks.size(); ++i)
      runBlock(program_.blocks[i], kernelsOf_[i], rows, window, output, stop);
    output.finish();
  }
}

void DirectStrips::runBlock(const FilterBlock& block, const Kernels& kernels, int rows,
                            const RowWindow& window, RowOutput& output, const std::stop_token& stop) const {
  const int atOnce = rowsAtOnce(block.count);
  BlockCall call;
  for (int row = 0; row < rows;) {
    if (stop.stop_requested()) throw Cancelled();
    const bool step = row + atOnce <= rows;
    const int made = step ? atOnce : 1;
    call.program = step ? &block.step : &block.row;
    output.aim(block.first, block.count, row, made, call);
    callOverWindow(window, row, output.width(), step ? kernels.step : kernels.row, call);
    output.store(block.first, block.count, row, made);
    row += made;
  }
}

}  // namespace bankside::direct

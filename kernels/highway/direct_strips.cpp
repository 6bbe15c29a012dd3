#include "kernels/highway/direct_strips.h"

#include <algorithm>

namespace bankside::direct {
namespace {

/// Banks with this few taps read f32 rows where they lie; with more taps the copy is lost in the sum.
constexpr double inPlaceTaps = 400;

}  // namespace

DirectStrips::DirectStrips(const ConvolutionProblem& problem, const CorrelationTaps& taps)
    : problem_(problem), taps_(taps), kernels_(rowKernels()), program_(makeDirectProgram(problem, taps)) {}

double DirectStrips::tapsAPixel() const {
  return static_cast<double>(problem_.tapChannels()) * problem_.filterHeight * problem_.filterWidth;
}

void DirectStrips::compute(const SourceBand& in, const Region& region, const StripTile& tile,
                           RowWindow& window, RowOutput& output, const std::stop_token& stop) const {
  const ConvolutionProblem& p = problem_;
  const int channel = p.channelMode == ChannelMode::Summed ? 0 : tile.group;
  const bool inPlace = lowEnoughInPlace(p) && tapsAPixel() * p.filterCount <= inPlaceTaps;
  const SourceRows all{region.y + tile.top - taps_.anchorY, tile.bottom - tile.top + p.filterHeight - 1};
  window.start(p, taps_, in, kernels_, channel, region.x + tile.x, tile.width, program_.windowRows, inPlace,
               all);
  for (int y = tile.top; y < tile.bottom; y += program_.stepRows) {
    const int rows = std::min(program_.stepRows, tile.bottom - y);
    window.moveTo(region.y + y, p.filterHeight + rows - 1);
    output.begin(y, rows);
    for (const FilterBlock& block : program_.blocks) {
      const int atOnce = rowsAtOnce(block.count);
      int row = 0;
      for (; row + atOnce <= rows; row += atOnce)
        runBlock(block, block.step, row, atOnce, window, output, stop);
      for (; row < rows; ++row) runBlock(block, block.row, row, 1, window, output, stop);
    }
    output.finish();
  }
}

void DirectStrips::runBlock(const FilterBlock& block, const TapProgram& program, int row, int rows,
                            const RowWindow& window, RowOutput& output, const std::stop_token& stop) const {
  if (stop.stop_requested()) throw Cancelled();
  BlockCall call;
  call.program = &program;
  output.aim(block.first, block.count, row, rows, call);
  callOverWindow(window, row, output.width(), kernelFor(kernels_, block.count, program, rows), call);
  output.store(block.first, block.count, row, rows);
}

}  // namespace bankside::direct

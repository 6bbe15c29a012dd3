// How `cpu:direct` works, and why.
//
// A strip of output rows is made step by step from a ring of padded float rows (row_window.h), so every
// source row is converted once a strip and no padded image exists. A block of filters (tap_program.h) walks
// the rows of a step with filters x rows x vectors of sums in registers (block_kernel-inl.h): 6 x 1 x 4
// vectors with 32 registers, 6 x 1 x 2 with 16; a single filter takes 4 rows at once, because loads that
// cross cache lines, not multiply-adds, are what it runs out of. Every sum starts at +0 and takes its taps in
// order c, ky, kx.
//
// What was tried, on a two-core virtual machine with a Zen 4 server CPU, one thread, 2048 x 2048 f32, dense:
// - This CPU does one 512-bit multiply-add a cycle (117 GFLOP/s measured, the same as with AVX2). Twelve
//   filters run at 66% of that at K = 3, 80% at 5, 88% at 7, 92% at 9, 95% at 11, 97% at 15.
// - Sums spilt to memory between the taps and the stores: K = 3 took 15.1 ms instead of 11.8.
// - GCC reloading pixels for each use (see loadOnce): a single 3 x 3 took 3.7 ms instead of 2.2.
// - Blocks of 1 to 6 filters differ by less than 10% from K = 9 on: a sparse bank may be cut by its zeros.
// - Reading f32 rows in place: a single 3 x 3 at 4096 x 4096 took 8 ms instead of 12; twelve gained nothing.
// - Streaming stores at K = 3: writing twelve maps alone takes 7.4 ms, the multiply-adds alone 7.7 ms, both
//   together 12 ms; nothing made them overlap better (2 vectors instead of 4: 14.3 ms; the nine pixels held
//   in registers and the filters brought to them: 13.1 ms, though 10% faster in the caches; prefetching:
//   nothing).
// On Zen 5 (two such multiply-adds a cycle):
// - The maximum of twelve 3 x 3 filters was 4% slower with a look for NaN at each pixel instead of a second
//   one at each response; row ends as wide as a kernel's pixels made it 3 to 8% faster.
#include "kernels/highway/direct_engine.h"

#include <algorithm>

#include "kernels/highway/strip_plan.h"

namespace bankside {
namespace {

using namespace direct;

/// Banks with this few taps read f32 rows where they lie; with more taps the copy is lost in the sum.
constexpr double inPlaceTaps = 400;

class DirectPlan final : public StripPlan {
 public:
  DirectPlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
      : StripPlan(problem, bank, options), program_(makeDirectProgram(problem, taps())) {}

  PlanInfo info() const override {
    int filters = 0;
    for (const FilterBlock& b : program_.blocks) filters = std::max(filters, b.count);
    const int rows = rowsAtOnce(filters);
    std::string text = std::string(kernels().target) + (kernels().fused ? ", " : " (no FMA), ");
    text += std::to_string(filters) + (filters == 1 ? " filter x " : " filters x ");
    if (rows > 1) text += std::to_string(rows) + " rows x ";
    return {.shape = text + std::to_string(kernels().vectors[filters - 1][1]) + " vectors"};
  }

 private:
  double tapsAPixel() const {
    const ConvolutionProblem& p = problem();
    return static_cast<double>(p.tapChannels()) * p.filterHeight * p.filterWidth;
  }

  StripNeeds needs() const override {
    const ConvolutionProblem& p = problem();
    return {.columnFloats = static_cast<double>(p.tapChannels()) * program_.windowRows,
            .callTaps = tapsAPixel() * maxBlockFilters,
            .taps = tapsAPixel() * p.filterCount,
            .overlap = static_cast<double>(p.filterWidth),
            .stepRows = program_.stepRows};
  }

  void computeTile(const SourceBand& in, const Region& region, const StripTile& tile, Workspace& space,
                   const std::stop_token& stop) const override {
    const ConvolutionProblem& p = problem();
    const int channel = p.channelMode == ChannelMode::Summed ? 0 : tile.group;
    const bool inPlace = lowEnoughInPlace() && tapsAPixel() * p.filterCount <= inPlaceTaps;
    const SourceRows all{region.y + tile.top - taps().anchorY, tile.bottom - tile.top + p.filterHeight - 1};
    space.window.start(p, taps(), in, kernels(), channel, region.x + tile.x, tile.width, program_.windowRows,
                       inPlace, all);
    for (int y = tile.top; y < tile.bottom; y += program_.stepRows) {
      const int rows = std::min(program_.stepRows, tile.bottom - y);
      space.window.moveTo(region.y + y, p.filterHeight + rows - 1);
      space.output.begin(y, rows);
      for (const FilterBlock& block : program_.blocks) {
        const int atOnce = rowsAtOnce(block.count);
        int row = 0;
        for (; row + atOnce <= rows; row += atOnce) runBlock(block, block.step, row, atOnce, space, stop);
        for (; row < rows; ++row) runBlock(block, block.row, row, 1, space, stop);
      }
      space.output.finish();
    }
  }

  void runBlock(const FilterBlock& block, const TapProgram& program, int row, int rows, Workspace& space,
                const std::stop_token& stop) const {
    if (stop.stop_requested()) throw Cancelled();
    BlockCall call;
    call.program = &program;
    space.output.aim(block.first, block.count, row, rows, call);
    callOverWindow(space.window, row, space.output.width(), kernelFor(block, program, rows), call);
    space.output.store(block.first, block.count, row, rows);
  }

  void (*kernelFor(const FilterBlock& block, const TapProgram& program, int rows) const)(const BlockCall&) {
    const auto kernel = static_cast<std::size_t>(block.count - 1);
    if (rows != rowsAtOnce(block.count)) return kernels().block[kernel][0];
    if (program.denseSide != 0) return kernels().square[kernel][squareOf(program.denseSide)];
    return kernels().block[kernel][1];
  }

  DirectProgram program_;
};

}  // namespace

std::unique_ptr<Engine> makeDirectEngine() { return std::make_unique<StripEngine<DirectPlan>>("cpu:direct"); }

}  // namespace bankside

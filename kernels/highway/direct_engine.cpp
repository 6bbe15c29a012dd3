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

#include "kernels/highway/direct_strips.h"

namespace bankside {
namespace {

using namespace direct;

class DirectPlan final : public StripPlan {
 public:
  DirectPlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
      : StripPlan(problem, bank, options), strips_(this->problem(), taps()) {}

  PlanInfo info() const override {
    int filters = 0;
    for (const FilterBlock& b : strips_.program().blocks) filters = std::max(filters, b.count);
    const int rows = rowsAtOnce(filters);
    std::string text = std::string(kernels().target) + (kernels().fused ? ", " : " (no FMA), ");
    text += std::to_string(filters) + (filters == 1 ? " filter x " : " filters x ");
    if (rows > 1) text += std::to_string(rows) + " rows x ";
    return {.shape = text + std::to_string(kernels().vectors[filters - 1][1]) + " vectors"};
  }

 private:
  StripNeeds needs() const override {
    const ConvolutionProblem& p = problem();
    return {.columnFloats = static_cast<double>(p.tapChannels()) * strips_.program().windowRows,
            .callTaps = strips_.tapsAPixel() * maxBlockFilters,
            .taps = strips_.tapsAPixel() * p.filterCount,
            .overlap = static_cast<double>(p.filterWidth),
            .stepRows = strips_.program().stepRows};
  }

  void computeTile(const SourceBand& in, const Region& region, const StripTile& tile, Workspace& space,
                   const std::stop_token& stop) const override {
    strips_.compute(in, region, tile, space.window, space.output, stop);
  }

  DirectStrips strips_;
};

}  // namespace

std::unique_ptr<Engine> makeDirectEngine() { return std::make_unique<StripEngine<DirectPlan>>("cpu:direct"); }

}  // namespace bankside

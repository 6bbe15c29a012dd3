// How `cpu:karatsuba` works, and why. A group of two or four output rows is a list of steps
// (group_program.h), each a sum over source rows or their differences, which difference_rows.h makes once for
// all filters. The kernel (group_kernel-inl.h) holds a step's sums in registers as `cpu:direct` does and
// keeps those that others begin with in the first cache; results leave by the same stores and combines.
//
// Groups lie on the image's own grid and an incomplete last one is summed plainly, so a pixel's bytes do not
// depend on region, band, strip or thread. Sums that are not finite are made again plainly, each for itself:
// products of what is not finite stay so, hence every sum that should not be finite is not, and one that
// should be is found. Which groups: karatsuba_choice.h.
//
// Measured on a Zen 4 server CPU (one 512-bit multiply-add a cycle), 12 dense filters, 512 x 512 f32, least
// of 40 interleaved runs, `cpu:direct` over this: 5 x 5 1.09, 7 x 7 1.33, 9 x 9 1.42, 11 x 11 1.52; with the
// maximum fused 1.17, 1.40, 1.47, 1.55. The counts of multiply-adds alone would give 1.54, 1.65, 1.64, 1.69:
// a step's sums stored and loaded again cost about three of its multiply-adds. Tried: steps that go on with
// what is in registers instead of loading it: nothing at 7 x 7 and up, 5 % slower at 3 x 3. One filter alone
// takes 1.7 times `cpu:direct`'s time at 5 x 5: nothing shares its loads.
#include "kernels/highway/karatsuba_engine.h"

#include <algorithm>

#include "kernels/highway/difference_rows.h"
#include "kernels/highway/karatsuba_choice.h"
#include "kernels/highway/strip_plan.h"

namespace bankside {
namespace {

using namespace direct;

class KaratsubaPlan final : public StripPlan {
 public:
  KaratsubaPlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
      : StripPlan(problem, bank, options),
        choice_(chooseKaratsuba(problem, taps())),
        program_(choice_.program) {}

  PlanInfo info() const override {
    int filters = 0;
    for (const GroupBlock& b : program_.blocks) filters = std::max(filters, b.count);
    return {.shape = std::string(kernels().target) + (kernels().fused ? ", " : " (no FMA), ") +
                     std::to_string(filters) + (filters == 1 ? " filter x " : " filters x ") +
                     std::to_string(kernels().vectors[filters - 1][0]) + " vectors, " +
                     (program_.rows == 1 ? "direct sums: " + choice_.whyNot
                                         : "groups of " + std::to_string(program_.rows) + " rows")};
  }

  NumericTraits traits() const override {
    return {.errorBound = choice_.bound, .directSums = program_.rows == 1};
  }

 private:
  int blockRows() const override { return program_.rows; }

  StripNeeds needs() const override {
    const ConvolutionProblem& p = problem();
    const double taps = static_cast<double>(p.tapChannels()) * p.filterHeight * p.filterWidth;
    return {.columnFloats = static_cast<double>(p.tapChannels()) * program_.windowRows * program_.rows,
            .callTaps = taps * maxBlockFilters * program_.rows,
            .taps = taps * p.filterCount,
            .overlap = static_cast<double>(p.filterWidth),
            .stepRows = program_.rows};
  }

  void computeTile(const SourceBand& in, const Region& region, const StripTile& tile, Workspace& space,
                   const std::stop_token& stop) const override {
    const ConvolutionProblem& p = problem();
    const int channel = p.channelMode == ChannelMode::Summed ? 0 : tile.group;
    const int rows = program_.rows;
    space.window.start(p, taps(), in, kernels(), channel, region.x + tile.x, tile.width, program_.windowRows,
                       false);
    space.differences.start(kernels(), p.tapChannels(), program_.windowRows, tile.width + p.filterWidth - 1,
                            rows);
    // Groups lie on the image's own grid, so that a row is summed in one way however the image is cut.
    int y = (region.y + tile.top) / rows * rows;
    for (; y < region.y + tile.bottom; y += rows) {
      const int inImage = std::min(rows, p.height - y);
      const int windowRows = p.filterHeight + inImage - 1;
      const int first = std::max(y, region.y + tile.top) - y;
      const int last = std::min(y + inImage, region.y + tile.bottom) - y;
      space.window.moveTo(y, windowRows);
      space.output.begin(y + first - region.y, last - first);
      const bool whole = rows > 1 && inImage == rows;
      if (whole) space.differences.moveTo(space.window, y - taps().anchorY, windowRows);
      for (const GroupBlock& block : program_.blocks) {
        if (stop.stop_requested()) throw Cancelled();
        makeRows(block, first, last, whole, space);
      }
      space.output.finish();
    }
  }

  /// Rows [first, last) of a group. The last rows of an image, too few for a group, are made plainly.
  void makeRows(const GroupBlock& block, int first, int last, bool whole, Workspace& space) const {
    GroupCall call;
    BlockCall aimed;
    space.output.aim(block.first, block.count, 0, last - first, aimed);
    for (int j = first; j < last; ++j) {
      BlockCall& row = call.results[j];
      row = aimed;
      if (row.dst != nullptr) row.dst += (j - first) * block.count;
      row.value += j - first;
      row.index += j - first;
      row.program = &block.plain;
      row.rows = space.window.rows() + j;
      row.first = 0;
      row.pixels = space.output.width();
      call.wanted |= 1u << j;
      if (!whole) kernels().block[block.count - 1][0](row);
    }
    if (whole) {
      call.rows = space.differences.rows();
      call.steps = block.steps.data();
      call.stepCount = static_cast<int>(block.steps.size());
      call.pixels = space.output.width();
      call.mayBeInfinite = choice_.mayBeInfinite;
      kernels().group[block.count - 1](call);
    }
    space.output.store(block.first, block.count, 0, last - first);
  }

  KaratsubaChoice choice_;
  const GroupProgram& program_;
};

}  // namespace

std::unique_ptr<Engine> makeKaratsubaEngine() {
  return std::make_unique<StripEngine<KaratsubaPlan>>("cpu:karatsuba");
}

}  // namespace bankside

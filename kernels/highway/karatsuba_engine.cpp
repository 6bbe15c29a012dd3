// How `cpu:karatsuba` works, and why. A group of two or four output rows is a list of steps
// (group_program.h), each a sum over source rows or their differences, which difference_rows.h makes once for
// all filters. The kernel (group_kernel-inl.h) holds a step's sums in registers as `cpu:direct` does and
// keeps those that others begin with in the first cache; results leave by the same stores and combines.
//
// Groups lie on the image's own grid and an incomplete last one is summed plainly, so a pixel's bytes do not
// depend on region, band, strip or thread. So do cells of columns (plain_cells.h): those that see a pixel
// which groups cannot take are summed plainly from the beginning. Which groups: karatsuba_choice.h.
//
// Measured on a Zen 4 server CPU (one 512-bit multiply-add a cycle), 12 dense filters, 512 x 512 f32, least
// of 40 interleaved runs, `cpu:direct` over this: 5 x 5 1.09, 7 x 7 1.33, 9 x 9 1.42, 11 x 11 1.52; with the
// maximum fused 1.17, 1.40, 1.47, 1.55. The counts of multiply-adds alone would give 1.54, 1.65, 1.64, 1.69:
// a step's sums stored and loaded again cost about three of its multiply-adds. Tried: steps that go on with
// what is in registers instead of loading it: nothing at 7 x 7 and up, 5 % slower at 3 x 3. One filter alone
// takes 1.7 times `cpu:direct`'s time at 5 x 5: nothing shares its loads.
#include "kernels/highway/karatsuba_engine.h"

#include <algorithm>
#include <cmath>
#include <span>

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
    const bool looks = !std::isinf(choice_.mostPixel);
    // All of the cells that the tile has a part of: what is in one is made in one way.
    PlainCells::Span span{region.x + tile.x, tile.width};
    if (looks) {
      const PlainCells::Span cells = PlainCells::around(span.first, span.count, p.width);
      space.output.beginBefore(span.first - cells.first);
      space.cells.start(p, cells, program_.windowRows, choice_.mostPixel);
      span = cells;
    }
    space.window.start(p, taps(), in, kernels(), channel, span.first, span.count, program_.windowRows, false);
    space.differences.start(kernels(), p.tapChannels(), program_.windowRows, span.count + p.filterWidth - 1,
                            rows);
    // Groups lie on the image's own grid, so that a row is summed in one way however the image is cut.
    int y = (region.y + tile.top) / rows * rows;
    for (; y < region.y + tile.bottom; y += rows) {
      const int inImage = std::min(rows, p.height - y);
      const int windowRows = p.filterHeight + inImage - 1;
      Step step{.first = std::max(y, region.y + tile.top) - y,
                .last = std::min(y + inImage, region.y + tile.bottom) - y};
      const PlainCells::Run all[] = {{0, space.output.width(), rows == 1 || inImage < rows}};
      step.runs = all;
      space.window.moveTo(y, windowRows);
      space.output.begin(y + step.first - region.y, step.last - step.first);
      if (!all[0].plain && looks) {
        space.cells.moveTo(space.window, y - taps().anchorY, windowRows);
        step.runs = space.cells.runs();
      }
      if (step.runs.size() > 1 || !step.runs[0].plain)
        space.differences.moveTo(space.window, y - taps().anchorY, windowRows);
      for (const GroupBlock& block : program_.blocks) {
        if (stop.stop_requested()) throw Cancelled();
        makeRows(block, step, space);
      }
      space.output.finish();
    }
  }

  /// Rows [first, last) of a group on their way. The last rows of an image, too few for a group, are made
  /// plainly.
  struct Step {
    int first = 0;
    int last = 0;
    std::span<const PlainCells::Run> runs;
  };

  void makeRows(const GroupBlock& block, const Step& step, Workspace& space) const {
    GroupCall call;
    BlockCall aimed;
    space.output.aim(block.first, block.count, 0, step.last - step.first, aimed);
    aimed.stream = space.output.goesAround();  // row after row: few lines wait for their second half
    for (int j = step.first; j < step.last; ++j) {
      BlockCall& row = call.results[j];
      row = aimed;
      if (row.dst != nullptr) row.dst += (j - step.first) * block.count;
      row.value += j - step.first;
      row.index += j - step.first;
      row.rows = space.window.rows() + j;
      call.wanted |= 1u << j;
    }
    call.rows = space.differences.rows();
    call.steps = block.steps.data();
    call.stepCount = static_cast<int>(block.steps.size());
    for (const PlainCells::Run& run : step.runs) {
      call.first = run.first;
      // Of the last cell, what the tile has of it.
      call.pixels = std::min(run.last, space.output.width());
      for (BlockCall& row : call.results) {
        row.first = call.first;
        row.pixels = call.pixels;
      }
      if (run.plain)
        makePlainly(block, step, call);
      else
        kernels().group[block.count - 1](call);
    }
    space.output.store(block.first, block.count, 0, step.last - step.first);
  }

  void makePlainly(const GroupBlock& block, const Step& step, GroupCall& call) const {
    int j = step.first;
    const auto make = [&](const TapProgram& program, int rows) {
      for (; j + rows <= step.last; j += rows) {
        call.results[j].program = &program;
        kernelFor(kernels(), block.count, program, rows)(call.results[j]);
      }
    };
    if (block.plainRows > 1) make(block.plainAll, block.plainRows);
    make(block.plain, 1);
  }

  KaratsubaChoice choice_;
  const GroupProgram& program_;
};

}  // namespace

std::unique_ptr<Engine> makeKaratsubaEngine() {
  return std::make_unique<StripEngine<KaratsubaPlan>>("cpu:karatsuba");
}

}  // namespace bankside

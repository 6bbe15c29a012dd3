// How `cpu:separable` works. For a step of output rows the column passes make, for every column factor, rows
// of kw - 1 pixels more than the tile has; they stay in the first caches. The row passes take them to
// results, with stores and combines as in `cpu:direct`, whose kernels run in both. Where filters share row
// factors instead of column factors, every source row is passed along once, its results are kept in a ring as
// high as the filters, and the columns are summed over those. Any filter is taken: one of full rank costs
// more than `cpu:direct`, and nobody but a caller who asks for it gets it.
//
// A first factor's sum is at most the largest pixel (its taps' absolute values add up to 1), so it cannot
// overflow where the direct sum does not, and non-finite pixels stay within the filter's rectangle: a column
// pass keeps them in their column, a row pass in their row. Where factors cancel, they make NaN of what
// direct sums keep infinite: what sees such pixels is summed directly (plain_sums.h), cell by cell.
#include "kernels/highway/separable_engine.h"

#include <algorithm>
#include <optional>

#include "kernels/highway/direct_strips.h"
#include "kernels/highway/separable_program.h"
#include "kernels/highway/strip_plan.h"

namespace bankside {
namespace {

using namespace direct;

class SeparablePlan final : public StripPlan {
 public:
  SeparablePlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
      : StripPlan(problem, bank, options),
        bank_(separate(problem, taps(), roundedOnce, team())),
        program_(makeSeparableProgram(problem, bank_)),
        firstProblem_(problem),
        firstTaps_{{}, 0, 0},
        plain_(this->problem(), taps(), bank_) {
    if (plain_.wanted()) strips_.emplace(this->problem(), taps());
    (bank_.rowsFirst ? firstProblem_.filterHeight : firstProblem_.filterWidth) = 1;
    (bank_.rowsFirst ? firstTaps_.anchorX : firstTaps_.anchorY) =
        bank_.rowsFirst ? taps().anchorX : taps().anchorY;
  }

  PlanInfo info() const override {
    std::size_t terms = 0;
    for (const auto& filter : bank_.filters) terms += filter.size();
    return {.shape = std::string(kernels().target) + (kernels().fused ? ", rank " : " (no FMA), rank ") +
                     std::to_string(bank_.largestRank) + ", " + std::to_string(bank_.firsts.size()) +
                     (bank_.rowsFirst ? " rows, " : " columns, ") + std::to_string(terms) +
                     (bank_.rowsFirst ? " columns" : " rows")};
  }

  NumericTraits traits() const override {
    return {.errorBound = bank_.bound,
            .directSums = false,
            .dependsOnWholeBank = bank_.rowsFirst || bank_.nearlyShared};
  }

 private:
  StripNeeds needs() const override {
    const ConvolutionProblem& p = problem();
    const double kept =
        static_cast<double>(program_.terms) * (bank_.rowsFirst ? program_.windowRows : program_.stepRows);
    return {.columnFloats =
                static_cast<double>(p.tapChannels()) * (bank_.rowsFirst ? 1 : program_.windowRows) + kept,
            .callTaps = static_cast<double>(maxBlockFilters) *
                        (bank_.rowsFirst ? p.filterWidth + maxStepRows * program_.terms * p.filterHeight
                                         : maxStepRows * p.filterHeight + program_.terms * p.filterWidth),
            .taps = program_.firstTaps + program_.secondTaps,
            .overlap = static_cast<double>(p.filterWidth),
            .stepRows = program_.stepRows};
  }

  int blockRows() const override { return plain_.wanted() ? PlainSums::cellHeight : 1; }

  void computeTile(const SourceBand& in, const Region& region, const StripTile& tile, Workspace& space,
                   const std::stop_token& stop) const override {
    if (!plain_.wanted()) return computeFactors(in, region, tile, space, stop);
    for (const PlainSums::Part& part : plain_.partsOf(in, region, tile, space.plain)) {
      space.output.moveTo(part.tile.x, part.tile.width);
      if (part.plain)
        strips_->compute(in, region, part.tile, space.plain.window, space.output, stop);
      else
        computeFactors(in, region, part.tile, space, stop);
    }
  }

  void computeFactors(const SourceBand& in, const Region& region, const StripTile& tile, Workspace& space,
                      const std::stop_token& stop) const {
    const ConvolutionProblem& p = problem();
    const int channel = p.channelMode == ChannelMode::Summed ? 0 : tile.group;
    const int wide = bank_.rowsFirst ? tile.width : tile.width + p.filterWidth - 1;
    const int x0 = region.x + tile.x - (bank_.rowsFirst ? 0 : taps().anchorX);
    space.window.start(firstProblem_, firstTaps_, in, kernels(), channel, x0, wide,
                       bank_.rowsFirst ? 1 : program_.windowRows, lowEnoughInPlace(p));
    startTerms(wide, space);
    int ready = region.y + tile.top - taps().anchorY;  // source rows above have their first results
    for (int y = tile.top; y < tile.bottom; y += program_.stepRows) {
      const int rows = std::min(program_.stepRows, tile.bottom - y);
      const int top = region.y + y - taps().anchorY;
      if (bank_.rowsFirst) {
        for (; ready < top + p.filterHeight + rows - 1; ++ready) passAlong(ready, wide, space, stop);
      } else {
        space.window.moveTo(region.y + y, p.filterHeight + rows - 1);
      }
      const Step step{rows, space, stop};
      space.output.begin(y, rows);
      for (const SeparableStage& stage : program_.stages) {
        if (bank_.rowsFirst) {
          sumColumns(stage, top, step);
        } else {
          for (const auto& pass : stage.firsts) makeColumns(pass, rows, wide, space, stop);
          for (int row = 0; row < rows; ++row) makeRows(stage, row, step);
        }
      }
      space.output.finish();
    }
  }

  /// A step of output rows on its way.
  struct Step {
    int rows;
    Workspace& space;
    const std::stop_token& stop;
  };

  /// One kernel call of second factors: `filters` filters from `first` on in rows [row, row + rows) of
  /// the step.
  void finish(BlockCall call, void (*kernel)(const BlockCall&), int first, int filters, int row, int rows,
              const Step& step) const {
    if (step.stop.stop_requested()) throw Cancelled();
    RowOutput& output = step.space.output;
    call.pixels = output.width();
    output.aim(first, filters, row, rows, call);
    kernel(call);
    output.store(first, filters, row, rows);
  }

  /// Rows of terms that a tile keeps, [slot][term]: a slot is a row of the step or, rows first, of the
  /// window. Vectors read past their ends: that shall be zeros.
  void startTerms(int wide, Workspace& space) const {
    const auto rows = static_cast<std::size_t>(std::max(1, program_.terms)) *
                      static_cast<std::size_t>(bank_.rowsFirst ? program_.windowRows : program_.stepRows);
    const std::size_t stride = paddedRow(wide);
    float* data = space.terms.atLeast(rows * stride);
    space.termRows.assign(rows, nullptr);
    for (std::size_t i = 0; i < rows; ++i) {
      space.termRows[i] = data + i * stride;
      std::fill(data + i * stride + wide, data + (i + 1) * stride, 0.0f);
    }
  }

  float* termRow(const Workspace& space, int slot, int term) const {
    const auto at = static_cast<std::size_t>(slot) * static_cast<std::size_t>(std::max(1, program_.terms)) +
                    static_cast<std::size_t>(term);
    return const_cast<float*>(space.termRows[at]);
  }

  int slotOf(int sourceRow) const {
    return (sourceRow % program_.windowRows + program_.windowRows) % program_.windowRows;
  }

  /// Rows first: the first results of one source row.
  void passAlong(int sourceRow, int wide, Workspace& space, const std::stop_token& stop) const {
    if (stop.stop_requested()) throw Cancelled();
    space.window.moveTo(sourceRow, 1);
    for (const SeparableStage& stage : program_.stages) {
      for (const auto& pass : stage.firsts) {
        for (const FilterBlock& block : pass.program.blocks) {
          float* dst[maxBlockFilters];
          for (int f = 0; f < block.count; ++f)
            dst[f] = termRow(space, slotOf(sourceRow), pass.firstTerm + block.first + f);
          BlockCall call;
          call.program = &block.step;
          call.dst = dst;
          callOverWindow(space.window, pass.channel, wide, kernels().block[block.count - 1][0], call);
        }
      }
    }
  }

  /// Rows first: results from the first results of source rows `top` and below.
  void sumColumns(const SeparableStage& stage, int top, const Step& step) const {
    Workspace& space = step.space;
    const int rows = step.rows;
    const int window = stage.seconds.windowRows;
    space.tableRows.resize(static_cast<std::size_t>(std::max(1, stage.terms)) *
                           static_cast<std::size_t>(window));
    auto at = space.tableRows.begin();
    for (int t = 0; t < std::max(1, stage.terms); ++t) {
      for (int r = 0; r < window; ++r) *at++ = termRow(space, slotOf(top + r), stage.firstTerm + t);
    }
    for (const FilterBlock& block : stage.seconds.blocks) {
      const int atOnce = rowsAtOnce(block.count);
      const auto run = [&](const TapProgram& program, int row, int count, void (*kernel)(const BlockCall&)) {
        BlockCall call;
        call.program = &program;
        call.rows = space.tableRows.data() + row;
        finish(call, kernel, stage.firstFilter + block.first, block.count, row, count, step);
      };
      const auto& kernel = kernels().block[block.count - 1];
      int row = 0;
      for (; row + atOnce <= rows; row += atOnce) run(block.step, row, atOnce, kernel[1]);
      for (; row < rows; ++row) run(block.row, row, 1, kernel[0]);
    }
  }

  /// Columns first: the first results of a step.
  void makeColumns(const SeparableStage::FirstPass& pass, int rows, int wide, Workspace& space,
                   const std::stop_token& stop) const {
    const auto run = [&](const FilterBlock& block, const TapProgram& program, int row, int atOnce,
                         void (*kernel)(const BlockCall&)) {
      if (stop.stop_requested()) throw Cancelled();
      float* dst[2 * maxBlockFilters];
      for (int j = 0; j < atOnce; ++j) {
        for (int f = 0; f < block.count; ++f)
          dst[j * block.count + f] = termRow(space, row + j, pass.firstTerm + block.first + f);
      }
      BlockCall call;
      call.program = &program;
      call.dst = dst;
      callOverWindow(space.window, pass.channel * program_.windowRows + row, wide, kernel, call);
    };
    for (const FilterBlock& block : pass.program.blocks) {
      const auto& kernel = kernels().block[block.count - 1];
      const int atOnce = rowsAtOnce(block.count);
      int row = 0;
      for (; row + atOnce <= rows; row += atOnce) run(block, block.step, row, atOnce, kernel[1]);
      for (; row < rows; ++row) run(block, block.row, row, 1, kernel[0]);
    }
  }

  /// Columns first: results of one row from the first results.
  void makeRows(const SeparableStage& stage, int row, const Step& step) const {
    for (const FilterBlock& block : stage.seconds.blocks) {
      BlockCall call;
      call.program = &block.step;
      call.rows = step.space.termRows.data() + row * std::max(1, program_.terms);
      finish(call, kernels().block[block.count - 1][0], stage.firstFilter + block.first, block.count, row, 1,
             step);
    }
  }

  SeparableBank bank_;
  SeparableProgram program_;
  ConvolutionProblem firstProblem_;  ///< what the first passes read: taps in one direction alone
  CorrelationTaps firstTaps_;
  PlainSums plain_;
  std::optional<DirectStrips> strips_;  ///< where plain_ is wanted
};

}  // namespace

std::unique_ptr<Engine> makeSeparableEngine() {
  return std::make_unique<StripEngine<SeparablePlan>>("cpu:separable");
}

}  // namespace bankside

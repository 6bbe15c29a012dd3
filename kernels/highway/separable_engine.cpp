// How `cpu:separable` works. For a step of output rows the column passes make, for every column factor, rows
// of kw - 1 pixels more than the tile has; they stay in the first caches. The row passes take them to
// results, with stores and combines as in `cpu:direct`, whose kernels run in both. Any filter is taken: one
// of full rank costs more than `cpu:direct`, and nobody but a caller who asks for it gets it.
//
// A column's sum is at most the largest pixel (its taps' absolute values add up to 1), so it cannot overflow
// where the direct sum does not, and non-finite pixels stay within the filter's rectangle: the column pass
// keeps them in their column, the row pass in their rows.
#include "kernels/highway/separable_engine.h"

#include <algorithm>

#include "hwy/highway.h"
#include "kernels/highway/separable_program.h"
#include "kernels/highway/strip_plan.h"

namespace bankside {
namespace {

using namespace direct;

class SeparablePlan final : public StripPlan {
 public:
  SeparablePlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
      : StripPlan(problem, bank, options),
        bank_(separate(problem, taps(), roundedOnce)),
        program_(makeSeparableProgram(problem, bank_)),
        columnProblem_(problem),
        columnTaps_{{}, 0, taps().anchorY} {
    columnProblem_.filterWidth = 1;
  }

  std::string variant() const override {
    std::size_t terms = 0;
    for (const auto& filter : bank_.filters) terms += filter.size();
    return std::string(kernels().target) + (kernels().fused ? ", rank " : " (no FMA), rank ") +
           std::to_string(bank_.largestRank) + ", " + std::to_string(bank_.columns.size()) + " columns, " +
           std::to_string(terms) + " rows";
  }

  ErrorBound errorBound() const override { return bank_.bound; }

 private:
  StripNeeds needs() const override {
    const ConvolutionProblem& p = problem();
    return {.columnFloats = static_cast<double>(p.tapChannels()) * program_.windowRows +
                            static_cast<double>(program_.mostTerms) * program_.stepRows,
            .callTaps = static_cast<double>(maxBlockFilters) *
                        (maxStepRows * p.filterHeight + program_.mostTerms * p.filterWidth),
            .taps = program_.columnTaps + program_.rowTaps,
            .overlap = static_cast<double>(p.filterWidth),
            .stepRows = program_.stepRows};
  }

  void computeTile(const SourceBand& in, const Region& region, const StripTile& tile, Workspace& space,
                   const std::stop_token& stop) const override {
    const ConvolutionProblem& p = problem();
    const int channel = p.channelMode == ChannelMode::Summed ? 0 : tile.group;
    const int wide = tile.width + p.filterWidth - 1;
    space.window.start(columnProblem_, columnTaps_, in, kernels(), channel,
                       region.x + tile.x - taps().anchorX, wide, program_.windowRows, lowEnoughInPlace());
    startTerms(wide, space);
    for (int y = tile.top; y < tile.bottom; y += program_.stepRows) {
      const int rows = std::min(program_.stepRows, tile.bottom - y);
      space.window.moveTo(region.y + y, p.filterHeight + rows - 1);
      space.output.begin(y, rows);
      for (const SeparableStage& stage : program_.stages) {
        for (const auto& pass : stage.columns) makeColumns(pass, rows, wide, space, stop);
        for (int row = 0; row < rows; ++row) makeRows(stage, row, space, stop);
      }
      space.output.finish();
    }
  }

  /// Rows of terms, [step row][term]. Vectors read past their ends: that shall be zeros.
  void startTerms(int wide, Workspace& space) const {
    const auto terms = static_cast<std::size_t>(std::max(1, program_.mostTerms));
    const std::size_t rows = terms * static_cast<std::size_t>(program_.stepRows);
    const std::size_t stride = paddedRow(wide);
    float* data = space.terms.atLeast(rows * stride);
    space.termRows.assign(rows, nullptr);
    for (std::size_t i = 0; i < rows; ++i) {
      space.termRows[i] = data + i * stride;
      std::fill(data + i * stride + wide, data + (i + 1) * stride, 0.0f);
    }
  }

  float* termRow(const Workspace& space, int row, int term) const {
    const auto at =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(std::max(1, program_.mostTerms)) +
        static_cast<std::size_t>(term);
    return const_cast<float*>(space.termRows[at]);
  }

  void makeColumns(const SeparableStage::ColumnPass& pass, int rows, int wide, Workspace& space,
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

  void makeRows(const SeparableStage& stage, int row, Workspace& space, const std::stop_token& stop) const {
    for (const FilterBlock& block : stage.rows.blocks) {
      if (stop.stop_requested()) throw Cancelled();
      const int first = stage.firstFilter + block.first;
      BlockCall call;
      call.program = &block.step;
      call.pixels = space.output.width();
      call.rows = space.termRows.data() + row * std::max(1, program_.mostTerms);
      space.output.aim(first, block.count, row, 1, call);
      kernels().block[block.count - 1][0](call);
      space.output.store(first, block.count, row, 1);
    }
  }

  SeparableBank bank_;
  SeparableProgram program_;
  ConvolutionProblem columnProblem_;  ///< what the column passes read: no taps to the left or right
  CorrelationTaps columnTaps_;
};

class SeparableEngine final : public Engine {
 public:
  std::string name() const override { return "cpu:separable"; }
  std::string device() const override { return "CPU"; }
  std::string description() const override {
    return "Highway " + std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." +
           std::to_string(HWY_PATCH) + ", " + rowKernels().target;
  }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    return std::make_unique<SeparablePlan>(problem, bank, options);
  }
};

}  // namespace

std::unique_ptr<Engine> makeSeparableEngine() { return std::make_unique<SeparableEngine>(); }

}  // namespace bankside

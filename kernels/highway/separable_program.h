/// A bank in factors, rewritten for the direct engine's row kernels.
///
/// A column factor is a filter kh x 1 over the source rows of its channel; the row factors of a filter are a
/// filter 1 x kw over as many "channels" as it has terms. So two programs of the direct kernel make a
/// separable one, and both share pixels between filters as the direct one does.
#pragma once

#include "kernels/highway/separable_factors.h"
#include "kernels/highway/tap_program.h"

namespace bankside::direct {

/// Filters that are made together, with the columns that they need.
struct SeparableStage {
  struct ColumnPass {
    int channel = 0;
    int firstTerm = 0;  ///< place of its first result among the stage's
    DirectProgram program;
  };
  int firstFilter = 0;
  int terms = 0;  ///< rows of column results for each output row
  std::vector<ColumnPass> columns;
  DirectProgram rows;  ///< one output row at a time; its "channels" are the terms
};

struct SeparableProgram {
  std::vector<SeparableStage> stages;
  int stepRows = 1;
  int windowRows = 0;
  int mostTerms = 0;
  /// Multiply-adds a pixel, weighted by how well they run (1: as in the best block of `cpu:direct`).
  double columnTaps = 0;
  double rowTaps = 0;
};

SeparableProgram makeSeparableProgram(const ConvolutionProblem& problem, const SeparableBank& bank);

}  // namespace bankside::direct

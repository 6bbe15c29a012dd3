/// A bank in factors, rewritten for the direct engine's row kernels.
///
/// A column factor is a filter kh x 1 over the source rows of its channel; the row factors of a filter are a
/// filter 1 x kw over as many "channels" as it has terms (or the other way round, see SeparableBank). So two
/// programs of the direct kernel make a separable one, and both share pixels between filters as the direct
/// one does.
#pragma once

#include "kernels/highway/separable_factors.h"
#include "kernels/highway/tap_program.h"

namespace bankside::direct {

/// Filters that are made together, with the first factors that they need.
struct SeparableStage {
  struct FirstPass {
    int channel = 0;
    int firstTerm = 0;  ///< place of its first result among the tile's
    DirectProgram program;
  };
  int firstFilter = 0;
  int firstTerm = 0;  ///< place of its terms among the tile's; rows first keeps those of all stages
  int terms = 0;      ///< rows of first results for each output row (rows first: for each source row)
  std::vector<FirstPass> firsts;
  DirectProgram seconds;  ///< its "channels" are the terms; one output row at a time unless rows come first
};

struct SeparableProgram {
  bool rowsFirst = false;
  std::vector<SeparableStage> stages;
  int stepRows = 1;
  int windowRows = 0;
  int terms = 0;  ///< rows that a tile keeps: those of the largest stage, or of all
  /// Multiply-adds a pixel, weighted by how well they run (1: as in the best block of `cpu:direct`).
  double firstTaps = 0;
  double secondTaps = 0;
};

SeparableProgram makeSeparableProgram(const ConvolutionProblem& problem, const SeparableBank& bank);

}  // namespace bankside::direct

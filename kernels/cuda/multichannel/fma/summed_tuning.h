/// What a tuner found for filters over several channels on one device, and how it is replayed.
#pragma once

#include "kernels/cuda/multichannel/fma/choose_summed.h"
#include "kernels/cuda/tuning/tuned_cell.h"

namespace bankside::cuda {

/// The winner for square filters of one size over images of about `side` x `side` pixels, measured from f32
/// to plain f32 responses.
struct SummedTuningEntry : TunedTimes {
  int filterSize = 1;
  int channels = 1;
  int filterCount = 1;
  int side = 32;
  std::string variant;
  BlockShape shape;  ///< what that name stood for when it was measured: the paper's six tile parameters
  int parts = 1;
};

using SummedTuning = TunedEntries<SummedTuningEntry>;

struct TuningTable;  // kernels/cuda/tuning/tuning_table.h

/// The entry whose channels, filters and image are nearest, if it is near and its variant is still compiled
/// with the shape that was measured and splits the problem's channels; else a choice without a variant.
///
/// Near is a quarter in the side and in the number of filters, a half in the channels: how tiles fill the
/// device changes within less than a factor of two, and beyond that the rule, which knows, errs less.
SummedChoice tunedSummedChoice(const SummedTuning& tuning, const ConvolutionProblem& problem);

/// The table's choice if it has one that is near, else `chooseSummed`'s. `table` may be null. Pure: with the
/// same table a problem gets the same split, and so the same bytes, whatever band or region is computed.
SummedChoice chooseSummed(const ConvolutionProblem& problem, const TuningTable* table);

}  // namespace bankside::cuda

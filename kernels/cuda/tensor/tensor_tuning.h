/// What a tuner found for the tensor cores on one device, and how it is replayed.
#pragma once

#include "kernels/cuda/tensor/tensor_choice.h"
#include "kernels/cuda/tuning/tuned_cell.h"

namespace bankside::cuda {

/// The fastest layout for a bank.
struct TensorTuningEntry : TunedCell {
  TensorChoice choice;
};

using TensorTuning = TunedEntries<TensorTuningEntry>;

struct TuningTable;  // kernels/cuda/tuning/tuning_table.h

/// The choice of the entry whose image is nearest, if it is within a factor of two and a half in the side and
/// its bank, types and combining are the problem's: how filters fill instructions changes with one more. Else
/// a choice of 0 shifts.
TensorChoice tunedTensorChoice(const TensorTuning& tuning, const ConvolutionProblem& problem);

/// The table's choice if it has one that is near, else `tensorChoices`' first. `table` may be null. Pure.
TensorChoice chooseTensor(const ConvolutionProblem& problem, const TuningTable* table);

}  // namespace bankside::cuda

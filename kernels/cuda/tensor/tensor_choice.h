/// Which layout a bank gets on the tensor cores: a cost model, as a pure function.
#pragma once

#include <vector>

#include "core/problem.h"
#include "kernels/cuda/pixels/fused.h"
#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

/// What becomes of a problem's responses: one filter needs no combining, only its own square or absolute
/// value.
Fused fusedWith(const ConvolutionProblem& problem);

/// What may be chosen of a layout; the rest follows from the bank.
struct TensorChoice {
  int shifts = 0;  ///< 0: the first of `tensorChoices`
  int rowStep = 0;
  int tapColumns = 0;
  bool operator==(const TensorChoice&) const = default;
};

/// Every choice that holds a problem's bank, the one with the least predicted work first. Filters at most
/// `mostTensorSide` wide and high: each of those banks has one. What a tuner measures begins there.
std::vector<TensorChoice> tensorChoices(const ConvolutionProblem& problem,
                                        PartialProducts products = PartialProducts::Most,
                                        TensorForm form = TensorForm::Warpgroups);

/// The layout for a problem's bank with that choice, one of `tensorChoices`; by default the first of them.
TensorLayout tensorLayout(const ConvolutionProblem& problem, PartialProducts products = PartialProducts::Most,
                          const TensorChoice& choice = {}, TensorForm form = TensorForm::Warpgroups);

/// What a choice of engine must know of a device's tensor cores.
struct TensorUnits {
  TensorForm form = TensorForm::Warpgroups;
  /// How many times fewer products a multiprocessor has for each of its f32 multiply-adds than an H200's has
  /// by the same instructions.
  double slower = 1;
};

/// Cycles of a multiprocessor (of an H200) for one result pixel of all filters, with the layout that the
/// problem gets: products, staging and writing.
double tensorCost(const ConvolutionProblem& problem, PartialProducts products = PartialProducts::Most,
                  const TensorUnits& units = {});

}  // namespace bankside::cuda

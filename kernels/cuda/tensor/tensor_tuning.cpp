#include "kernels/cuda/tensor/tensor_tuning.h"

#include <algorithm>
#include <cmath>

#include "kernels/cuda/tuning/tuning_table.h"

namespace bankside::cuda {
namespace {

/// As tunedTensorChoice. `fitting`: the problem's `tensorChoices`.
TensorChoice tunedAmong(const std::vector<TensorChoice>& fitting, const TensorTuning& tuning,
                        const ConvolutionProblem& p) {
  TensorChoice nearest;
  double least = std::log2(2.5);
  for (const TensorTuningEntry& e : tuning.entries) {
    if (e.filterCount != p.filterCount || !isForBankOf(e, p)) continue;
    const double far = apart(sideOf(p), e.side);
    if (far > least || std::find(fitting.begin(), fitting.end(), e.choice) == fitting.end()) continue;
    least = far;
    nearest = e.choice;
  }
  return nearest;
}

}  // namespace

TensorChoice tunedTensorChoice(const TensorTuning& tuning, const ConvolutionProblem& p) {
  return tunedAmong(tensorChoices(p), tuning, p);
}

TensorChoice chooseTensor(const ConvolutionProblem& problem, const TuningTable* table) {
  const std::vector<TensorChoice> fitting = tensorChoices(problem);
  if (table != nullptr) {
    const TensorChoice tuned = tunedAmong(fitting, table->tensor, problem);
    if (tuned.shifts > 0) return tuned;
  }
  return fitting.front();
}

}  // namespace bankside::cuda

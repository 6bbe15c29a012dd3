#include "kernels/cuda/tensor/tensor_tuning.h"

#include <algorithm>
#include <cmath>

#include "kernels/cuda/tuning_table.h"

namespace bankside::cuda {

TensorChoice tunedTensorChoice(const TensorTuning& tuning, const ConvolutionProblem& p) {
  const std::vector<TensorChoice> fitting = tensorChoices(p);
  TensorChoice nearest;
  double least = std::log2(2.5);
  for (const TensorTuningEntry& e : tuning.entries) {
    if (e.filterCount != p.filterCount || !isForBankOf(e, p)) continue;
    const double far = sidesApart(e, p);
    if (far > least || std::find(fitting.begin(), fitting.end(), e.choice) == fitting.end()) continue;
    least = far;
    nearest = e.choice;
  }
  return nearest;
}

TensorChoice chooseTensor(const ConvolutionProblem& problem, const TuningTable* table) {
  if (table != nullptr) {
    const TensorChoice tuned = tunedTensorChoice(table->tensor, problem);
    if (tuned.shifts > 0) return tuned;
  }
  return tensorChoices(problem).front();
}

}  // namespace bankside::cuda

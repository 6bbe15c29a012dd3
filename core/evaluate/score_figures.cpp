#include "core/evaluate/score_figures.h"

#include <cmath>

namespace bankside {

ScoreFigures figuresOf(const OperatingPoint::Score& score) {
  const Confusion& c = score.confusion;
  return {.sensitivity = c.sensitivity(),
          .specificity = c.specificity(),
          .precision = c.precision(),
          .accuracy = c.accuracy(),
          .dice = c.dice(),
          .mcc = c.mcc(),
          .clDice = score.centreLines.clDice()};
}

ScoreFigures meanOf(const std::vector<OperatingPoint::Score>& images) {
  using F = ScoreFigures;
  F mean;
  for (double F::*field :
       {&F::sensitivity, &F::specificity, &F::precision, &F::accuracy, &F::dice, &F::mcc, &F::clDice}) {
    double sum = 0;
    int count = 0;
    for (const OperatingPoint::Score& image : images) {
      const double value = figuresOf(image).*field;
      if (std::isnan(value)) continue;
      sum += value;
      ++count;
    }
    mean.*field = quotient(sum, count);
  }
  return mean;
}

}  // namespace bankside

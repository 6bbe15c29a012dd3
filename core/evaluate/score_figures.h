/// What a segmentation is worth, as the numbers that every table shows.
#pragma once

#include <vector>

#include "core/evaluate/evaluation.h"

namespace bankside {

/// Of one image, of all together, or the mean of images. NaN where it is 0/0.
struct ScoreFigures {
  double sensitivity = 0;
  double specificity = 0;
  double precision = 0;
  double accuracy = 0;
  double dice = 0;
  double mcc = 0;
  double clDice = 0;
};

ScoreFigures figuresOf(const OperatingPoint::Score& score);
/// Of every figure over the images of which it can be said.
ScoreFigures meanOf(const std::vector<OperatingPoint::Score>& images);

}  // namespace bankside

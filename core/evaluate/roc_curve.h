/// The receiver operating characteristic over every response that there is, and precision over recall.
#pragma once

#include <cstdint>
#include <vector>

#include "core/evaluate/confusion.h"
#include "core/evaluate/labelled_image.h"

namespace bankside {

struct RocCurve {
  /// As many pixels at most: counts of pairs are then exact.
  static constexpr std::int64_t mostPixels = std::int64_t{1} << 32;

  /// What calling pixels vessel from `threshold` up gives.
  struct Point {
    double threshold = 0;
    double falsePositiveRate = 0;
    double recall = 0;
    double precision = 0;
  };

  double area = 0;              ///< under it, by trapezoids: ties count half
  double averagePrecision = 0;  ///< sum of precision times the recall gained there, without interpolation
  float bestThreshold = 0;      ///< with the largest MCC; the highest of several
  Confusion best;               ///< there
  std::vector<Point> points;    ///< from the highest threshold down, thinned to some hundreds; without (0, 0)
};

/// `pixels` in increasing order. Every distinct response is a threshold.
/// Errors  Error{BadInput} unless there are pixels of both kinds; Error{Limit} beyond `mostPixels`
/// Source  T. Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27(8):861-874, 2006
RocCurve rocCurve(const ScoredPixels& pixels, const StopCheck& check = {});

/// The threshold that parts the responses best into two classes, truth unseen: the lowest response of the
/// upper class. Exact, over every distinct response instead of the bins of a histogram; infinity where all
/// are the same. Source  N. Otsu, IEEE Trans. Systems, Man, and Cybernetics 9(1):62-66, 1979
float otsuThreshold(const ScoredPixels& pixels, const StopCheck& check = {});

/// Of all pairs of a vessel's pixel with one of the ground: twice those in which the vessel's response is
/// higher, and once those in which both are the same. Over twice the number of pairs it is the area.
std::uint64_t pairCount(const std::vector<float>& vessel, const std::vector<float>& ground,
                        const StopCheck& check = {});

}  // namespace bankside

/// What a segmentation got right and wrong, counted, and the measures that follow.
#pragma once

#include <cstdint>

namespace bankside {

/// Pixels inside the field of view. Measures are NaN where they are 0/0, but for `mcc`.
struct Confusion {
  std::int64_t truePositives = 0;
  std::int64_t falsePositives = 0;
  std::int64_t falseNegatives = 0;
  std::int64_t trueNegatives = 0;

  bool operator==(const Confusion&) const = default;
  Confusion& operator+=(const Confusion& other);

  std::int64_t positives() const { return truePositives + falseNegatives; }
  std::int64_t negatives() const { return trueNegatives + falsePositives; }
  std::int64_t pixels() const { return positives() + negatives(); }

  double sensitivity() const;
  double specificity() const;
  double precision() const;
  double accuracy() const;
  /// Dice's overlap, which is F1.
  double dice() const;
  /// Matthews' correlation; 0 where a row or column of the table is empty, as is usual.
  /// Source  B. W. Matthews, Biochim. Biophys. Acta 405(2):442-451, 1975
  double mcc() const;
};

/// a / b, NaN where b is 0.
double quotient(double a, double b);

}  // namespace bankside

#include "core/evaluate/confusion.h"

#include <cmath>
#include <limits>

namespace bankside {

double quotient(double a, double b) { return b == 0 ? std::numeric_limits<double>::quiet_NaN() : a / b; }

Confusion& Confusion::operator+=(const Confusion& other) {
  truePositives += other.truePositives;
  falsePositives += other.falsePositives;
  falseNegatives += other.falseNegatives;
  trueNegatives += other.trueNegatives;
  return *this;
}

namespace {
double share(std::int64_t part, std::int64_t whole) {
  return quotient(static_cast<double>(part), static_cast<double>(whole));
}
}  // namespace

double Confusion::sensitivity() const { return share(truePositives, positives()); }
double Confusion::specificity() const { return share(trueNegatives, negatives()); }
double Confusion::precision() const { return share(truePositives, truePositives + falsePositives); }
double Confusion::accuracy() const { return share(truePositives + trueNegatives, pixels()); }

double Confusion::dice() const {
  return share(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives);
}

double Confusion::mcc() const {
  const auto mean = [](std::int64_t a, std::int64_t b) {
    return std::sqrt(static_cast<double>(a) * static_cast<double>(b));
  };
  // The root of a square is exact, so that what agrees everywhere has 1.
  const double scale =
      mean(positives(), truePositives + falsePositives) * mean(negatives(), trueNegatives + falseNegatives);
  if (scale == 0) return 0;
  // Whole numbers below 2^63 for as many pixels as 2^32.
  return static_cast<double>(truePositives * trueNegatives - falsePositives * falseNegatives) / scale;
}

}  // namespace bankside

/// How far a figure would be elsewhere with other images of the kind: resampled from those that there are.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace bankside {

/// Percentile intervals over images drawn with replacement. The draws are the same on every machine: those of
/// a Mersenne twister with a fixed seed.
/// Source  B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13
class Bootstrap {
 public:
  static constexpr int resamples = 2000;
  static constexpr std::uint32_t seed = 1;
  static constexpr double level = 0.95;

  struct Interval {
    double low = 0;
    double high = 0;
  };

  explicit Bootstrap(std::size_t images) : images_(images) {}

  /// `figure` is given how often each image was drawn. Resamples of which it says NaN are left out; NaN where
  /// there are none, or fewer than two images.
  Interval interval(const std::function<double(const std::vector<int>& draws)>& figure) const;

 private:
  std::size_t images_;
};

}  // namespace bankside

/// An axis: from values to pixels, and where its ticks are.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace bankside {

/// Maps [low, high] to [from, to] pixels, linearly or by logarithm (then low > 0).
struct ChartAxis {
  double low = 0;
  double high = 1;
  double from = 0;
  double to = 1;
  bool logarithmic = false;

  double at(double value) const {
    const double share =
        logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return from + share * (to - from);
  }
};

/// 1, 2 or 5 times a power of ten, in [low, high]: about five on a linear axis; on a logarithmic one all of
/// them, or the powers of ten alone where there would be more than nine.
inline std::vector<double> roundTicks(double low, double high, bool logarithmic) {
  std::vector<double> ticks;
  if (!logarithmic) {
    const double raw = (high - low) / 5;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double step = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : raw / power > 1 ? 2 : 1);
    for (double k = std::ceil(low / step - 1e-9); k * step <= high * (1 + 1e-9); ++k)
      ticks.push_back(k * step);
    return ticks;
  }
  std::vector<double> tens;
  for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * power;
      if (tick < low * (1 - 1e-9) || tick > high * (1 + 1e-9)) continue;
      ticks.push_back(tick);
      if (factor == 1.0) tens.push_back(tick);
    }
  }
  return ticks.size() > 9 && tens.size() > 1 ? tens : ticks;
}

}  // namespace bankside

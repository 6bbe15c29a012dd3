/// Sums in an order that a host and a device both follow: numbers are dealt to lanes in turn, each lane adds
/// up its own from the first on, and then lanes are added in pairs. A sum over a plane is one of the sums of
/// its rows.
#pragma once

namespace bankside {

inline constexpr int sumLanes = 32;

/// value(0) + ... + value(count - 1), on the host.
template <class Value>
double laneSum(int count, const Value& value) {
  double lanes[sumLanes] = {};
  int i = 0;
  for (; i + sumLanes <= count; i += sumLanes) {
    for (int l = 0; l < sumLanes; ++l) lanes[l] += value(i + l);
  }
  for (int l = 0; i + l < count; ++l) lanes[l] += value(i + l);
  for (int half = sumLanes / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  }
  return lanes[0];
}

}  // namespace bankside

#include "core/judge/verification.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/text.h"

namespace bankside {

void Verification::add(const Verification& v) {
  // Keep whichever place says more: the first failure in reading order, else the larger error.
  const bool earlier = std::tie(v.y, v.plane, v.x) < std::tie(y, plane, x);
  const bool says = v.failed > 0
                        ? failed == 0 || earlier
                        : failed == 0 && (v.maxAbsError > maxAbsError ||
                                          (v.maxAbsError == maxAbsError && v.maxAbsError > 0 && earlier));
  if (says) {
    plane = v.plane;
    x = v.x;
    y = v.y;
    got = v.got;
    expected = v.expected;
  }
  passed = passed && v.passed;
  checked += v.checked;
  failed += v.failed;
  maxAbsError = std::max(maxAbsError, v.maxAbsError);
  maxBoundRatio = std::max(maxBoundRatio, v.maxBoundRatio);
}

void add(std::optional<Verification>& sum, const Verification& v) {
  if (sum) {
    sum->add(v);
  } else {
    sum = v;
  }
}

std::string Verification::place() const {
  return "pixel (" + std::to_string(x) + ", " + std::to_string(y) + ") of plane " + std::to_string(plane) +
         ": got " + formatNumber(static_cast<float>(got)) + ", expected " + formatNumber(expected);
}

}  // namespace bankside

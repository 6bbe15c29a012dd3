#include "core/judge/expectation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace bankside {
namespace {

constexpr double largestFloat = std::numeric_limits<float>::max();

Expectation expectMax(const std::vector<Candidate>& r, double got) {
  Expectation e{r[0].value, 0, true};
  for (const Candidate& c : r) {
    e.value = std::max(e.value, c.value);
    e.tolerance = std::max(e.tolerance, c.bound);
  }
  e.right = std::fabs(got - e.value) <= e.tolerance;
  return e;
}

Expectation expectArgMax(const std::vector<Candidate>& r, double got, double index) {
  Expectation e = expectMax(r, got);
  if (!(index >= 0) || index >= static_cast<double>(r.size())) return {e.value, e.tolerance, false};
  const Candidate& chosen = r[static_cast<std::size_t>(index)];
  e.right = std::fabs(got - chosen.value) <= chosen.bound && chosen.value >= e.value - 2 * e.tolerance;
  return e;
}

Expectation expectSum(const std::vector<Candidate>& r, double got, bool mean) {
  Expectation e;
  double magnitudes = 0;
  for (const Candidate& c : r) {
    e.value += c.value;
    e.tolerance += c.bound;
    magnitudes += c.magnitude;
  }
  const double count = static_cast<double>(r.size());
  e.tolerance += gammaBound(count + 2) * (magnitudes + e.tolerance);
  if (mean) {
    e.value /= count;
    e.tolerance /= count;
  }
  e.right = std::fabs(got - e.value) <= e.tolerance;
  return e;
}

Expectation expectMagnitude(const std::vector<Candidate>& r, double got) {
  double squares = 0;
  double bounds = 0;
  for (const Candidate& c : r) {
    squares += c.value * c.value;
    bounds += c.bound * c.bound;
  }
  Expectation e{std::sqrt(squares), std::sqrt(bounds), true};
  // Squares below f32's normal numbers may count as 0: each may cost its whole value.
  e.tolerance += gammaBound(static_cast<double>(r.size()) + 2) * (e.value + e.tolerance) +
                 std::sqrt(static_cast<double>(r.size()) * 0x1p-126);
  e.right = std::fabs(got - e.value) <= e.tolerance;
  return e;
}

/// Results stored in a narrower type: the clamp and the rounding of the last step come on top.
Expectation expectStored(Expectation e, ElementType type, double got) {
  if (type == ElementType::U8 || type == ElementType::U16) {
    e.value = std::clamp(e.value, 0.0, type == ElementType::U8 ? 255.0 : 65535.0);
    e.tolerance += 0.5;
  } else if (type == ElementType::F16) {
    e.tolerance += std::max(std::fabs(e.value) + e.tolerance, 0x1p-14) * 0x1p-11;
    if (std::fabs(e.value) + e.tolerance >= 65504.0 && std::isinf(got)) return {e.value, e.tolerance, true};
  } else {
    e.tolerance += 0x1p-149;  // below the smallest f32
    return e;
  }
  e.right = std::fabs(got - e.value) <= e.tolerance;
  return e;
}

/// Two responses of one size and opposite signs may both be the answer, in a narrower type too.
Expectation expectAbsMax(const std::vector<Candidate>& r, ElementType type, double got) {
  double largest = 0;
  double worst = 0;
  Expectation e;
  for (const Candidate& c : r) {
    if (std::fabs(c.value) > largest || &c == r.data()) e.value = c.value;
    largest = std::max(largest, std::fabs(c.value));
    worst = std::max(worst, c.bound);
  }
  e = expectStored({e.value, worst, false}, type, got);
  for (const Candidate& c : r) {
    if (std::fabs(c.value) < largest - 2 * worst) continue;
    const bool fits = std::fabs(got - c.value) <= c.bound;
    const Expectation other = expectStored({c.value, c.bound, fits}, type, got);
    if (other.right) return other;
  }
  e.right = false;
  return e;
}

}  // namespace

Expectation expectResult(Combine combine, ElementType type, const std::vector<Candidate>& r, double got,
                         double index) {
  Expectation e;
  switch (combine) {
    case Combine::None: e = {r[0].value, r[0].bound, std::fabs(got - r[0].value) <= r[0].bound}; break;
    case Combine::Max: e = expectMax(r, got); break;
    case Combine::AbsMax: return expectAbsMax(r, type, got);
    case Combine::ArgMax: return expectArgMax(r, got, index);
    case Combine::Mean: e = expectSum(r, got, true); break;
    case Combine::Sum: e = expectSum(r, got, false); break;
    case Combine::Magnitude: e = expectMagnitude(r, got); break;
  }
  // A stored integer or half has left its candidates behind: judge those by value alone, after the clamp.
  return type == ElementType::F32 ? e : expectStored(e, type, got);
}

Expectation expectHandedOn(Combine combine, const std::vector<Candidate>& r) {
  if (combine != Combine::AbsMax) return expectResult(combine, ElementType::F32, r, 0, 0);
  Candidate largest = r[0];
  double worst = 0;
  for (const Candidate& c : r) {
    if (std::fabs(c.value) > std::fabs(largest.value)) largest = c;
    worst = std::max(worst, c.bound);
  }
  Expectation e{largest.value, largest.bound, true};
  for (const Candidate& c : r) {
    if (std::fabs(c.value) < std::fabs(largest.value) - 2 * worst) continue;
    e.tolerance = std::max(e.tolerance, std::fabs(c.value - largest.value) + c.bound);
  }
  return e;
}

bool mayOverflow(Combine combine, const Expectation& e) {
  return std::fabs(e.value) + e.tolerance > largestFloat * (1 - unitRoundoff) ||
         (combine == Combine::Magnitude && e.value > 1e19);
}

void recordPixel(Verification& v, int plane, int x, int y, double got, const Expectation& e, bool finite) {
  ++v.checked;
  const double error = std::fabs(got - e.value);
  const bool first = !e.right && v.failed == 0;
  if (!e.right) {
    ++v.failed;
    v.passed = false;
  }
  const bool larger = finite && std::isfinite(error) && error > v.maxAbsError;
  if (larger) v.maxAbsError = error;
  if (finite && std::isfinite(error) && e.tolerance > 0)
    v.maxBoundRatio = std::max(v.maxBoundRatio, error / e.tolerance);
  if (first || (larger && v.failed == 0)) {
    v.plane = plane;
    v.x = x;
    v.y = y;
    v.got = got;
    v.expected = e.value;
  }
}

void requireOutputs(const ConvolutionProblem& problem, const Region& region,
                    const std::vector<Image>& outputs, bool fits) {
  const auto types = outputPlanes(problem);
  fits = fits && outputs.size() == types.size();
  for (std::size_t i = 0; fits && i < outputs.size(); ++i) {
    fits = outputs[i].type() == types[i] && outputs[i].width() == region.width &&
           outputs[i].height() == region.height;
  }
  if (!fits)
    throw Error(ErrorCode::BadInput, "the result planes are not those of problem " + format(problem));
}

}  // namespace bankside

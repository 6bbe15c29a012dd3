#include "core/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <tuple>

#include "core/error.h"
#include "core/exact.h"
#include "core/sample_rows.h"
#include "core/text.h"

namespace bankside {
namespace {

constexpr double u = 0x1p-24;
constexpr double largestFloat = std::numeric_limits<float>::max();

double elementAt(ConstPlane plane, int x, int y) {
  return visit(plane.type,
               [&](auto element) -> double { return asFloat(plane.as<decltype(element)>().at(x, y)); });
}

/// What one pixel should be: every response with its bound, kept for the combines that need all of them.
struct Candidate {
  double value = 0;
  double magnitude = 0;
  double bound = 0;
};

/// Expected value, tolerance, and whether anything finite is expected at all.
struct Expectation {
  double value = 0;
  double tolerance = 0;
  bool right = true;  ///< for the combines that are judged against several candidates
};

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
  // Squares below f32's smallest numbers vanish: each may cost its whole value.
  e.tolerance += gammaBound(static_cast<double>(r.size()) + 2) * (e.value + e.tolerance) +
                 std::sqrt(static_cast<double>(r.size()) * 0x1p-149);
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

class Judge {
 public:
  Judge(const ConvolutionProblem& p, const FilterBank& bank, const Region& region,
        const std::vector<Image>& outputs, const ErrorBound& bound, double largestMagnitude)
      : p_(p),
        taps_(correlationTaps(p, bank)),
        region_(region),
        outputs_(outputs),
        bound_(bound),
        largestMagnitude_(largestMagnitude) {}

  Verification judgeRow(const SourceBand& in, int row) const {
    Verification v;
    std::vector<ExactRow> exact(static_cast<std::size_t>(p_.combine == Combine::None ? 1 : p_.filterCount));
    for (int g = 0; g < p_.responseGroups(); ++g) {
      for (int f = 0; f < p_.filterCount; ++f) {
        ExactRow& e = exact[p_.combine == Combine::None ? 0 : static_cast<std::size_t>(f)];
        exactResponse(p_, taps_, in, g, f, region_.y + row, region_.x, region_.width, e);
        if (p_.combine == Combine::None) judgePlane(exact, g * p_.filterCount + f, row, v);
      }
      if (p_.combine != Combine::None) judgePlane(exact, p_.combine == Combine::ArgMax ? 2 * g : g, row, v);
    }
    return v;
  }

 private:
  void judgePlane(const std::vector<ExactRow>& exact, int plane, int row, Verification& v) const {
    const ConstPlane out = outputs_[static_cast<std::size_t>(plane)].plane(0);
    std::vector<Candidate> r(exact.size());
    for (int x = 0; x < region_.width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      bool finite = true;
      bool touched = false;
      for (std::size_t f = 0; f < exact.size(); ++f) {
        r[f] = {exact[f].value[i], exact[f].magnitude[i], 0};
        r[f].bound = bound_.factor *
                         (bound_.pixelwise ? r[f].magnitude : std::max(largestMagnitude_, r[f].magnitude)) +
                     0x1p-149 * p_.filterHeight * p_.filterWidth;
        finite = finite && std::isfinite(r[f].value);
        touched = touched || exact[f].touched[i] != 0;
      }
      const double got = elementAt(out, x, row);
      Expectation e;
      bool right = true;
      if (!finite) {
        e = {std::numeric_limits<double>::quiet_NaN(), 0, true};
        right = !std::isfinite(got) || out.type == ElementType::U8 || out.type == ElementType::U16;
      } else {
        e = expect(r, plane, x, row, got);
        const bool beyondFloat = std::fabs(e.value) + e.tolerance > largestFloat * (1 - u) ||
                                 (p_.combine == Combine::Magnitude && e.value > 1e19);
        right = e.right || ((touched || beyondFloat) && !std::isfinite(got));
      }
      record(v, plane, x, row, got, e, right, finite);
    }
  }

  Expectation expect(const std::vector<Candidate>& r, int plane, int x, int row, double got) const {
    const ElementType type = outputs_[static_cast<std::size_t>(plane)].type();
    // A stored integer or half has left its candidates behind: judge those by value alone, after the clamp.
    const bool narrow = type != ElementType::F32;
    Expectation e;
    switch (p_.combine) {
      case Combine::None: e = {r[0].value, r[0].bound, std::fabs(got - r[0].value) <= r[0].bound}; break;
      case Combine::Max: e = expectMax(r, got); break;
      case Combine::AbsMax: return expectAbsMax(r, type, got);
      case Combine::ArgMax:
        return expectArgMax(r, got,
                            elementAt(outputs_[static_cast<std::size_t>(plane) + 1].plane(0), x, row));
      case Combine::Mean: e = expectSum(r, got, true); break;
      case Combine::Sum: e = expectSum(r, got, false); break;
      case Combine::Magnitude: e = expectMagnitude(r, got); break;
    }
    return narrow ? expectStored(e, type, got) : e;
  }

  static void record(Verification& v, int plane, int x, int y, double got, const Expectation& e, bool right,
                     bool finite) {
    ++v.checked;
    const double error = std::fabs(got - e.value);
    const bool first = !right && v.failed == 0;
    if (!right) {
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

  const ConvolutionProblem& p_;
  CorrelationTaps taps_;
  Region region_;
  const std::vector<Image>& outputs_;
  ErrorBound bound_;
  double largestMagnitude_;
};

/// The largest sum of |tap x pixel| that any place of the image could have.
double largestMagnitude(const ConvolutionProblem& p, const FilterBank& bank, Source& source) {
  double taps = 0;
  for (const Filter& f : bank.filters()) {
    double sum = 0;
    for (const float tap : f.taps) sum += std::fabs(tap);
    taps = std::max(taps, sum);
  }
  double pixel = std::fabs(p.border.value);
  Image row(1, 1, source.width(), source.type());
  for (int c = 0; c < source.channels(); ++c) {
    for (int y = 0; y < source.height(); ++y) {
      source.readRows(c, y, row.plane(0));
      for (int x = 0; x < source.width(); ++x) {
        const double value = std::fabs(elementAt(row.plane(0), x, 0));
        if (std::isfinite(value)) pixel = std::max(pixel, value);
      }
    }
  }
  return taps * pixel;
}

/// Lends HostPlan's bands to the judge: a plan that computes nothing and looks at everything.
class JudgingPlan final : public HostPlan {
 public:
  JudgingPlan(const ConvolutionProblem& p, const FilterBank& bank, int threads, const Judge& judge)
      : HostPlan(p, bank, {threads}), judge_(judge) {}
  std::string variant() const override { return "judge"; }
  const Verification& result() const { return result_; }
  /// The next run begins at this row of the judge's region.
  void judgeFrom(int row) { done_ = row; }

 private:
  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token& stop) override {
    std::mutex mutex;
    const int firstRow = done_;
    team().forRanges(0, out.region.height, 4, [&](int first, int last) {
      for (int row = first; row < last; ++row) {
        if (stop.stop_requested()) throw Cancelled();
        const Verification v = judge_.judgeRow(in, firstRow + row);
        const std::lock_guard lock(mutex);
        result_.add(v);
      }
    });
    done_ += out.region.height;
  }
  const Judge& judge_;
  Verification result_;
  int done_ = 0;
};

/// A sink for a plan that writes nothing.
class NoSink final : public Sink {
 public:
  explicit NoSink(const ConvolutionProblem& problem) : types_(outputPlanes(problem)) {}
  int planes() const override { return static_cast<int>(types_.size()); }
  ElementType type(int plane) const override { return types_[static_cast<std::size_t>(plane)]; }
  void writeRows(int, int, ConstPlane) override {}

 private:
  std::vector<ElementType> types_;
};

}  // namespace

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

std::string Verification::place() const {
  return "pixel (" + std::to_string(x) + ", " + std::to_string(y) + ") of plane " + std::to_string(plane) +
         ": got " + formatNumber(static_cast<float>(got)) + ", expected " + formatNumber(expected);
}

Verification verify(const ConvolutionProblem& problem, const FilterBank& bank, Source& source,
                    const Region& region, const std::vector<Image>& outputs, const ErrorBound& bound,
                    int threads, std::stop_token stop) {
  return verifyRows(problem, bank, source, region, outputs, bound, sampleRows(region.height, 0, 0), threads,
                    std::move(stop));
}

Verification verifyRows(const ConvolutionProblem& problem, const FilterBank& bank, Source& source,
                        const Region& region, const std::vector<Image>& outputs, const ErrorBound& bound,
                        const std::vector<int>& rows, int threads, std::stop_token stop) {
  const auto types = outputPlanes(problem);
  bool fits = outputs.size() == types.size();
  for (std::size_t i = 0; fits && i < outputs.size(); ++i) {
    fits = outputs[i].type() == types[i] && outputs[i].width() == region.width &&
           outputs[i].height() == region.height;
  }
  if (!fits)
    throw Error(ErrorCode::BadInput, "the result planes are not those of problem " + format(problem));
  const double largest = bound.pixelwise ? 0 : largestMagnitude(problem, bank, source);
  const Judge judge(problem, bank, region, outputs, bound, largest);
  JudgingPlan plan(problem, bank, threads, judge);
  NoSink nothing(problem);
  // Neighbouring rows in one run: threads share them.
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
    plan.judgeFrom(rows[i]);
    plan.run(source, nothing, {region.x, region.y + rows[i], region.width, static_cast<int>(end - i)}, stop);
    i = end;
  }
  return plan.result();
}

Verification difference(const std::vector<Image>& a, const std::vector<Image>& b) {
  Verification v;
  if (a.size() != b.size())
    throw Error(ErrorCode::BadInput, "the two results differ in their number of planes");
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].width() != b[i].width() || a[i].height() != b[i].height()) {
      throw Error(ErrorCode::BadInput, "the two results differ in size");
    }
    for (int y = 0; y < a[i].height(); ++y) {
      for (int x = 0; x < a[i].width(); ++x) {
        const double left = elementAt(a[i].plane(0), x, y);
        const double right = elementAt(b[i].plane(0), x, y);
        ++v.checked;
        const bool sameNonFinite = !std::isfinite(left) && !std::isfinite(right);
        const double error = sameNonFinite ? 0 : std::fabs(left - right);
        if (error != 0) ++v.failed;
        if (error > v.maxAbsError || std::isnan(error)) {
          v.maxAbsError = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
          v.plane = static_cast<int>(i);
          v.x = x;
          v.y = y;
          v.got = left;
          v.expected = right;
        }
      }
    }
  }
  v.passed = v.failed == 0;
  return v;
}

}  // namespace bankside

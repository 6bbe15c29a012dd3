#include "core/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <tuple>

#include "core/error.h"
#include "core/exact.h"
#include "core/expectation.h"
#include "core/sample_rows.h"
#include "core/text.h"

namespace bankside {
namespace {

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

  /// Rows of the image whose sums a bound takes together.
  int blockRows() const { return bound_.pixelwise ? bound_.blockRows : 1; }

  /// Judges rows [first, last) of the region.
  Verification judgeRows(const SourceBand& in, int first, int last, const std::stop_token& stop) const {
    Verification v;
    while (first < last) {
      const int top = (region_.y + first) / blockRows() * blockRows();
      const int end = std::min(last, top + blockRows() - region_.y);
      judgeBlock(in, top, std::min(top + blockRows(), p_.height), first, end, v, stop);
      first = end;
    }
    return v;
  }

 private:
  /// Rows [first, last) of the region, within the block of image rows [top, bottom).
  void judgeBlock(const SourceBand& in, int top, int bottom, int first, int last, Verification& v,
                  const std::stop_token& stop) const {
    const auto rows = static_cast<std::size_t>(bottom - top);
    const auto filters = static_cast<std::size_t>(p_.combine == Combine::None ? 1 : p_.filterCount);
    std::vector<std::vector<ExactRow>> exact(rows, std::vector<ExactRow>(filters));
    std::vector<std::vector<double>> largest(filters);
    std::vector<Verification> judged(static_cast<std::size_t>(last - first));
    const auto judge = [&](int plane) {
      for (int row = first; row < last; ++row)
        judgePlane(exact[static_cast<std::size_t>(region_.y + row - top)], largest, plane, row,
                   judged[static_cast<std::size_t>(row - first)]);
    };
    for (int g = 0; g < p_.responseGroups(); ++g) {
      for (int f = 0; f < p_.filterCount; ++f) {
        const std::size_t at = p_.combine == Combine::None ? 0 : static_cast<std::size_t>(f);
        largest[at].assign(static_cast<std::size_t>(region_.width), 0.0);
        for (std::size_t row = 0; row < rows; ++row) {
          if (stop.stop_requested()) throw Cancelled();
          ExactRow& e = exact[row][at];
          exactResponse(p_, taps_, in, g, f, top + static_cast<int>(row), region_.x, region_.width, e);
          // A row that is not finite adds nothing to its neighbours' bound: too strict at worst.
          for (std::size_t x = 0; x < e.magnitude.size(); ++x)
            if (std::isfinite(e.magnitude[x])) largest[at][x] = std::max(largest[at][x], e.magnitude[x]);
        }
        if (p_.combine == Combine::None) judge(g * p_.filterCount + f);
      }
      if (p_.combine != Combine::None) judge(p_.combine == Combine::ArgMax ? 2 * g : g);
    }
    for (const Verification& row : judged) v.add(row);
  }

  /// `largest`: of the block's magnitudes, for each filter.
  void judgePlane(const std::vector<ExactRow>& exact, const std::vector<std::vector<double>>& largest,
                  int plane, int row, Verification& v) const {
    const ConstPlane out = outputs_[static_cast<std::size_t>(plane)].plane(0);
    std::vector<Candidate> r(exact.size());
    for (int x = 0; x < region_.width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      bool finite = true;
      bool touched = false;
      for (std::size_t f = 0; f < exact.size(); ++f) {
        r[f] = {exact[f].value[i], exact[f].magnitude[i], 0};
        r[f].bound =
            bound_.factor * std::max(bound_.pixelwise ? largest[f][i] : largestMagnitude_, r[f].magnitude) +
            0x1p-149 * p_.filterHeight * p_.filterWidth;
        finite = finite && std::isfinite(r[f].value);
        touched = touched || exact[f].touched[i] != 0;
      }
      const double got = elementAt(out, x, row);
      Expectation e;
      if (!finite) {
        e = {std::numeric_limits<double>::quiet_NaN(), 0,
             !std::isfinite(got) || out.type == ElementType::U8 || out.type == ElementType::U16};
      } else {
        const double index = p_.combine == Combine::ArgMax
                                 ? elementAt(outputs_[static_cast<std::size_t>(plane) + 1].plane(0), x, row)
                                 : 0;
        e = expectResult(p_.combine, out.type, r, got, index);
        e.right = e.right || ((touched || mayOverflow(p_.combine, e)) && !std::isfinite(got));
      }
      recordPixel(v, plane, x, row, got, e, finite);
    }
  }

  const ConvolutionProblem& p_;
  CorrelationTaps taps_;
  Region region_;
  const std::vector<Image>& outputs_;
  ErrorBound bound_;
  double largestMagnitude_;
};

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
  int blockRows() const override { return judge_.blockRows(); }
  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token& stop) override {
    std::mutex mutex;
    const int firstRow = done_;
    team().forRanges(0, out.region.height, 4, [&](int first, int last) {
      for (int row = first; row < last; row += 4) {
        const Verification v = judge_.judgeRows(in, firstRow + row, firstRow + std::min(row + 4, last), stop);
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

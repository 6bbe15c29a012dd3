#include "core/judge/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <tuple>

#include "core/error.h"
#include "core/judge/exact_rows.h"
#include "core/judge/expectation.h"
#include "core/judge/looking.h"
#include "core/sample_rows.h"
#include "core/text.h"

namespace bankside {
namespace {

/// What is exact of the responses that make one result plane, along one row, and the least magnitude that
/// their bounds look at.
struct ExactPixels {
  std::vector<const ExactRow*> rows;
  std::vector<const double*> least;
};

class Judge {
 public:
  Judge(const ConvolutionProblem& p, ExactRows::Of& exact, const Region& region,
        const std::vector<Image>& outputs, const ErrorBound& bound, double largestMagnitude)
      : p_(p),
        exact_(exact),
        region_(region),
        outputs_(outputs),
        bound_(bound),
        largestMagnitude_(largestMagnitude) {}

  /// Rows of the image whose sums a bound takes together.
  int blockRows() const { return bound_.pixelwise ? bound_.rowsTogether : 1; }

  /// The block that a row of the region lies in.
  int blockOf(int row) const { return (region_.y + row) / blockRows(); }

  /// What is judged on its own: planes or, with a combine, groups.
  int parts() const {
    return p_.combine == Combine::None ? p_.responseGroups() * p_.filterCount : p_.responseGroups();
  }

  /// Judges rows of the region that lie in one block, in one part.
  Verification judge(const SourceBand& in, const int* firstRow, const int* lastRow, int part,
                     const std::stop_token& stop) const {
    const bool alone = p_.combine == Combine::None;
    const int group = alone ? part / p_.filterCount : part;
    const int filter = alone ? part % p_.filterCount : 0;
    const auto count = static_cast<std::size_t>(alone ? 1 : p_.filterCount);
    const int top = blockOf(*firstRow) * blockRows();
    const int rows = std::min(blockRows(), p_.height - top);
    std::vector<ExactRow> own(count);
    std::vector<std::vector<double>> ownLargest(count);
    const std::vector<double> everywhere(static_cast<std::size_t>(region_.width), largestMagnitude_);
    ExactPixels exact{std::vector<const ExactRow*>(count), std::vector<const double*>(count)};
    for (std::size_t f = 0; f < count; ++f) {
      if (stop.stop_requested()) throw Cancelled();
      exact.least[f] =
          rows == 1 ? everywhere.data()
                    : exact_.largestOfBlock(in, group, filter + static_cast<int>(f), top, rows, ownLargest[f])
                          .data();
    }
    Verification v;
    const int plane = p_.combine == Combine::ArgMax ? 2 * part : part;
    for (const int* row = firstRow; row != lastRow; ++row) {
      for (std::size_t f = 0; f < count; ++f) {
        if (stop.stop_requested()) throw Cancelled();
        exact.rows[f] = &exact_.row(in, group, filter + static_cast<int>(f), region_.y + *row, own[f]);
      }
      Verification judged;
      if (!passPlainRow(exact, plane, *row, judged)) judgeRow(exact, plane, *row, judged);
      v.add(judged);
    }
    return v;
  }

 private:
  double boundOf(double least, double magnitude, double small) const {
    return bound_.factor * std::max(least, magnitude) + small;
  }

  /// A row of f32 responses of which each is clearly right, which nearly all are: `judgeRow` in a few steps a
  /// pixel. False if it is no such row, with nothing recorded.
  bool passPlainRow(const ExactPixels& exact, int plane, int row, Verification& v) const {
    const ConstPlane out = outputs_[static_cast<std::size_t>(plane)].plane(0);
    if (p_.combine != Combine::None || out.type != ElementType::F32) return false;
    const float* got = out.as<float>().row(row);
    const double* value = exact.rows[0]->value.data();
    const double* magnitude = exact.rows[0]->magnitude.data();
    const double* least = exact.least[0];
    const double small = exact.rows[0]->small;
    bool right = true;
    double worst = 0;
    double ratio = 0;
    for (int x = 0; x < region_.width; ++x) {
      const double tolerance = boundOf(least[x], magnitude[x], small);
      const double error = std::fabs(got[x] - value[x]);
      // Not where anything is NaN.
      right = right && error <= tolerance && std::fabs(value[x]) + tolerance < 1e38;
      worst = std::max(worst, error);
      ratio = std::max(ratio, error / tolerance);
    }
    if (!right) return false;
    v.checked = region_.width;
    v.maxAbsError = worst;
    v.maxBoundRatio = ratio;
    for (int x = 0; worst > 0 && x < region_.width; ++x) {
      if (std::fabs(got[x] - value[x]) != worst) continue;
      v.plane = plane;
      v.x = x;
      v.y = row;
      v.got = got[x];
      v.expected = value[x];
      break;
    }
    return true;
  }

  void judgeRow(const ExactPixels& exact, int plane, int row, Verification& v) const {
    const ConstPlane out = outputs_[static_cast<std::size_t>(plane)].plane(0);
    std::vector<Candidate> r(exact.rows.size());
    for (int x = 0; x < region_.width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      bool finite = true;
      bool touched = false;
      for (std::size_t f = 0; f < r.size(); ++f) {
        const ExactRow& response = *exact.rows[f];
        r[f] = {response.value[i], response.magnitude[i],
                boundOf(exact.least[f][i], response.magnitude[i], response.small)};
        finite = finite && std::isfinite(r[f].value);
        touched = touched || response.isTouched(i);
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
  ExactRows::Of& exact_;
  Region region_;
  const std::vector<Image>& outputs_;
  ErrorBound bound_;
  double largestMagnitude_;  ///< 0 where the bound is pixelwise
};

}  // namespace

Verification verify(const ConvolutionProblem& problem, const FilterBank& bank, Source& source,
                    const Region& region, const std::vector<Image>& outputs, const ErrorBound& bound,
                    int threads, std::stop_token stop) {
  return verifyRows(problem, bank, source, region, outputs, bound, sampleRows(region.height, 0, 0), threads,
                    std::move(stop));
}

Verification verifyRows(const ConvolutionProblem& problem, const FilterBank& bank, Source& source,
                        const Region& region, const std::vector<Image>& outputs, const ErrorBound& bound,
                        const std::vector<int>& rows, int threads, std::stop_token stop, ExactRows* kept) {
  requireOutputs(problem, region, outputs);
  ExactRows nothingKept(0);
  ExactRows::Of& exact = (kept != nullptr ? *kept : nothingKept).of(problem, bank, region.x, region.width);
  const Judge judge(problem, exact, region, outputs, bound,
                    bound.pixelwise ? 0 : exact.largest(bank, source));
  Verification result;
  std::mutex mutex;
  const auto look = [&](const SourceBand& in, const Region& band, const ThreadTeam& team) {
    const int firstRow = band.y - region.y;
    const auto end = std::lower_bound(rows.begin(), rows.end(), firstRow + band.height);
    std::vector<std::vector<int>::const_iterator> blocks;
    for (auto row = std::lower_bound(rows.begin(), rows.end(), firstRow); row != end; ++row) {
      if (blocks.empty() || judge.blockOf(*row) != judge.blockOf(*blocks.back())) blocks.push_back(row);
    }
    const int count = static_cast<int>(blocks.size());
    blocks.push_back(end);
    team.forRanges(0, count * judge.parts(), 1, [&](int first, int last) {
      for (int i = first; i < last; ++i) {
        const auto block = static_cast<std::size_t>(i / judge.parts());
        const Verification v =
            judge.judge(in, &*blocks[block], &*blocks[block] + (blocks[block + 1] - blocks[block]),
                        i % judge.parts(), stop);
        const std::lock_guard lock(mutex);
        result.add(v);
      }
    });
  };
  // Of a file the rows that are judged and no others; in memory all at once: threads share them.
  const bool inMemory = source.resident(0).has_value();
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && (inMemory || rows[end] == rows[end - 1] + 1)) ++end;
    const int height = rows[end - 1] + 1 - rows[i];
    lookAt(problem, bank, source, {region.x, region.y + rows[i], region.width, height}, judge.blockRows(),
           threads, look, stop);
    i = end;
  }
  return result;
}

Verification difference(const std::vector<Image>& a, const std::vector<Image>& b,
                        const std::stop_token& stop) {
  Verification v;
  if (a.size() != b.size())
    throw Error(ErrorCode::BadInput, "the two results differ in their number of planes");
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].width() != b[i].width() || a[i].height() != b[i].height()) {
      throw Error(ErrorCode::BadInput, "the two results differ in size");
    }
    for (int y = 0; y < a[i].height(); ++y) {
      if (stop.stop_requested()) throw Cancelled();
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

#include "core/judge/compare_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/error.h"
#include "core/judge/exact.h"
#include "core/judge/expectation.h"
#include "core/parallel.h"

namespace bankside {
namespace {

class MapJudge {
 public:
  MapJudge(const ConvolutionProblem& p, const FilterBank& bank, const ExactMaps& maps, const Region& region,
           const std::vector<Image>& outputs, const ErrorBound& bound, double largest)
      : p_(p),
        responses_(
            p, bank, [&maps](int map, int y) -> const ExactMapRow& { return maps.row(map, y); }, region.x,
            region.width),
        region_(region),
        outputs_(outputs),
        bound_(bound),
        largest_(largest) {}

  /// Rows of the maps that a row of results needs.
  void addRows(int row, std::set<int>& needed) const { responses_.addRows(region_.y + row, needed); }

  Verification judgeRow(int row) const {
    Verification v;
    for (int g = 0; g < p_.responseGroups(); ++g) {
      const std::vector<ResponseRow> exact = responses_.row(g, region_.y + row);
      if (p_.combine == Combine::None) {
        for (int f = 0; f < p_.filterCount; ++f)
          judgePlane(&exact[static_cast<std::size_t>(f)], 1, g * p_.filterCount + f, row, v);
      } else {
        judgePlane(exact.data(), exact.size(), p_.combine == Combine::ArgMax ? 2 * g : g, row, v);
      }
    }
    return v;
  }

 private:
  void judgePlane(const ResponseRow* exact, std::size_t count, int plane, int row, Verification& v) const {
    const ConstPlane out = outputs_[static_cast<std::size_t>(plane)].plane(0);
    std::vector<Candidate> r(count);
    for (int x = 0; x < region_.width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      MapState state = MapState::Finite;
      for (std::size_t f = 0; f < count; ++f) {
        r[f] = exact[f].candidate(i, bound_, largest_);
        state = std::max(state, exact[f].state[i]);
      }
      const double got = elementAt(out, x, row);
      Expectation e{std::numeric_limits<double>::quiet_NaN(), 0, !std::isfinite(got)};
      if (state != MapState::NotFinite) {
        const double index = p_.combine == Combine::ArgMax
                                 ? elementAt(outputs_[static_cast<std::size_t>(plane) + 1].plane(0), x, row)
                                 : 0;
        e = expectResult(p_.combine, out.type, r, got, index);
        const bool mayBeAnything = state == MapState::Either || mayOverflow(p_.combine, e);
        e.right = e.right || (mayBeAnything && !std::isfinite(got));
      }
      recordPixel(v, plane, x, row, got, e, state != MapState::NotFinite);
    }
  }

  const ConvolutionProblem& p_;
  MapResponses responses_;
  Region region_;
  const std::vector<Image>& outputs_;
  ErrorBound bound_;
  double largest_;
};

}  // namespace

Verification verifyOverMaps(const ConvolutionProblem& problem, const FilterBank& bank, ExactMaps& maps,
                            const Region& region, const std::vector<Image>& outputs, const ErrorBound& bound,
                            const std::vector<int>& rows, int threads, const std::stop_token& stop) {
  requireOutputs(problem, region, outputs, problem.channels == maps.maps());
  const double largest = bound.ofPixelAlone() ? 0 : largestOverMaps(problem, bank, maps);
  const MapJudge judge(problem, bank, maps, region, outputs, bound, largest);
  const ThreadTeam team(threads);
  Verification result;
  // So many rows at once that every thread has some and the held rows stay few.
  const int together = std::max(4, 2 * team.count());
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1 &&
           end - i < static_cast<std::size_t>(together))
      ++end;
    std::set<int> needed;
    for (std::size_t k = i; k < end; ++k) judge.addRows(rows[k], needed);
    maps.hold(needed, stop);
    std::mutex mutex;
    team.forRanges(static_cast<int>(i), static_cast<int>(end), 1, [&](int first, int last) {
      for (int k = first; k < last; ++k) {
        if (stop.stop_requested()) throw Cancelled();
        const Verification v = judge.judgeRow(rows[static_cast<std::size_t>(k)]);
        const std::lock_guard lock(mutex);
        result.add(v);
      }
    });
    i = end;
  }
  return result;
}

}  // namespace bankside

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

/// Exact responses of one filter along a row.
struct ResponseRow {
  std::vector<double> value;
  std::vector<double> magnitude;  ///< sum |t| (|a| + e)
  std::vector<double> error;      ///< sum |t| e
  std::vector<MapState> state;
};

class MapJudge {
 public:
  MapJudge(const ConvolutionProblem& p, const FilterBank& bank, const ExactMaps& maps, const Region& region,
           const std::vector<Image>& outputs, const ErrorBound& bound, double largest)
      : p_(p),
        taps_(correlationTaps(p, bank)),
        maps_(maps),
        region_(region),
        outputs_(outputs),
        bound_(bound),
        largest_(largest) {
    for (int i = 0; i < region.width + p.filterWidth - 1; ++i)
      columns_.push_back(borderIndex(region.x - taps_.anchorX + i, p.width, p.border.kind));
  }

  /// Rows of the maps that a row of results needs.
  void addRows(int row, std::set<int>& needed) const {
    for (int ky = 0; ky < p_.filterHeight; ++ky) {
      const int inside = borderIndex(region_.y + row + ky - taps_.anchorY, p_.height, p_.border.kind);
      if (inside >= 0) needed.insert(inside);
    }
  }

  Verification judgeRow(int row) const {
    Verification v;
    for (int g = 0; g < p_.responseGroups(); ++g) {
      const std::vector<ResponseRow> exact = responses(g, row);
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
  /// One map row with its border, as wide as the taps reach.
  void gather(int map, int y, ExactMapRow& row) const {
    const int inside = borderIndex(y, p_.height, p_.border.kind);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (inside < 0 || columns_[i] < 0) {
        row.value[i] = p_.border.value;
        row.error[i] = 0;
        row.state[i] = MapState::Finite;
        continue;
      }
      const ExactMapRow& from = maps_.row(map, inside);
      const auto x = static_cast<std::size_t>(columns_[i]);
      row.value[i] = from.value[x];
      row.error[i] = from.error[x];
      row.state[i] = from.state[x];
    }
  }

  std::vector<ResponseRow> responses(int group, int row) const {
    const auto width = static_cast<std::size_t>(region_.width);
    std::vector<ResponseRow> all(static_cast<std::size_t>(p_.filterCount));
    for (ResponseRow& r : all) {
      r.value.assign(width, 0);
      r.magnitude.assign(width, 0);
      r.error.assign(width, 0);
      r.state.assign(width, MapState::Finite);
    }
    ExactMapRow in;
    in.value.resize(columns_.size());
    in.error.resize(columns_.size());
    in.state.resize(columns_.size());
    for (int c = 0; c < p_.tapChannels(); ++c) {
      const int map = p_.channelMode == ChannelMode::Summed ? c : group;
      for (int ky = 0; ky < p_.filterHeight; ++ky) {
        gather(map, region_.y + row + ky - taps_.anchorY, in);
        const bool clean =
            std::all_of(in.state.begin(), in.state.end(), [](MapState s) { return s == MapState::Finite; });
        for (int f = 0; f < p_.filterCount; ++f) {
          const float* tap =
              taps_.taps.data() +
              ((static_cast<std::ptrdiff_t>(f) * p_.tapChannels() + c) * p_.filterHeight + ky) *
                  p_.filterWidth;
          for (int kx = 0; kx < p_.filterWidth; ++kx)
            addTap(tap[kx], in, static_cast<std::size_t>(kx), clean, all[static_cast<std::size_t>(f)]);
        }
      }
    }
    return all;
  }

  static void addTap(double t, const ExactMapRow& in, std::size_t from, bool clean, ResponseRow& out) {
    const double size = std::fabs(t);
    if (t != 0) {
      for (std::size_t x = 0; x < out.value.size(); ++x) {
        out.value[x] += t * in.value[from + x];
        out.magnitude[x] += size * (std::fabs(in.value[from + x]) + in.error[from + x]);
        out.error[x] += size * in.error[from + x];
      }
    }
    if (clean) return;
    for (std::size_t x = 0; x < out.state.size(); ++x) {
      const MapState state = in.state[from + x];
      // Engines may leave out zero taps.
      const MapState seen = t == 0 && state == MapState::NotFinite ? MapState::Either : state;
      out.state[x] = std::max(out.state[x], seen);
    }
  }

  void judgePlane(const ResponseRow* exact, std::size_t count, int plane, int row, Verification& v) const {
    const ConstPlane out = outputs_[static_cast<std::size_t>(plane)].plane(0);
    std::vector<Candidate> r(count);
    for (int x = 0; x < region_.width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      MapState state = MapState::Finite;
      for (std::size_t f = 0; f < count; ++f) {
        r[f] = {exact[f].value[i], exact[f].magnitude[i], 0};
        r[f].bound = exact[f].error[i] +
                     bound_.factor * std::max(bound_.ofPixelAlone() ? 0.0 : largest_, r[f].magnitude) +
                     0x1p-149 * p_.filterHeight * p_.filterWidth;
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
  CorrelationTaps taps_;
  const ExactMaps& maps_;
  Region region_;
  const std::vector<Image>& outputs_;
  ErrorBound bound_;
  double largest_;
  std::vector<int> columns_;  ///< of the maps, below the taps of the row's pixels; -1: the border's value
};

/// As large as a response over any place of the maps could be.
double largestOverMaps(const ConvolutionProblem& p, const FilterBank& bank, ExactMaps& maps) {
  double taps = 0;
  for (const Filter& f : bank.filters()) {
    double sum = 0;
    for (const float tap : f.taps) sum += std::fabs(tap);
    taps = std::max(taps, sum);
  }
  return taps * std::max(maps.largestValue(), static_cast<double>(std::fabs(p.border.value)));
}

}  // namespace

Verification verifyOverMaps(const ConvolutionProblem& problem, const FilterBank& bank, ExactMaps& maps,
                            const Region& region, const std::vector<Image>& outputs, const ErrorBound& bound,
                            const std::vector<int>& rows, int threads, const std::stop_token& stop) {
  const auto types = outputPlanes(problem);
  bool fits = outputs.size() == types.size() && problem.channels == maps.maps();
  for (std::size_t i = 0; fits && i < outputs.size(); ++i) {
    fits = outputs[i].type() == types[i] && outputs[i].width() == region.width &&
           outputs[i].height() == region.height;
  }
  if (!fits)
    throw Error(ErrorCode::BadInput, "the result planes are not those of problem " + format(problem));
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

#include "core/judge/exact_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/judge/exact.h"
#include "core/judge/expectation.h"
#include "core/judge/looking.h"

namespace bankside {
namespace {

constexpr double u = 0x1p-24;
constexpr double smallest = 0x1p-149;

struct Pixel {
  double value = 0;
  double error = 0;
  MapState state = MapState::Finite;
};

/// What a combine makes of responses of which some are not finite. The value says which kind, for relu.
Pixel combineNotFinite(Combine combine, const std::vector<Candidate>& r) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (combine == Combine::None) return {r[0].value, 0, MapState::NotFinite};
  bool nan = false;
  bool plus = false;
  bool minus = false;
  Pixel others{-infinity, 0, MapState::Either};
  for (const Candidate& c : r) {
    nan = nan || std::isnan(c.value);
    plus = plus || c.value == infinity;
    minus = minus || c.value == -infinity;
    if (!std::isfinite(c.value)) continue;
    others.value = std::max(others.value, c.value);
    others.error = std::max(others.error, c.bound);
  }
  if (nan) return {std::numeric_limits<double>::quiet_NaN(), 0, MapState::NotFinite};
  switch (combine) {
    case Combine::Max:
      // A response of minus infinity leaves the maximum to the others, or is NaN where a sum is reordered.
      if (!plus && std::isfinite(others.value)) return others;
      return {plus ? infinity : -infinity, 0, MapState::NotFinite};
    case Combine::Sum:
    case Combine::Mean:
      if (plus && minus) return {std::numeric_limits<double>::quiet_NaN(), 0, MapState::NotFinite};
      [[fallthrough]];
    case Combine::AbsMax: return {minus ? -infinity : infinity, 0, MapState::NotFinite};
    default: return {infinity, 0, MapState::NotFinite};
  }
}

Pixel activated(Activation activation, Pixel p) {
  if (p.state == MapState::NotFinite) {
    // relu turns minus infinity into 0, but not the NaN that another order of the same sum gives.
    const bool vanishes = activation == Activation::Relu && !(p.value > 0) && !std::isnan(p.value);
    return {0, 0, vanishes ? MapState::Either : MapState::NotFinite};
  }
  const double size = std::fabs(p.value) + p.error;
  switch (activation) {
    case Activation::None: break;
    case Activation::Abs: p.value = std::fabs(p.value); break;
    case Activation::Relu: p.value = std::max(p.value, 0.0); break;
    case Activation::Square:
      p.error = p.error * (2 * std::fabs(p.value) + p.error) + u * size * size + smallest;
      p.value *= p.value;
      break;
  }
  if (mayOverflow(Combine::None, {p.value, p.error, true})) p.state = MapState::Either;
  return p;
}

}  // namespace

/// Exact responses of some rows, before the combine: [plane][row].
struct ExactMaps::Responses {
  std::vector<std::vector<ExactRow>> rows;
  std::vector<std::size_t> step;  ///< that a plane belongs to
};

ExactMaps::ExactMaps(const BankPass& first, const std::vector<BankPass::Step>& steps, Activation activation,
                     Source& image, int threads)
    : first_(first),
      steps_(steps),
      activation_(activation),
      image_(image),
      threads_(threads),
      maps_(static_cast<int>(first.names(image.channels()).size())) {
  for (const BankPass::Step& step : steps_) {
    bounds_.push_back(step.plan->errorBound());
    largest_.push_back(bounds_.back().ofPixelAlone() ? 0 : largestMagnitude(step.problem, *step.bank, image));
  }
}

double ExactMaps::largestValue() {
  double largest = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (largest_[i] == 0) largest_[i] = largestMagnitude(steps_[i].problem, *steps_[i].bank, image_);
    largest = std::max(largest, largest_[i] * (1 + bounds_[i].factor));
  }
  const double filters = first_.bank().size();
  if (first_.options().combine == Combine::Sum) largest *= filters;
  if (first_.options().combine == Combine::Magnitude) largest *= std::sqrt(filters);
  largest *= 1 + gammaBound(filters + 4);
  return activation_ == Activation::Square ? largest * largest * (1 + u) : largest;
}

void ExactMaps::hold(const std::set<int>& rows, const std::stop_token& stop) {
  for (auto it = held_.begin(); it != held_.end();)
    it = rows.contains(it->first) ? std::next(it) : held_.erase(it);
  for (auto it = rows.begin(); it != rows.end();) {
    const int first = *it;
    int end = first;
    while (it != rows.end() && *it == end && !held_.contains(end)) ++it, ++end;
    if (end > first) {
      computeRows(first, end - first, stop);
    } else {
      ++it;
    }
  }
}

void ExactMaps::computeRows(int firstRow, int count, const std::stop_token& stop) {
  const int filters = first_.bank().size();
  const int groups = first_.groups(image_.channels());
  const int width = image_.width();
  Responses all;
  all.rows.resize(static_cast<std::size_t>(groups * filters),
                  std::vector<ExactRow>(static_cast<std::size_t>(count)));
  all.step.resize(all.rows.size());
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const BankPass::Step& step = steps_[s];
    const CorrelationTaps taps = correlationTaps(step.problem, *step.bank);
    const auto look = [&](const SourceBand& in, const Region& region, const ThreadTeam& team) {
      team.forRanges(0, region.height, 1, [&](int from, int to) {
        for (int y = region.y + from; y < region.y + to; ++y) {
          if (stop.stop_requested()) throw Cancelled();
          for (int g = 0; g < groups; ++g) {
            for (std::size_t f = 0; f < step.indices.size(); ++f) {
              const auto plane = static_cast<std::size_t>(g * filters + step.indices[f]);
              exactResponse(step.problem, taps, in, g, static_cast<int>(f), y, 0, width,
                            all.rows[plane][static_cast<std::size_t>(y - firstRow)]);
            }
          }
        }
      });
    };
    for (int g = 0; g < groups; ++g) {
      for (const int f : step.indices) all.step[static_cast<std::size_t>(g * filters + f)] = s;
    }
    lookAt(step.problem, *step.bank, image_, {0, firstRow, width, count}, 1, threads_, look, stop);
  }

  const Combine combine = first_.options().combine;
  const int together = combine == Combine::None ? 1 : filters;
  for (int y = 0; y < count; ++y) held_[firstRow + y].resize(static_cast<std::size_t>(maps_));
  const ThreadTeam team(threads_);
  team.forRanges(0, count, 1, [&](int from, int to) {
    std::vector<Candidate> r(static_cast<std::size_t>(together));
    for (int y = from; y < to; ++y) {
      for (int m = 0; m < maps_; ++m) {
        ExactMapRow& out = held_.at(firstRow + y)[static_cast<std::size_t>(m)];
        out.value.resize(static_cast<std::size_t>(width));
        out.error.resize(static_cast<std::size_t>(width));
        out.state.resize(static_cast<std::size_t>(width));
        for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
          bool finite = true;
          bool touched = false;
          for (int f = 0; f < together; ++f) {
            const auto plane = static_cast<std::size_t>(m * together + f);
            const ExactRow& row = all.rows[plane][static_cast<std::size_t>(y)];
            const std::size_t s = all.step[plane];
            Candidate& c = r[static_cast<std::size_t>(f)];
            c = {row.value[x], row.magnitude[x], 0};
            c.bound =
                bounds_[s].factor * std::max(bounds_[s].ofPixelAlone() ? 0.0 : largest_[s], c.magnitude) +
                smallest * steps_[s].problem.filterHeight * steps_[s].problem.filterWidth;
            finite = finite && std::isfinite(c.value);
            touched = touched || row.isTouched(x);
          }
          Pixel p;
          if (finite) {
            const Expectation e = expectHandedOn(combine, r);
            p = {e.value, e.tolerance,
                 touched || mayOverflow(combine, e) ? MapState::Either : MapState::Finite};
          } else {
            p = combineNotFinite(combine, r);
          }
          p = activated(activation_, p);
          out.value[x] = p.value;
          out.error[x] = p.error;
          out.state[x] = p.state;
        }
      }
    }
  });
}

}  // namespace bankside

#include "core/judge/exact_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/judge/exact.h"
#include "core/judge/expectation.h"
#include "core/judge/looking.h"

namespace bankside {
namespace {

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
      p.error = p.error * (2 * std::fabs(p.value) + p.error) + unitRoundoff * size * size + smallest;
      p.value *= p.value;
      break;
  }
  if (mayOverflow(Combine::None, {p.value, p.error, true})) p.state = MapState::Either;
  return p;
}

ResponseRow responseOf(const ExactRow& row) {
  ResponseRow response{row.value, row.magnitude, std::vector<double>(row.value.size()),
                       std::vector<MapState>(row.value.size(), MapState::Finite)};
  for (std::size_t x = 0; x < row.value.size(); ++x) {
    if (row.isTouched(x)) response.state[x] = MapState::Either;
    if (!std::isfinite(row.value[x])) response.state[x] = MapState::NotFinite;
  }
  return response;
}

}  // namespace

ExactMaps::ExactMaps(const BankPass& stage, const std::vector<BankPass::Step>& steps, Source& image,
                     int threads)
    : ExactMaps(stage, steps, &image, nullptr, image.channels(), threads) {}

ExactMaps::ExactMaps(const BankPass& stage, const std::vector<BankPass::Step>& steps, ExactMaps& before,
                     int threads)
    : ExactMaps(stage, steps, nullptr, &before, before.maps(), threads) {}

ExactMaps::ExactMaps(const BankPass& stage, const std::vector<BankPass::Step>& steps, Source* image,
                     ExactMaps* before, int channels, int threads)
    : stage_(stage),
      steps_(steps),
      largest_(steps.size()),
      image_(image),
      before_(before),
      threads_(threads),
      groups_(stage.groups(channels)),
      maps_(static_cast<int>(stage.names(channels).size())) {
  for (const BankPass::Step& step : steps_) bounds_.push_back(step.plan->errorBound());
}

double ExactMaps::largestResponse(std::size_t step) {
  if (largest_[step] == 0) {
    const BankPass::Step& s = steps_[step];
    largest_[step] = before_ != nullptr ? largestOverMaps(s.problem, *s.bank, *before_)
                                        : largestMagnitude(s.problem, *s.bank, *image_);
  }
  return largest_[step];
}

double ExactMaps::largestValue() {
  double largest = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    largest = std::max(largest, largestResponse(i) * (1 + bounds_[i].factor));
  const double filters = stage_.bank().size();
  const Combine combine = stage_.stage().combine;
  if (combine == Combine::Sum) largest *= filters;
  if (combine == Combine::Magnitude) largest *= std::sqrt(filters);
  largest *= 1 + gammaBound(filters + 4);
  return stage_.stage().activation == Activation::Square ? largest * largest * (1 + unitRoundoff) : largest;
}

double largestOverMaps(const ConvolutionProblem& p, const FilterBank& bank, ExactMaps& maps) {
  return largestGain(bank) * std::max(maps.largestValue(), static_cast<double>(std::fabs(p.border.value)));
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

void ExactMaps::respondToImage(std::size_t number, int firstRow, int count, Responses& all,
                               const std::stop_token& stop) {
  const BankPass::Step& step = steps_[number];
  const CorrelationTaps taps = correlationTaps(step.problem, *step.bank);
  const int width = image_->width();
  const auto look = [&](const SourceBand& in, const Region& region, const ThreadTeam& team) {
    team.forRanges(0, region.height, 1, [&](int from, int to) {
      ExactRow row;
      for (int y = region.y + from; y < region.y + to; ++y) {
        if (stop.stop_requested()) throw Cancelled();
        for (int g = 0; g < groups_; ++g) {
          for (std::size_t f = 0; f < step.indices.size(); ++f) {
            exactResponse(step.problem, taps, in, g, static_cast<int>(f), y, 0, width, row);
            const auto plane = static_cast<std::size_t>(g * stage_.bank().size() + step.indices[f]);
            all.rows[plane][static_cast<std::size_t>(y - firstRow)] = responseOf(row);
          }
        }
      }
    });
  };
  lookAt(step.problem, *step.bank, *image_, {0, firstRow, width, count}, 1, threads_, look, stop);
}

void ExactMaps::respondToMaps(std::size_t number, int firstRow, int count, Responses& all,
                              const std::stop_token& stop) {
  const BankPass::Step& step = steps_[number];
  const MapResponses responses(
      step.problem, *step.bank, [this](int map, int y) -> const ExactMapRow& { return before_->row(map, y); },
      0, step.problem.width);
  std::set<int> needed;
  for (int y = firstRow; y < firstRow + count; ++y) responses.addRows(y, needed);
  before_->hold(needed, stop);
  const ThreadTeam team(threads_);
  team.forRanges(0, count, 1, [&](int from, int to) {
    for (int y = from; y < to; ++y) {
      if (stop.stop_requested()) throw Cancelled();
      for (int g = 0; g < groups_; ++g) {
        std::vector<ResponseRow> rows = responses.row(g, firstRow + y);
        for (std::size_t f = 0; f < step.indices.size(); ++f) {
          // Of which kind is not known any more; minus infinity is the one that may vanish again.
          for (std::size_t x = 0; x < rows[f].value.size(); ++x)
            if (rows[f].state[x] == MapState::NotFinite)
              rows[f].value[x] = -std::numeric_limits<double>::infinity();
          const auto plane = static_cast<std::size_t>(g * stage_.bank().size() + step.indices[f]);
          all.rows[plane][static_cast<std::size_t>(y)] = std::move(rows[f]);
        }
      }
    }
  });
}

void ExactMaps::computeRows(int firstRow, int count, const std::stop_token& stop) {
  const int filters = stage_.bank().size();
  const int width = steps_.front().problem.width;
  Responses all;
  all.rows.resize(static_cast<std::size_t>(groups_ * filters),
                  std::vector<ResponseRow>(static_cast<std::size_t>(count)));
  all.step.resize(all.rows.size());
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    for (int g = 0; g < groups_; ++g) {
      for (const int f : steps_[s].indices) all.step[static_cast<std::size_t>(g * filters + f)] = s;
    }
    if (!bounds_[s].ofPixelAlone()) largestResponse(s);
    if (before_ != nullptr) {
      respondToMaps(s, firstRow, count, all, stop);
    } else {
      respondToImage(s, firstRow, count, all, stop);
    }
  }

  const Combine combine = stage_.stage().combine;
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
            const ResponseRow& row = all.rows[plane][static_cast<std::size_t>(y)];
            const std::size_t s = all.step[plane];
            Candidate& c = r[static_cast<std::size_t>(f)];
            c = row.candidate(x, bounds_[s], largest_[s]);
            finite = finite && row.state[x] != MapState::NotFinite;
            touched = touched || row.state[x] == MapState::Either;
          }
          Pixel p;
          if (finite) {
            const Expectation e = expectHandedOn(combine, r);
            p = {e.value, e.tolerance,
                 touched || mayOverflow(combine, e) ? MapState::Either : MapState::Finite};
          } else {
            p = combineNotFinite(combine, r);
          }
          p = activated(stage_.stage().activation, p);
          out.value[x] = p.value;
          out.error[x] = p.error;
          out.state[x] = p.state;
        }
      }
    }
  });
}

}  // namespace bankside

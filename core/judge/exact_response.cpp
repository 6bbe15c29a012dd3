#include "core/judge/exact_response.h"

#include <algorithm>
#include <cmath>

#include "core/judge/exact.h"

namespace bankside {
namespace {

void addTap(double t, const ExactMapRow& in, std::size_t from, bool clean, ResponseRow& out) {
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

}  // namespace

Candidate ResponseRow::candidate(std::size_t x, const ErrorBound& bound, double largest) const {
  return {value[x], magnitude[x],
          error[x] + bound.factor * std::max(bound.ofPixelAlone() ? 0.0 : largest, magnitude[x]) + small};
}

MapResponses::MapResponses(const ConvolutionProblem& problem, const FilterBank& bank, Rows maps, int x,
                           int width)
    : p_(problem),
      taps_(correlationTaps(problem, bank)),
      maps_(std::move(maps)),
      width_(static_cast<std::size_t>(width)) {
  for (int i = 0; i < width + p_.filterWidth - 1; ++i)
    columns_.push_back(borderIndex(x - taps_.anchorX + i, p_.width, p_.border));
}

void MapResponses::addRows(int y, std::set<int>& needed) const {
  for (int ky = 0; ky < p_.filterHeight; ++ky) {
    const int inside = borderIndex(y + ky - taps_.anchorY, p_.height, p_.border);
    if (inside >= 0) needed.insert(inside);
  }
}

/// One map row with its border, as wide as the taps reach.
void MapResponses::gather(int map, int y, ExactMapRow& row) const {
  const int inside = borderIndex(y, p_.height, p_.border);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (inside < 0 || columns_[i] < 0) {
      row.value[i] = p_.border.value;
      row.error[i] = 0;
      row.state[i] = MapState::Finite;
      continue;
    }
    const ExactMapRow& from = maps_(map, inside);
    const auto x = static_cast<std::size_t>(columns_[i]);
    row.value[i] = from.value[x];
    row.error[i] = from.error[x];
    row.state[i] = from.state[x];
  }
}

std::vector<ResponseRow> MapResponses::row(int group, int y) const {
  std::vector<ResponseRow> all(static_cast<std::size_t>(p_.filterCount));
  for (int f = 0; f < p_.filterCount; ++f) {
    ResponseRow& r = all[static_cast<std::size_t>(f)];
    r.small = smallSums(p_, taps_, f);
    r.value.assign(width_, 0);
    r.magnitude.assign(width_, 0);
    r.error.assign(width_, 0);
    r.state.assign(width_, MapState::Finite);
  }
  ExactMapRow in;
  in.value.resize(columns_.size());
  in.error.resize(columns_.size());
  in.state.resize(columns_.size());
  for (int c = 0; c < p_.tapChannels(); ++c) {
    const int map = p_.channelMode == ChannelMode::Summed ? c : group;
    for (int ky = 0; ky < p_.filterHeight; ++ky) {
      gather(map, y + ky - taps_.anchorY, in);
      const bool clean =
          std::all_of(in.state.begin(), in.state.end(), [](MapState s) { return s == MapState::Finite; });
      for (int f = 0; f < p_.filterCount; ++f) {
        const float* tap =
            taps_.taps.data() +
            ((static_cast<std::ptrdiff_t>(f) * p_.tapChannels() + c) * p_.filterHeight + ky) * p_.filterWidth;
        for (int kx = 0; kx < p_.filterWidth; ++kx)
          addTap(tap[kx], in, static_cast<std::size_t>(kx), clean, all[static_cast<std::size_t>(f)]);
      }
    }
  }
  return all;
}

}  // namespace bankside

#include "kernels/highway/plain_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/highway/row_extent.h"

namespace bankside::direct {
namespace {

double absoluteSum(const std::vector<float>& taps) {
  return std::accumulate(taps.begin(), taps.end(), 0.0,
                         [](double sum, float tap) { return sum + std::fabs(static_cast<double>(tap)); });
}

/// The most that a sum on the way may be of the largest pixel.
double largestGain(const SeparableBank& bank) {
  double most = 1;
  for (const SeparableBank::First& first : bank.firsts) most = std::max(most, absoluteSum(first.taps));
  double gain = most;
  for (const auto& filter : bank.filters) {
    double sum = 0;
    for (const SeparableBank::Term& term : filter) sum += absoluteSum(term.taps);
    gain = std::max(gain, most * sum);
  }
  return gain;
}

}  // namespace

PlainSums::PlainSums(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                     const SeparableBank& bank)
    : problem_(problem), taps_(taps) {
  most_ = static_cast<float>(std::numeric_limits<float>::max() / 2 / largestGain(bank));
  const bool cancel = std::any_of(bank.filters.begin(), bank.filters.end(),
                                  [](const auto& terms) { return terms.size() > 1; });
  const bool integers = problem.srcType == ElementType::U8 || problem.srcType == ElementType::U16;
  const bool fit = integers && most_ >= 65535 && std::fabs(problem.border.value) <= most_;
  wanted_ = cancel && !fit;
}

const float* PlainSums::rowOf(const SourceBand& in, int channel, int y, int firstX, int count,
                              float* filled) const {
  const std::byte* row = in.row(channel, y);
  const bool inside = row != nullptr && firstX >= 0 && firstX + count <= problem_.width;
  if (inside && problem_.srcType == ElementType::F32 &&
      reinterpret_cast<std::uintptr_t>(row) % alignof(float) == 0)
    return reinterpret_cast<const float*>(row) + firstX;
  gatherRow(row, problem_.srcType, problem_.width, problem_.border, firstX, count, filled);
  return filled;
}

std::span<const PlainSums::Part> PlainSums::partsOf(const SourceBand& in, const Region& region,
                                                    const StripTile& tile, Space& space) const {
  const ConvolutionProblem& p = problem_;
  // All cells that the tile has a part of.
  const auto [x0, columns] = PlainCells::around(region.x + tile.x, tile.width, p.width);
  const int y0 = (region.y + tile.top) / cellHeight * cellHeight;
  const int y1 = std::min((region.y + tile.bottom + cellHeight - 1) / cellHeight * cellHeight, p.height);
  const int across = (columns + cellWidth - 1) / cellWidth;
  const int sourceRows = y1 - y0 + p.filterHeight - 1;
  const int pixels = columns + p.filterWidth - 1;
  float* const filled = space.row.atLeast(static_cast<std::size_t>(pixels));
  // As for the highest tile: a plan asks for memory once.
  space.seen.reserve(static_cast<std::size_t>(tile.width / cellWidth + 2) *
                     static_cast<std::size_t>(p.height + 2 * cellHeight + p.filterHeight));
  space.seen.assign(static_cast<std::size_t>(across) * static_cast<std::size_t>(sourceRows), 0);
  space.parts.clear();
  const auto seen = [&](int row, int cell) -> std::uint8_t& {
    return space.seen[static_cast<std::size_t>(row) * static_cast<std::size_t>(across) +
                      static_cast<std::size_t>(cell)];
  };
  const int channel = p.channelMode == ChannelMode::Summed ? 0 : tile.group;
  bool any = false;
  for (int c = 0; c < p.tapChannels(); ++c) {
    for (int row = 0; row < sourceRows; ++row) {
      const float* const from =
          rowOf(in, channel + c, y0 - taps_.anchorY + row, x0 - taps_.anchorX, pixels, filled);
      if (largestOfRow(from, pixels) <= most_) continue;
      any = true;
      PlainCells::mark(from, columns, p.filterWidth, most_, &seen(row, 0));
    }
  }
  if (!any) {
    space.parts.push_back({tile, false});
    return space.parts;
  }
  std::size_t above = 0;  // the first part of the row of cells above
  for (int y = y0; y < y1; y += cellHeight) {
    const int rows = std::min(cellHeight, y1 - y);
    const std::size_t begin = space.parts.size();
    for (int cell = 0; cell < across; ++cell) {
      bool plain = false;
      for (int row = y - y0; row < y - y0 + rows + p.filterHeight - 1; ++row)
        plain = plain || seen(row, cell) != 0;
      const int first = std::max(x0 + cell * cellWidth - region.x, tile.x);
      const int last = std::min(x0 + (cell + 1) * cellWidth - region.x, tile.x + tile.width);
      if (space.parts.size() > begin && space.parts.back().plain == plain) {
        space.parts.back().tile.width = last - space.parts.back().tile.x;
        continue;
      }
      space.parts.push_back({{tile.group, first, last - first, std::max(y - region.y, tile.top),
                              std::min(y + rows - region.y, tile.bottom)},
                             plain});
    }
    // Rows of cells that are cut alike are made together.
    const auto here = std::span(space.parts).subspan(begin);
    const auto before = std::span(space.parts).subspan(above, begin - above);
    const bool alike = std::equal(
        here.begin(), here.end(), before.begin(), before.end(), [](const Part& one, const Part& other) {
          return one.plain == other.plain && one.tile.x == other.tile.x && one.tile.width == other.tile.width;
        });
    if (!alike) {
      above = begin;
      continue;
    }
    for (Part& part : before) part.tile.bottom = here.front().tile.bottom;
    space.parts.resize(begin);
  }
  return space.parts;
}

}  // namespace bankside::direct

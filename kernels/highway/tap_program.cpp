#include "kernels/highway/tap_program.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace bankside::direct {
namespace {

class Packer {
 public:
  Packer(const ConvolutionProblem& p, const CorrelationTaps& taps, int mostRows)
      : p_(p),
        mostRows_(mostRows),
        taps_(taps.taps),
        filterTaps_(static_cast<std::size_t>(p.tapChannels()) * rowTaps() * p.filterHeight) {}

  DirectProgram pack() const {
    DirectProgram program;
    program.blocks = split();
    for (const FilterBlock& b : program.blocks) program.stepRows = std::max(program.stepRows, rows(b));
    program.windowRows = p_.filterHeight + program.stepRows - 1;
    for (FilterBlock& b : program.blocks) {
      b.step = blockProgram(b, rows(b), program.windowRows);
      if (rows(b) > 1) b.row = blockProgram(b, 1, program.windowRows);
    }
    return program;
  }

  TapProgram rowProgram(const FilterBlock& b, int windowRows, int rows) const {
    return blockProgram(b, rows, windowRows);
  }

  /// Shortest path over the places where the bank may be cut.
  std::vector<FilterBlock> split() const {
    const auto n = static_cast<std::size_t>(p_.filterCount);
    std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
    std::vector<int> size(n + 1, 0);
    best[0] = 0;
    std::vector<char> any(filterTaps_);
    for (std::size_t first = 0; first < n; ++first) {
      std::fill(any.begin(), any.end(), 0);
      for (int count = 1; count <= maxBlockFilters && first + static_cast<std::size_t>(count) <= n; ++count) {
        const std::size_t end = first + static_cast<std::size_t>(count);
        std::size_t positions = 0;
        for (std::size_t i = 0; i < filterTaps_; ++i) {
          any[i] = static_cast<char>(any[i] | (tap(static_cast<int>(end) - 1, i) != 0.0f));
          positions += static_cast<std::size_t>(any[i]);
        }
        // A few taps' worth for starting and ending a block.
        const double cost = best[first] + (static_cast<double>(positions) * count + 4) * relativeCost(count);
        if (cost < best[end]) {
          best[end] = cost;
          size[end] = count;
        }
      }
    }
    std::vector<FilterBlock> blocks;
    for (std::size_t end = n; end > 0; end -= static_cast<std::size_t>(size[end])) {
      blocks.push_back({.first = static_cast<int>(end) - size[end], .count = size[end]});
    }
    std::reverse(blocks.begin(), blocks.end());
    return blocks;
  }

  double weighted() const {
    double sum = 0;
    for (const FilterBlock& b : split()) {
      const std::vector<char> used = usedBy(b);
      sum += static_cast<double>(std::count(used.begin(), used.end(), 1) * b.count) * relativeCost(b.count);
    }
    return sum;
  }

 private:
  int rows(const FilterBlock& b) const { return std::min(rowsAtOnce(b.count), mostRows_); }
  std::size_t rowTaps() const { return static_cast<std::size_t>(p_.filterWidth); }
  float tap(int filter, std::size_t position) const {
    return taps_[static_cast<std::size_t>(filter) * filterTaps_ + position];
  }
  std::size_t position(int channel, int ky, int kx) const {
    return (static_cast<std::size_t>(channel) * static_cast<std::size_t>(p_.filterHeight) +
            static_cast<std::size_t>(ky)) *
               rowTaps() +
           static_cast<std::size_t>(kx);
  }
  /// Of each position whether a filter of the block has a tap there.
  std::vector<char> usedBy(const FilterBlock& b) const {
    std::vector<char> used(filterTaps_);
    for (int f = b.first; f < b.first + b.count; ++f)
      for (std::size_t at = 0; at < filterTaps_; ++at)
        used[at] = static_cast<char>(used[at] | (tap(f, at) != 0.0f));
    return used;
  }

  TapProgram blockProgram(const FilterBlock& b, int outputRows, int windowRows) const {
    TapProgram program;
    const std::vector<char> used = usedBy(b);
    for (int c = 0; c < p_.tapChannels(); ++c) {
      for (int row = 0; row < p_.filterHeight + outputRows - 1; ++row) {
        for (int kx = 0; kx < p_.filterWidth; ++kx)
          addColumn(b, used, c, row, kx, outputRows, windowRows, program);
      }
    }
    const int side = p_.filterWidth;
    const auto every = static_cast<std::size_t>(side * side * b.count * outputRows);
    if (p_.tapChannels() == 1 && p_.filterHeight == side && squareOf(side) >= 0 &&
        program.taps.size() == every) {
      program.denseSide = side;
    }
    return program;
  }

  /// The output rows j that tap row `row - j` of this column serves, in groups without gaps.
  void addColumn(const FilterBlock& b, const std::vector<char>& used, int c, int row, int kx, int outputRows,
                 int windowRows, TapProgram& program) const {
    const auto wanted = [&](int j) {
      const int ky = row - j;
      return j < outputRows && ky >= 0 && ky < p_.filterHeight && used[position(c, ky, kx)] != 0;
    };
    for (int j = 0; j < outputRows; ++j) {
      if (!wanted(j)) continue;
      int last = j;
      while (wanted(last + 1)) ++last;
      const int sourceRow = c * windowRows + row;
      TapRun* run = program.runs.empty() ? nullptr : &program.runs.back();
      const bool goesOn = run != nullptr && run->row == sourceRow && run->column + run->count == kx &&
                          run->firstRow == j && run->lastRow == last;
      if (goesOn) {
        ++run->count;
      } else {
        program.runs.push_back({sourceRow, kx, 1, j, last});
      }
      for (int k = j; k <= last; ++k) {
        for (int f = b.first; f < b.first + b.count; ++f)
          program.taps.push_back(tap(f, position(c, row - k, kx)));
      }
      j = last;
    }
  }

  const ConvolutionProblem& p_;
  int mostRows_;
  const std::vector<float>& taps_;
  std::size_t filterTaps_;
};

}  // namespace

DirectProgram makeDirectProgram(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                int mostRows) {
  return Packer(problem, taps, mostRows).pack();
}

TapProgram rowProgram(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                      const FilterBlock& block, int windowRows, int rows) {
  return Packer(problem, taps, rows).rowProgram(block, windowRows, rows);
}

std::vector<FilterBlock> filterBlocks(const ConvolutionProblem& problem, const CorrelationTaps& taps) {
  return Packer(problem, taps, 1).split();
}

double weightedTaps(const ConvolutionProblem& problem, const CorrelationTaps& taps) {
  return Packer(problem, taps, 1).weighted();
}

double relativeCost(int blockFilters) {
  constexpr double cost[maxBlockFilters + 1] = {0, 1.08, 1.05, 1.03, 1.02, 1.01, 1.0};
  return cost[blockFilters];
}

double weightedTaps(const DirectProgram& program) {
  double sum = 0;
  for (const FilterBlock& b : program.blocks) {
    const std::size_t taps = b.row.taps.empty() ? b.step.taps.size() : b.row.taps.size();
    sum += static_cast<double>(taps) * relativeCost(b.count);
  }
  return sum;
}

}  // namespace bankside::direct

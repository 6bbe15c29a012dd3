#include "kernels/highway/group_program.h"

#include <algorithm>

namespace bankside::direct {
namespace {

/// Every `apart`-th row from `first` on of source rows, their differences over one row (set 1), over two rows
/// (set 2) or both (set 3), under tap rows of their own.
struct Stream {
  int set = 0;
  int first = 0;
  int apart = 1;
  int sign = 1;
  /// Rows of the filter, added up, for each tap row of the stream.
  std::vector<std::vector<int>> tapRows;
};

struct Split {
  Stream shared;
  Stream upper;
  Stream lower;
};

Split split(const Stream& s) {
  const Stream half{s.set, s.first, 2 * s.apart, s.sign, {}};
  Split parts{half, half, half};
  parts.shared.first += s.apart;
  parts.lower.first += s.apart;
  parts.lower.sign = -s.sign;
  parts.upper.set = parts.lower.set = s.set | s.apart;
  for (std::size_t i = 0; i < s.tapRows.size(); i += 2) {
    std::vector<int> both = s.tapRows[i];
    parts.upper.tapRows.push_back(s.tapRows[i]);
    if (i + 1 < s.tapRows.size()) {
      both.insert(both.end(), s.tapRows[i + 1].begin(), s.tapRows[i + 1].end());
      parts.lower.tapRows.push_back(s.tapRows[i + 1]);
    }
    parts.shared.tapRows.push_back(both);
  }
  return parts;
}

Stream wholeFilter(const ConvolutionProblem& p) {
  Stream whole;
  for (int ky = 0; ky < p.filterHeight; ++ky) whole.tapRows.push_back({ky});
  return whole;
}

class GroupPacker {
 public:
  GroupPacker(const ConvolutionProblem& p, const CorrelationTaps& taps, int rows)
      : p_(p), taps_(taps), rows_(rows), tall_(p) {
    tall_.filterHeight = p.filterHeight + rows - 1;
  }

  GroupProgram pack() const {
    GroupProgram program;
    program.rows = rows_;
    program.windowRows = tall_.filterHeight;
    const Split first = split(wholeFilter(p_));
    for (const FilterBlock& b : filterBlocks(p_, taps_)) {
      GroupBlock block{b.first, b.count, {}, rowProgram(p_, taps_, b, program.windowRows), 1, {}};
      if (const int together = rowsAtOnce(b.count); together > 1 && together <= rows_) {
        block.plainRows = together;
        block.plainAll = rowProgram(p_, taps_, b, program.windowRows, together);
      }
      const auto add = [&](const Stream& stream, int from, int plus, int to, int row, unsigned wantedBy) {
        block.steps.push_back({streamProgram(stream, b), from, plus, to, row, wantedBy});
      };
      if (rows_ == 1) {
        // plain
      } else if (rows_ == 2) {
        add(first.shared, -1, -1, 0, 0, 3);
        add(first.upper, 0, -1, -1, 0, 1);
        add(first.lower, 0, -1, -1, 1, 2);
      } else {
        const Split shared = split(first.shared);
        add(shared.shared, -1, -1, 0, 0, 15);
        add(shared.upper, 0, -1, 1, 0, 3);   // where rows 0 and 1 begin
        add(shared.lower, 0, -1, 2, 0, 12);  // rows 2 and 3
        const Split upper = split(first.upper);
        add(upper.shared, -1, -1, 0, 0, 5);
        add(upper.upper, 1, 0, -1, 0, 1);
        add(upper.lower, 2, 0, -1, 2, 4);
        const Split lower = split(first.lower);
        add(lower.shared, -1, -1, 0, 0, 10);
        add(lower.upper, 1, 0, -1, 1, 2);
        add(lower.lower, 2, 0, -1, 3, 8);
      }
      program.blocks.push_back(std::move(block));
    }
    return program;
  }

 private:
  TapProgram streamProgram(const Stream& stream, const FilterBlock& block) const {
    const auto width = static_cast<std::size_t>(p_.filterWidth);
    const auto height = static_cast<std::size_t>(p_.filterHeight);
    const auto tall = static_cast<std::size_t>(tall_.filterHeight);
    const auto count = static_cast<std::size_t>(block.count);
    const std::size_t planes = count * static_cast<std::size_t>(p_.tapChannels());
    const float* from = taps_.taps.data() + static_cast<std::size_t>(block.first) *
                                                static_cast<std::size_t>(p_.tapChannels()) * height * width;
    CorrelationTaps taps;
    taps.taps.assign(planes * tall * width, 0.0f);
    for (std::size_t plane = 0; plane < planes; ++plane) {
      for (std::size_t i = 0; i < stream.tapRows.size(); ++i) {
        const auto row = static_cast<std::size_t>(stream.first) + i * static_cast<std::size_t>(stream.apart);
        float* to = taps.taps.data() + (plane * tall + row) * width;
        for (std::size_t kx = 0; kx < width; ++kx) {
          double sum = 0;
          for (const int ky : stream.tapRows[i])
            sum += static_cast<double>(from[(plane * height + static_cast<std::size_t>(ky)) * width + kx]);
          to[kx] = static_cast<float>(stream.sign * sum);
        }
      }
    }
    ConvolutionProblem part = tall_;
    part.filterCount = block.count;
    TapProgram program = rowProgram(part, taps, {0, block.count, {}, {}}, tall_.filterHeight);
    for (TapRun& run : program.runs) run.row += stream.set * p_.tapChannels() * tall_.filterHeight;
    return program;
  }

  const ConvolutionProblem& p_;
  const CorrelationTaps& taps_;
  int rows_;
  ConvolutionProblem tall_;
};

}  // namespace

GroupProgram makeGroupProgram(const ConvolutionProblem& problem, const CorrelationTaps& taps, int rows) {
  return GroupPacker(problem, taps, rows).pack();
}

double weightedTaps(const GroupProgram& program) {
  constexpr double relative[maxBlockFilters + 1] = {0, 2.4, 1.35, 1.15, 1.05, 1.0, 0.97};
  double sum = 0;
  for (const GroupBlock& b : program.blocks) {
    for (const GroupStep& step : b.steps)
      sum += static_cast<double>(step.program.taps.size()) * relative[b.count];
  }
  return sum / program.rows;
}

double stepsAPixel(const GroupProgram& program) {
  double sum = 0;
  for (const GroupBlock& b : program.blocks) sum += static_cast<double>(b.steps.size()) * b.count;
  return sum / program.rows;
}

double groupWork(const GroupProgram& program) {
  constexpr double step = 3;
  return weightedTaps(program) + step * stepsAPixel(program);
}

double roundings(const ConvolutionProblem& p, int rows) {
  const auto taps = [&](const Stream& s) {
    return static_cast<double>(s.tapRows.size()) * p.filterWidth * p.tapChannels();
  };
  if (rows == 1) return static_cast<double>(p.tapChannels()) * p.filterHeight * p.filterWidth;
  const Split first = split(wholeFilter(p));
  // A difference and a sum of taps a level.
  if (rows == 2) return taps(first.shared) + taps(first.upper) + 2;
  const Split shared = split(first.shared);
  const Split upper = split(first.upper);
  return taps(shared.shared) + taps(shared.upper) + taps(upper.shared) + taps(upper.upper) + 1 + 4;
}

}  // namespace bankside::direct

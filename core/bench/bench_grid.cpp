#include "core/bench/bench_grid.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/made_input.h"

namespace bankside {

const char* toString(BankKind kind) {
  switch (kind) {
    case BankKind::Dense: return "dense";
    case BankKind::Separable: return "separable";
    case BankKind::Small: return "small";
    case BankKind::Named: return "vessel";
  }
  return "?";
}

std::optional<BankKind> parseBankKind(std::string_view text) {
  for (const BankKind kind : {BankKind::Dense, BankKind::Separable, BankKind::Small, BankKind::Named}) {
    if (text == toString(kind)) return kind;
  }
  return std::nullopt;
}

std::vector<BenchCell> cellsOf(const BenchGrid& grid) {
  std::vector<BenchCell> cells;
  for (const BankKind kind : grid.banks) {
    std::vector<int> counts = grid.filterCounts;
    std::vector<int> sides = grid.filterSizes;
    if (kind == BankKind::Named) {
      if (grid.named.size() == 0) throw Error(ErrorCode::BadInput, "the grid names no bank");
      counts = {grid.named.size()};
      sides = {grid.named[0].width};
    }
    for (const int threads : grid.threads) {
      for (const ElementType type : grid.types) {
        for (const Combine combine : grid.combines) {
          for (const int count : counts) {
            for (const int size : grid.sizes) {
              for (const int side : sides) {
                for (const std::string& values : grid.values) {
                  if (holdsValues(type, values))
                    cells.push_back({size, side, count, type, threads, combine, kind, values});
                }
              }
            }
          }
        }
      }
    }
  }
  return cells;
}

FilterBank bankOf(const BenchCell& cell, const BenchGrid& grid) {
  const auto seed =
      static_cast<std::uint64_t>(cell.filterSize) * 1000 + static_cast<std::uint64_t>(cell.filterCount);
  switch (cell.bank) {
    case BankKind::Named: return grid.named;
    case BankKind::Separable:
      return separableBank(cell.filterCount, 1, cell.filterSize, cell.filterSize, seed);
    case BankKind::Small: {
      const FilterBank bank = separableBank(cell.filterCount, 1, cell.filterSize, cell.filterSize, seed);
      std::vector<Filter> filters = bank.filters();
      for (Filter& filter : filters)
        for (float& tap : filter.taps) tap *= 1e-39f;
      return {bank.info(), std::move(filters)};
    }
    case BankKind::Dense: break;
  }
  return randomBank(cell.filterCount, 1, cell.filterSize, cell.filterSize, seed);
}

ConvolutionProblem problemOf(const BenchCell& cell, const FilterBank& bank) {
  return makeProblem(bank, 1, cell.size, cell.size, cell.type, ElementType::F32, Border{}, cell.combine);
}

double nonZeroFlops(const ConvolutionProblem& problem, const FilterBank& bank) {
  std::ptrdiff_t taps = 0;
  for (const Filter& filter : bank.filters()) {
    taps += std::count_if(filter.taps.begin(), filter.taps.end(), [](float tap) { return tap != 0; });
  }
  return 2.0 * static_cast<double>(taps) * problem.height * problem.width * problem.responseGroups();
}

double resultBytes(const ConvolutionProblem& problem) {
  double bytes = 0;
  for (const ElementType type : outputPlanes(problem)) {
    bytes += static_cast<double>(sizeOf(type)) * problem.height * problem.width;
  }
  return bytes;
}

int rowsToVerify(const ConvolutionProblem& problem, double taps) {
  const double perRow = problem.flops() / 2 / problem.height;
  const double rows = std::max(5.0, taps / perRow);
  return rows >= problem.height ? 0 : static_cast<int>(rows);
}

}  // namespace bankside

/// What `bankside bench cpu` walks: every combination of a few lists, one cell each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/filter_bank.h"
#include "core/problem.h"

namespace bankside {

/// Dense: random taps, none zero. Separable: random columns times random rows. Small: the same times 1e-39,
/// which no f32 number holds but a denormal one. Named: a bank of the catalogue, which brings its own size
/// and number of filters.
enum class BankKind { Dense, Separable, Small, Named };
const char* toString(BankKind kind);  ///< "dense", "separable", "small", "vessel": that is vessel-matched
std::optional<BankKind> parseBankKind(std::string_view text);

/// One image, one bank, one thread count. Images are square and grey.
struct BenchCell {
  int size = 512;
  int filterSize = 3;
  int filterCount = 1;
  ElementType type = ElementType::F32;
  int threads = 1;
  Combine combine = Combine::None;
  BankKind bank = BankKind::Dense;
  std::string values = "uniform";  ///< of the pixels, see pixelValues
  bool operator==(const BenchCell&) const = default;
};

struct BenchGrid {
  std::vector<int> sizes = {512, 1024, 2048, 4096};
  std::vector<int> filterSizes = {3, 5, 7, 9, 11, 13, 15, 21, 31};
  std::vector<int> filterCounts = {1, 8, 12, 32};
  std::vector<ElementType> types = {ElementType::U8, ElementType::F32};
  std::vector<int> threads = {1};
  std::vector<Combine> combines = {Combine::None};
  std::vector<BankKind> banks = {BankKind::Dense};
  std::vector<std::string> values = {"uniform"};
  FilterBank named;  ///< what BankKind::Named stands for
};

/// Bank kind by bank kind, then threads, type, combine, F, size, K and values, which vary fastest. The named
/// bank gives one cell where the others give one for each F and K; types that do not hold values have no
/// cell.
std::vector<BenchCell> cellsOf(const BenchGrid& grid);

/// The cell's bank, the same in every run: its seed is its shape.
FilterBank bankOf(const BenchCell& cell, const BenchGrid& grid);

/// Results are f32, the border is reflect101.
ConvolutionProblem problemOf(const BenchCell& cell, const FilterBank& bank);

/// Operations on taps that are not zero: two a tap and pixel. All that any engine has to do.
double nonZeroFlops(const ConvolutionProblem& problem, const FilterBank& bank);

/// Bytes of all result planes.
double resultBytes(const ConvolutionProblem& problem);

/// Rows to judge so that the judge spends about `taps` multiply-adds on an engine; 0 (all) where that is
/// enough for every row, never fewer than 5.
int rowsToVerify(const ConvolutionProblem& problem, double taps);

}  // namespace bankside

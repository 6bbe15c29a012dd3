#include "kernels/highway/separable_factors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/singular_values.h"
#include "core/stopping.h"

namespace bankside::direct {
namespace {

/// Column factors that differ by less than this (sum of absolute differences; their own sums are 0.5 to 1)
/// are one. What that changes is in the error bound.
constexpr double sameColumn = 0x1p-22;
constexpr int mostSweeps = 40;

/// One term in double: `column` carries the singular value.
struct Singular {
  std::vector<double> column;
  std::vector<double> row;
  double size = 0;
};

double absoluteSum(const float* taps, std::size_t count) {
  return std::accumulate(taps, taps + count, 0.0, [](double sum, float t) { return sum + std::fabs(t); });
}

/// T = A V^T with the turned columns in A and the turns in V: to begin with, T itself.
std::vector<Singular> unturned(const float* taps, int height, int width) {
  const auto n = static_cast<std::size_t>(width);
  std::vector<Singular> terms(n);
  for (std::size_t j = 0; j < n; ++j) {
    terms[j].row.assign(n, 0.0);
    terms[j].row[j] = 1;
    for (int y = 0; y < height; ++y) terms[j].column.push_back(taps[static_cast<std::size_t>(y) * n + j]);
  }
  return terms;
}

/// One sweep of one-sided Jacobi: every pair of columns to a right angle (a Gaussian's tails are as accurate
/// as its middle); then the largest come first. False if nothing was left to turn.
bool sweep(std::vector<Singular>& terms) {
  bool turned = false;
  for (std::size_t i = 0; i + 1 < terms.size(); ++i) {
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      const auto turn = toRightAngle(terms[i].column, terms[j].column);
      if (!turn) continue;
      turned = true;
      turn->apply(terms[i].column, terms[j].column);
      turn->apply(terms[i].row, terms[j].row);
    }
  }
  for (Singular& t : terms) {
    t.size = std::sqrt(std::inner_product(t.column.begin(), t.column.end(), t.column.begin(), 0.0));
  }
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Singular& a, const Singular& b) { return a.size > b.size; });
  return turned;
}

/// The factors as f32: the column divided by its first largest element, then by the power of two that brings
/// its sum to at most 1. So [1 2 1] stays exact, and equal columns of two filters come out equal.
RankOne scaled(const Singular& term) {
  double largest = 0;
  for (const double v : term.column) largest = std::max(largest, std::fabs(v));
  const double pivot = *std::find_if(term.column.begin(), term.column.end(),
                                     [&](double v) { return std::fabs(v) >= largest * (1 - 1e-6); });
  double sum = 0;
  for (const double v : term.column) sum += std::fabs(v / pivot);
  // A sum like 3.9999999 or 4.0000001 stands for 4; rounding to f32 may then lift it above 1 by 2^-24.
  const double scale = std::exp2(-std::ceil(std::log2(sum) - 1e-6));
  RankOne result;
  for (const double v : term.column) result.column.push_back(static_cast<float>(v / pivot * scale));
  for (const double v : term.row) result.row.push_back(static_cast<float>(v * (pivot / scale)));
  return result;
}

/// Every tap that is not zero needs a term that sees its pixel: else it would miss a non-finite one.
bool seesEveryTap(const std::vector<RankOne>& terms, const float* taps, int height, int width) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (*taps++ == 0.0f) continue;
      const auto sees = [&](const RankOne& t) {
        return t.column[static_cast<std::size_t>(y)] != 0 && t.row[static_cast<std::size_t>(x)] != 0;
      };
      if (std::none_of(terms.begin(), terms.end(), sees)) return false;
    }
  }
  return true;
}

/// The first terms that leave at most `rest` of T; none if that takes more than `most`.
std::vector<RankOne> leading(const std::vector<Singular>& singular, const float* taps, int height, int width,
                             double rest, std::size_t most) {
  const std::size_t w = static_cast<std::size_t>(width);
  std::vector<double> left(taps, taps + static_cast<std::size_t>(height) * w);
  std::vector<RankOne> terms;
  for (const Singular& s : singular) {
    if (s.size == 0 || terms.size() == most) break;
    terms.push_back(scaled(s));
    double discarded = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      left[i] -= s.column[i / w] * s.row[i % w];
      discarded += std::fabs(left[i]);
    }
    if (discarded <= rest && seesEveryTap(terms, taps, height, width)) return terms;
  }
  return {};
}

/// T row by row: exact, of full rank.
std::vector<RankOne> ownRows(const float* taps, int height, int width) {
  std::vector<RankOne> terms;
  for (int y = 0; y < height; ++y) {
    RankOne term;
    term.row.assign(taps + static_cast<std::ptrdiff_t>(y) * width,
                    taps + static_cast<std::ptrdiff_t>(y + 1) * width);
    if (absoluteSum(term.row.data(), term.row.size()) == 0) continue;
    term.column.assign(static_cast<std::size_t>(height), 0.0f);
    term.column[static_cast<std::size_t>(y)] = 1.0f;
    terms.push_back(std::move(term));
  }
  return terms;
}

bool sameColumns(const std::vector<float>& a, const std::vector<float>& b) {
  double apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] == 0) != (b[i] == 0)) return false;
    apart += std::fabs(static_cast<double>(a[i]) - b[i]);
  }
  return apart <= sameColumn;
}

/// The first factor in the bank that this one is equal to; a new one if there is none.
int shareFirst(SeparableBank& bank, int channel, const std::vector<float>& factor) {
  for (std::size_t i = 0; i < bank.firsts.size(); ++i) {
    if (bank.firsts[i].channel != channel || !sameColumns(bank.firsts[i].taps, factor)) continue;
    bank.nearlyShared = bank.nearlyShared || bank.firsts[i].taps != factor;
    return static_cast<int>(i);
  }
  bank.firsts.push_back({channel, factor});
  return static_cast<int>(bank.firsts.size()) - 1;
}

/// Filters [F][C] of height x width, turned over.
std::vector<float> transposed(const std::vector<float>& taps, int height, int width) {
  const auto h = static_cast<std::size_t>(height);
  const auto w = static_cast<std::size_t>(width);
  std::vector<float> turned(taps.size());
  for (std::size_t at = 0; at < taps.size(); at += h * w) {
    for (std::size_t i = 0; i < h * w; ++i) turned[at + i % w * h + i / w] = taps[at + i];
  }
  return turned;
}

/// Columns first. Shapes  taps [filters][channels][height][width]
SeparableBank factorizeBank(const std::vector<float>& taps, int filters, int channels, int height, int width,
                            double tolerance, const ThreadTeam& team) {
  SeparableBank bank;
  bank.filters.resize(static_cast<std::size_t>(filters));
  const auto w = static_cast<std::size_t>(width);
  const std::size_t plane = static_cast<std::size_t>(height) * w;
  std::vector<std::vector<RankOne>> allTerms(static_cast<std::size_t>(filters * channels));
  team.forRanges(0, filters * channels, 1, [&](int first, int last) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
      allTerms[i] = factorize(taps.data() + i * plane, height, width, tolerance);
  });
  const float* t = taps.data();
  auto termsOfChannel = allTerms.cbegin();
  double largestSum = 0;
  double largestError = 0;
  for (auto& filter : bank.filters) {
    double magnitude = 0;  // sum over terms of sum |column| sum |row|
    double discarded = 0;
    double sum = 0;
    for (int c = 0; c < channels; ++c, t += plane) {
      const std::vector<RankOne>& terms = *termsOfChannel++;
      bank.largestRank = std::max(bank.largestRank, static_cast<int>(terms.size()));
      std::vector<double> rest(t, t + plane);
      for (const RankOne& term : terms) {
        const int first = shareFirst(bank, c, term.column);
        const std::vector<float>& used = bank.firsts[static_cast<std::size_t>(first)].taps;
        for (std::size_t i = 0; i < plane; ++i)
          rest[i] -= static_cast<double>(used[i / w]) * static_cast<double>(term.row[i % w]);
        magnitude += absoluteSum(used.data(), used.size()) * absoluteSum(term.row.data(), w);
        filter.push_back({first, term.row});
      }
      for (const double e : rest) discarded += std::fabs(e);
      sum += absoluteSum(t, plane);
    }
    // One rounding a tap of a first factor, then one for each tap of the others, summed one after the other.
    const double roundings = height + static_cast<double>(filter.size() * w);
    largestError = std::max(largestError, gammaBound(roundings) * magnitude + discarded);
    largestSum = std::max(largestSum, sum);
  }
  bank.bound = {largestSum == 0 ? 0 : largestError / largestSum, false};
  return bank;
}

/// Multiply-adds a pixel.
double work(const SeparableBank& bank) {
  std::size_t sum = 0;
  for (const auto& first : bank.firsts) sum += first.taps.size();
  for (const auto& filter : bank.filters) {
    for (const auto& term : filter) sum += term.taps.size();
  }
  return static_cast<double>(sum);
}

/// Rows first must save so much: what it saves comes with rows of results that stay in the caches longer.
constexpr double worthTurning = 0.85;

}  // namespace

std::vector<RankOne> factorize(const float* taps, int height, int width, double tolerance) {
  throwIfProgramStops();
  const std::size_t count = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  const double all = absoluteSum(taps, count);
  if (all == 0) return {};
  std::vector<RankOne> own = ownRows(taps, height, width);
  if (own.size() == 1) return own;
  // The terms make up T after every sweep, so one need not wait until the discarded ones (the rounding of the
  // taps, mostly) are at right angles too: the same rank twice will do.
  std::vector<Singular> singular = unturned(taps, height, width);
  std::size_t before = own.size();
  for (int i = 0; i < mostSweeps; ++i) {
    const bool turned = sweep(singular);
    const std::vector<RankOne> terms =
        leading(singular, taps, height, width, tolerance * all, own.size() - 1);
    if (!terms.empty() && (terms.size() == before || !turned)) return terms;
    if (!turned) break;
    before = terms.empty() ? own.size() : terms.size();
  }
  return own;
}

bool hasRank(const float* taps, int height, int width, int rank, double tolerance) {
  const auto w = static_cast<std::size_t>(width);
  std::vector<double> rest(taps, taps + static_cast<std::size_t>(height) * w);
  const double all = absoluteSum(taps, rest.size());
  const auto left = [&] {
    return std::accumulate(rest.begin(), rest.end(), 0.0,
                           [](double sum, double v) { return sum + std::fabs(v); });
  };
  // A pivot's own rounding comes back once for each row and column.
  const double enough = 16 * tolerance * all;
  for (int r = 0; r < rank && left() > enough; ++r) {
    const auto largest = std::max_element(rest.begin(), rest.end(),
                                          [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    const auto at = static_cast<std::size_t>(largest - rest.begin());
    const double pivot = *largest;
    const std::vector<double> row(rest.begin() + static_cast<std::ptrdiff_t>(at / w * w),
                                  rest.begin() + static_cast<std::ptrdiff_t>(at / w * w + w));
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
      const double factor = rest[y * w + at % w] / pivot;
      for (std::size_t x = 0; x < w; ++x) rest[y * w + x] -= factor * row[x];
    }
  }
  return left() <= enough;
}

SeparableBank separate(const ConvolutionProblem& p, const CorrelationTaps& taps, double tolerance,
                       const ThreadTeam& team) {
  SeparableBank columns = factorizeBank(taps.taps, p.filterCount, p.tapChannels(), p.filterHeight,
                                        p.filterWidth, tolerance, team);
  if (columns.firsts.size() < 2 || p.filterCount < 2) return columns;
  SeparableBank rows = factorizeBank(transposed(taps.taps, p.filterHeight, p.filterWidth), p.filterCount,
                                     p.tapChannels(), p.filterWidth, p.filterHeight, tolerance, team);
  rows.rowsFirst = true;
  return work(rows) < worthTurning * work(columns) ? rows : columns;
}

}  // namespace bankside::direct

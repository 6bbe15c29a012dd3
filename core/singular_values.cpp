#include "core/singular_values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace bankside {
namespace {

using Row = std::vector<double>;

double product(const Row& a, const Row& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

/// Turns the two within their plane until they are at a right angle. Whether they were not.
bool turn(Row& a, Row& b) {
  const double aa = product(a, a);
  const double bb = product(b, b);
  const double ab = product(a, b);
  constexpr double rightAngle = 0x1p-50;
  if (ab == 0 || std::fabs(ab) <= rightAngle * std::sqrt(aa * bb)) return false;
  const double half = (bb - aa) / (2 * ab);
  const double tangent = std::copysign(1.0, half) / (std::fabs(half) + std::hypot(1.0, half));
  const double cosine = 1 / std::hypot(1.0, tangent);
  const double sine = cosine * tangent;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double before = a[i];
    a[i] = cosine * before - sine * b[i];
    b[i] = sine * before + cosine * b[i];
  }
  return true;
}

std::vector<Row> turned(const std::vector<Row>& matrix) {
  std::vector<Row> columns(matrix.front().size(), Row(matrix.size()));
  for (std::size_t y = 0; y < matrix.size(); ++y) {
    for (std::size_t x = 0; x < columns.size(); ++x) columns[x][y] = matrix[y][x];
  }
  return columns;
}

}  // namespace

std::vector<double> singularValues(std::vector<Row> matrix) {
  if (matrix.empty()) return {};
  if (matrix.size() > matrix.front().size()) matrix = turned(matrix);
  constexpr int mostSweeps = 60;  // a dozen are usual
  bool again = true;
  for (int sweep = 0; sweep < mostSweeps && again; ++sweep) {
    again = false;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      for (std::size_t j = i + 1; j < matrix.size(); ++j) again = turn(matrix[i], matrix[j]) || again;
    }
  }
  std::vector<double> values;
  for (const Row& row : matrix) values.push_back(std::sqrt(product(row, row)));
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

}  // namespace bankside

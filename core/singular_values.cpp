#include "core/singular_values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace bankside {
namespace {

using Row = std::vector<double>;

double product(const Row& a, const Row& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

std::vector<Row> transposed(const std::vector<Row>& matrix) {
  std::vector<Row> columns(matrix.front().size(), Row(matrix.size()));
  for (std::size_t y = 0; y < matrix.size(); ++y) {
    for (std::size_t x = 0; x < columns.size(); ++x) columns[x][y] = matrix[y][x];
  }
  return columns;
}

/// Reflections from the right (A. S. Householder, 1958) leave a lower triangle, of as many columns as rows,
/// with the same singular values: turns of short rows take the time that turns of long ones would.
void makeSquare(std::vector<Row>& matrix, const StopCheck& check) {
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    Row mirror(matrix[k].begin() + static_cast<std::ptrdiff_t>(k), matrix[k].end());
    const double length = std::sqrt(product(mirror, mirror));
    if (length == 0) continue;
    mirror[0] += std::copysign(length, mirror[0]);
    const double square = product(mirror, mirror);
    for (std::size_t i = k; i < matrix.size(); ++i) {
      ask(check);
      double* rest = matrix[i].data() + k;
      const double share = 2 * std::inner_product(mirror.begin(), mirror.end(), rest, 0.0) / square;
      for (std::size_t j = 0; j < mirror.size(); ++j) rest[j] -= share * mirror[j];
    }
  }
  for (Row& row : matrix) row.resize(matrix.size());
}

}  // namespace

void Turn::apply(Row& a, Row& b) const {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double before = a[i];
    a[i] = cosine * before - sine * b[i];
    b[i] = sine * before + cosine * b[i];
  }
}

std::optional<Turn> toRightAngle(const Row& a, const Row& b, double rightAngle, double nothing) {
  const double aa = product(a, a);
  const double bb = product(b, b);
  const double ab = product(a, b);
  if (ab == 0 || std::min(aa, bb) < nothing || std::fabs(ab) <= rightAngle * std::sqrt(aa) * std::sqrt(bb)) {
    return std::nullopt;
  }
  const double zeta = (bb - aa) / (2 * ab);
  const double tangent = std::copysign(1.0, zeta) / (std::fabs(zeta) + std::hypot(1.0, zeta));
  const double cosine = 1 / std::hypot(1.0, tangent);
  return Turn{cosine, cosine * tangent};
}

std::vector<double> singularValues(std::vector<Row> matrix, const StopCheck& check) {
  if (matrix.empty()) return {};
  if (matrix.size() > matrix.front().size()) matrix = transposed(matrix);
  if (matrix.front().size() > 2 * matrix.size()) makeSquare(matrix, check);
  constexpr int mostSweeps = 60;  // a dozen are usual
  // Rounding leaves products of up to sqrt(length) epsilon, and vectors of an epsilon of the whole.
  constexpr double rightAngle = 1e-14;
  double all = 0;
  for (const Row& row : matrix) all += product(row, row);
  bool again = true;
  for (int sweep = 0; sweep < mostSweeps && again; ++sweep) {
    again = false;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      ask(check);
      for (std::size_t j = i + 1; j < matrix.size(); ++j) {
        const auto turn = toRightAngle(matrix[i], matrix[j], rightAngle, 1e-31 * all);
        if (!turn) continue;
        turn->apply(matrix[i], matrix[j]);
        again = true;
      }
    }
  }
  std::vector<double> values;
  for (const Row& row : matrix) values.push_back(std::sqrt(product(row, row)));
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

}  // namespace bankside

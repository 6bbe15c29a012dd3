#include "filters/taps/binomial_row.h"

namespace bankside {

std::vector<double> binomialRow(int size) {
  std::vector<double> row(static_cast<std::size_t>(size), 0.0);
  row[0] = 1.0;
  for (int last = 1; last < size; ++last) {
    for (std::size_t i = static_cast<std::size_t>(last); i > 0; --i) row[i] += row[i - 1];
  }
  return row;
}

}  // namespace bankside

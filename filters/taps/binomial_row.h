/// A row of Pascal's triangle.
#pragma once

#include <vector>

namespace bankside {

/// The `size` binomial coefficients of (1 + x)^(size - 1), not normalised. Requires size >= 1.
std::vector<double> binomialRow(int size);

}  // namespace bankside

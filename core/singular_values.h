/// Singular values of a small matrix.
#pragma once

#include <vector>

namespace bankside {

/// Largest first, as many as the smaller side. Shapes  matrix [rows][columns], every row as long.
/// Source  one-sided Jacobi: M. R. Hestenes, Inversion of matrices by biorthogonalization and related
/// results, Journal of the Society for Industrial and Applied Mathematics 6(1), 1958.
std::vector<double> singularValues(std::vector<std::vector<double>> matrix);

}  // namespace bankside

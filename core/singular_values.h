/// Singular values of a small matrix, and the turns that find them.
///
/// Source  one-sided Jacobi: M. R. Hestenes, Inversion of matrices by biorthogonalization and related
/// results, Journal of the Society for Industrial and Applied Mathematics 6(1), 1958.
#pragma once

#include <optional>
#include <vector>

#include "core/stop_check.h"

namespace bankside {

/// A turn of two vectors within their plane.
struct Turn {
  double cosine = 1;
  double sine = 0;
  void apply(std::vector<double>& a, std::vector<double>& b) const;
};

/// The turn that brings two vectors of one length to a right angle; none if they are at one, or if a square
/// of their lengths is below `nothing`. Two vectors are where their cosine is at most `rightAngle`, so that
/// small ones come out as accurate as large ones.
std::optional<Turn> toRightAngle(const std::vector<double>& a, const std::vector<double>& b,
                                 double rightAngle = 0x1p-50, double nothing = 0);

/// Largest first, as many as the smaller side. Shapes  matrix [rows][columns], every row as long.
std::vector<double> singularValues(std::vector<std::vector<double>> matrix, const StopCheck& check = {});

}  // namespace bankside

/// Sobel's gradient: a binomial row across, the difference of two shorter ones along.
///   3 x 3: dx = [1 2 1]^T [-1 0 1]      5 x 5: [1 4 6 4 1]^T [-1 -2 0 2 1]
/// In general smoothing = (1 1)^(n-1) and difference = (-1 0 1) * (1 1)^(n-3), * being convolution.
#include "filters/edge/derivative_pair.h"
#include "filters/taps/banks.h"
#include "filters/taps/binomial_row.h"
#include "filters/taps/parameters.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  const int size = arguments.integer("size");
  const std::vector<double> shorter = binomialRow(size - 2);
  std::vector<double> difference(static_cast<std::size_t>(size), 0.0);
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    difference[i] -= shorter[i];
    difference[i + 2] += shorter[i];
  }
  return derivativePair(binomialRow(size), difference);
}

}  // namespace

CatalogEntry sobelBank() {
  return {.name = "sobel",
          .family = "edge",
          .title = "Sobel gradient: dx and dy with binomial smoothing across",
          .citation =
              "I. Sobel, G. Feldman. A 3x3 isotropic gradient operator for image processing. Talk at the "
              "Stanford Artificial Intelligence Project, 1968; larger sizes as OpenCV's getDerivKernels",
          .parameters = {sideParameter("3", ParameterKind::OddInteger, 3, 31)},
          .generate = generate};
}

}  // namespace bankside

/// Scharr's gradient: dx = [3 10 3]^T [-1 0 1], dy its transpose; whole numbers, not divided by 32.
#include "filters/edge/derivative_pair.h"
#include "filters/taps/banks.h"

namespace bankside {

CatalogEntry scharrBank() {
  return {.name = "scharr",
          .family = "edge",
          .title = "Scharr gradient: dx and dy of better rotational symmetry than Sobel's, 3 x 3",
          .citation =
              "H. Scharr. Optimale Operatoren in der Digitalen Bildverarbeitung. PhD thesis, University "
              "of Heidelberg, 2000; whole numbers as OpenCV's Scharr",
          .parameters = {},
          .generate = [](const BankArguments&) {
            return derivativePair({3, 10, 3}, {-1, 0, 1});
          }};
}

}  // namespace bankside

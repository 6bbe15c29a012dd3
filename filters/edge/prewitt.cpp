/// Prewitt's gradient: dx = [1 1 1]^T [-1 0 1], dy its transpose.
#include "filters/edge/derivative_pair.h"
#include "filters/taps/banks.h"

namespace bankside {

CatalogEntry prewittBank() {
  return {.name = "prewitt",
          .family = "edge",
          .title = "Prewitt gradient: dx and dy with box smoothing across, 3 x 3",
          .citation =
              "J. M. S. Prewitt. Object enhancement and extraction. In B. Lipkin, A. Rosenfeld (eds.), "
              "Picture Processing and Psychopictorics, Academic Press, 1970",
          .parameters = {},
          .generate = [](const BankArguments&) {
            return derivativePair({1, 1, 1}, {-1, 0, 1});
          }};
}

}  // namespace bankside

/// Kirsch's compass: three neighbours of 5 against five of -3, in eight directions. Combine with max.
#include "filters/edge/compass.h"
#include "filters/taps/banks.h"

namespace bankside {

CatalogEntry kirschBank() {
  return {.name = "kirsch",
          .family = "edge",
          .title = "Kirsch compass: eight directions, 5 against -3",
          .citation =
              "R. A. Kirsch. Computer determination of the constituent structure of biological images. "
              "Computers and Biomedical Research 4(3):315-328, 1971",
          .parameters = {},
          .generate = [](const BankArguments&) {
            return compassFilters("kirsch", {-3, -3, 5, -3, 0, 5, -3, -3, 5});
          }};
}

}  // namespace bankside

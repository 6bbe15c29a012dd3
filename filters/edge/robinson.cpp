/// Robinson's compass of five levels: Sobel's dx turned into eight directions. Combine with max.
#include "filters/edge/compass.h"
#include "filters/taps/banks.h"

namespace bankside {

CatalogEntry robinsonBank() {
  return {.name = "robinson",
          .family = "edge",
          .title = "Robinson compass: eight directions of -1 -2 -1 against 1 2 1",
          .citation =
              "G. S. Robinson. Edge detection by compass gradient masks. Computer Graphics and Image "
              "Processing 6(5):492-501, 1977",
          .parameters = {},
          .generate = [](const BankArguments&) {
            return compassFilters("robinson", {-1, 0, 1, -2, 0, 2, -1, 0, 1});
          }};
}

}  // namespace bankside

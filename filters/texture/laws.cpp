/// Laws' masks: products of five short rows, each across and along.
///   L5 = 1 4 6 4 1   E5 = -1 -2 0 2 1   S5 = -1 0 2 0 -1   W5 = -1 2 0 -2 1   R5 = 1 -4 6 -4 1
///   taps of "l5e5" = L5^T E5: the first name runs down, the second across
/// Their energy, the mean of magnitudes around a pixel, is what tells textures apart (recipe `laws`).
/// Source  K. I. Laws, 1980. Deviations: none.
#include <array>

#include "filters/taps/banks.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments&) {
  struct Row {
    const char* name;
    std::array<double, 5> taps;
  };
  constexpr Row rows[] = {{"l5", {1, 4, 6, 4, 1}},
                          {"e5", {-1, -2, 0, 2, 1}},
                          {"s5", {-1, 0, 2, 0, -1}},
                          {"w5", {-1, 2, 0, -2, 1}},
                          {"r5", {1, -4, 6, -4, 1}}};
  std::vector<Filter> filters;
  for (const Row& down : rows) {
    for (const Row& across : rows) {
      TapGrid taps(5, 5);
      for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 5; ++x)
          taps.at(y, x) = down.taps[static_cast<std::size_t>(y)] * across.taps[static_cast<std::size_t>(x)];
      }
      filters.push_back(taps.toFilter(std::string(down.name) + across.name));
    }
  }
  return filters;
}

}  // namespace

CatalogEntry lawsBank() {
  return {.name = "laws",
          .family = "texture",
          .title = "Laws' 25 texture masks, 5 x 5",
          .citation =
              "K. I. Laws. Textured image segmentation. PhD thesis, University of Southern California, 1980",
          .parameters = {},
          .recipe = "laws",
          .generate = generate};
}

}  // namespace bankside

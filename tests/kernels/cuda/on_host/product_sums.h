/// How a device adds products of halves: many columns at once, each as its tensor cores do.
#pragma once

#include <cstdint>

namespace bankside::on_host {

/// Columns of 16 numbers that are multiplied, the k-th numbers of all below each other; what is beyond
/// `width`, up to the next multiple of eight, is zero after `close`.
struct Columns {
  static constexpr int most = 128;
  alignas(32) float at[16][most];
  unsigned char places[most];  ///< where each was among all columns
  int width = 0;

  void add(const float* column, int place);
  void close();
};

/// sums[j] + row[0] * columns.at[first][j] + row[1] * columns.at[first + 1][j] + ... for each column, each
/// product exact in f32. `cut`: aligned to the largest and cut as tensor cores do; otherwise one after
/// another and rounded. Sums beyond the last one are written too, up to the next multiple of eight.
void addProductsOfEight(float* sums, const float* row, const Columns& columns, int first, bool cut);
void addProductsOfSixteen(float* sums, const float* row, const Columns& columns, bool cut);

}  // namespace bankside::on_host

#include "kernels/highway/difference_rows.h"

#include <algorithm>

namespace bankside::direct {

void DifferenceRows::start(const RowKernels& kernels, int channels, int windowRows, int pixels, int sets) {
  kernels_ = &kernels;
  channels_ = channels;
  windowRows_ = windowRows;
  pixels_ = pixels;
  sets_ = sets;
  started_ = false;
  stride_ = paddedRow(pixels);
  const std::size_t made = at(sets - 1, 0, 0);
  data_ = ring_.atLeast(made * stride_);
  // As the window's own rows: what lies past the last pixel is read and never kept.
  for (std::size_t i = 0; i < made; ++i)
    std::fill(data_ + i * stride_ + pixels, data_ + (i + 1) * stride_, 0.0f);
  table_.assign(at(sets, 0, 0), nullptr);
}

void DifferenceRows::moveTo(const RowWindow& window, int first, int rows) {
  for (int set = 0; set < sets_; ++set) {
    // Set 0 is the window's; the last rows of the others would need rows below it.
    const int count = rows - (set == 0 ? 0 : set);
    const int from = started_ ? std::max(ready_[set], first) : first;
    for (int c = 0; c < channels_; ++c) {
      for (int r = 0; r < count; ++r) {
        if (set == 0) {
          table_[at(0, c, r)] = window.rows()[c * windowRows_ + r];
          continue;
        }
        float* row = data_ + at(set - 1, c, slot(first + r)) * stride_;
        table_[at(set, c, r)] = row;
        if (first + r < from) continue;
        const int of = set == 3 ? 1 : 0;
        const int apart = set == 1 ? 1 : 2;
        kernels_->subtract(table_[at(of, c, r)], table_[at(of, c, r + apart)], pixels_, row);
      }
    }
    if (set > 0) ready_[set] = std::max(from, first + count);
  }
  started_ = true;
}

}  // namespace bankside::direct

/// Differences of a window's source rows, for programs of groups: each row made once, in a ring as the
/// window.
#pragma once

#include "kernels/highway/row_window.h"

namespace bankside::direct {

/// Row r of set 0 is the window's row r, of set 1 row r less row r + 1, of set 2 row r less row r + 2, of set
/// 3 both: set 1's row r less its row r + 2.
class DifferenceRows {
 public:
  /// For a window that was started just so, of `pixels` padded pixels. `sets`: 2 or 4.
  void start(const RowKernels& kernels, int channels, int windowRows, int pixels, int sets);

  /// The window stands at source row `first` and `rows` of its rows are ready. Calls go downwards.
  void moveTo(const RowWindow& window, int first, int rows);

  /// [set][channel][window row]
  const float* const* rows() const { return table_.data(); }

 private:
  std::size_t at(int set, int channel, int row) const {
    return (static_cast<std::size_t>(set) * static_cast<std::size_t>(channels_) +
            static_cast<std::size_t>(channel)) *
               static_cast<std::size_t>(windowRows_) +
           static_cast<std::size_t>(row);
  }
  int slot(int sourceRow) const { return ((sourceRow % windowRows_) + windowRows_) % windowRows_; }

  const RowKernels* kernels_ = nullptr;
  int channels_ = 1;
  int windowRows_ = 1;
  int pixels_ = 0;
  int sets_ = 2;
  bool started_ = false;
  int ready_[4] = {};  ///< rows of a set above this source row are made
  std::size_t stride_ = 0;
  AlignedBuffer<float> ring_;
  float* data_ = nullptr;
  std::vector<const float*> table_;
};

}  // namespace bankside::direct

/// The source rows that a step of output rows reads, as padded floats: a ring, each row converted once.
///
/// Where few taps follow a row of f32 pixels, copying it costs as much as filtering it, and stops the reading
/// ahead of memory while it lasts. Then the middle of the rows is read where it lies, and only the ends,
/// where the border or a half vector needs padding, are copied.
///
/// A small image is held whole: each of its rows is padded once, and rows beyond its edge are rows of it
/// again.
#pragma once

#include <sys/mman.h>

#include <memory>
#include <new>
#include <vector>

#include "core/host_plan.h"
#include "core/image_memory.h"
#include "core/work_memory.h"
#include "kernels/highway/row_kernels.h"

namespace bankside::direct {

/// Uninitialised memory on rowAlignment that only grows: of the memory that has all of the thread's, else
/// new; a large one in large pages where the system has them, for each costs one fault instead of 512.
template <class T>
class AlignedBuffer {
 public:
  T* atLeast(std::size_t count) {
    if (count > count_) {
      data_.reset();
      count_ = 0;  // should there be no memory
      data_ = made(count * sizeof(T));
      count_ = count;
    }
    return data_.get();
  }

 private:
  static constexpr std::size_t largePage = std::size_t{2} << 20;
  static_assert(rowAlignment <= imageAlignment);

  struct Free {
    std::size_t alignment = rowAlignment;
    ImageMemory* owner = nullptr;
    void operator()(T* data) const {
      if (owner != nullptr) return owner->give(data);
      ::operator delete[](data, std::align_val_t{alignment});
    }
  };
  static std::unique_ptr<T[], Free> made(std::size_t bytes) {
    if (ImageMemory* const owner = memoryOfWork()) {
      void* const memory = owner->take(bytes);
      if (memory == nullptr) throw std::bad_alloc();
      return {static_cast<T*>(memory), Free{rowAlignment, owner}};
    }
    const std::size_t alignment = bytes < 2 * largePage ? rowAlignment : largePage;
    void* const memory = ::operator new[](bytes, std::align_val_t{alignment});
    if (alignment == largePage) ::madvise(memory, bytes, MADV_HUGEPAGE);
    return {static_cast<T*>(memory), Free{alignment, nullptr}};
  }
  std::unique_ptr<T[], Free> data_;
  std::size_t count_ = 0;
};

/// Floats from one padded row to the next for `pixels` of content: whole cache lines, and an odd number of
/// them, so that the rows of a window do not fall on the same cache sets.
inline std::size_t paddedRow(int pixels) {
  const std::size_t lines = (static_cast<std::size_t>(pixels) + rowSlack + 15) / 16;
  return (lines | 1) * 16;
}

/// Source rows of the image from `first` on, which may lie beyond its edges.
struct RowRange {
  int first = 0;
  int count = 0;
  bool operator==(const RowRange&) const = default;
};

class RowWindow {
 public:
  /// For output pixels [x0, x0 + width) of the tap channels starting at `firstChannel`. `all`: the rows that
  /// will be looked at, where they may be held all at once.
  void start(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SourceBand& in,
             const RowKernels& kernels, int firstChannel, int x0, int width, int windowRows, bool inPlace,
             RowRange all = {});

  /// Makes `rows` ready for output row `y` and the ones below it: rows()[c * windowRows + r] is source row
  /// y - anchor + r. Calls go downwards. At most `rows` source rows are looked at.
  void moveTo(int y, int rows) {
    const int first = y - taps_->anchorY;
    if (whole_) {
      firstOfTable_ = first - all_.first;
    } else {
      moveRing(first, rows);
    }
  }

  /// Whether `moveTo` makes all rows below ready at once.
  bool whole() const { return whole_; }

  const float* const* rows() const { return table_.data() + firstOfTable_; }

  /// Output pixels [middleFirst(), middleLast()) of the tile may (and, where that is not empty, must) be made
  /// from middleRows(), which otherwise is as rows().
  const float* const* middleRows() const { return middleTable_.data(); }
  int middleFirst() const { return middleFirst_; }
  int middleLast() const { return middleLast_; }

 private:
  void moveRing(int first, int rows);
  void layOut(const ConvolutionProblem& problem, int width);
  void findMiddle(const ConvolutionProblem& problem, int width);
  void findEnds(const ConvolutionProblem& problem);
  bool fitsWhole(const ConvolutionProblem& problem) const;
  void layOutWhole(const ConvolutionProblem& problem);
  float* wholeRow(int y) const { return data_ + static_cast<std::size_t>(y - all_.first) * stride_; }
  const float* fillRow(int channel, int y, float* dst) const;
  void fillImage(const SourceBand& in);
  void fillWhole(const std::byte* row, float* dst) const;
  void fill(const std::byte* row, int begin, int end, float* dst) const;

  const ConvolutionProblem* problem_ = nullptr;
  const CorrelationTaps* taps_ = nullptr;
  const SourceBand* in_ = nullptr;
  const RowKernels* kernels_ = nullptr;
  int firstChannel_ = 0;
  int firstX_ = 0;  ///< image column of the first padded pixel
  int pixels_ = 0;  ///< padded pixels in a row
  int windowRows_ = 0;
  bool inPlace_ = false;
  int ready_ = 0;  ///< source rows above this one are converted
  bool started_ = false;
  std::size_t stride_ = 0;
  AlignedBuffer<float> ring_;
  float* data_ = nullptr;
  std::vector<const float*> table_;
  int middleFirst_ = 0;
  int middleLast_ = 0;
  std::vector<const float*> middleOfSlot_;
  std::vector<const float*> middleTable_;

  /// A padded pixel beyond the image's edge, and which of the image's own in the same row it repeats. Those
  /// of a constant border are written once.
  struct EndPixel {
    std::ptrdiff_t at;
    std::ptrdiff_t from;
  };
  std::vector<EndPixel> ends_;
  bool endsRepeat_ = false;  ///< rows are copied, and need no other ends
  int insideFirst_ = 0;      ///< padded pixels that are the image's own
  int insideCount_ = 0;

  RowRange all_;
  bool whole_ = false;    ///< `table_` is all rows from all_.first on
  int firstOfTable_ = 0;  ///< the table's row that is rows()[0]
};

/// Filters this low may read f32 rows where they lie. (Higher ones would have more rows a power of two apart
/// than the first cache has ways.)
bool lowEnoughInPlace(const ConvolutionProblem& problem);

/// Calls `kernel` for output pixels [0, width), for the source rows from table entry `firstRow` on, with the
/// padded copies at the ends and the image's own rows between them where the window has those. Says in `call`
/// which they are.
inline void callOverWindow(const RowWindow& window, int firstRow, int width, void (*kernel)(const BlockCall&),
                           BlockCall& call) {
  const auto part = [&](int first, int last, const float* const* rows) {
    if (first >= last) return;
    call.first = first;
    call.pixels = last;
    call.rows = rows + firstRow;
    kernel(call);
  };
  const int middleLast = window.middleLast();
  if (middleLast > 0) {
    part(0, window.middleFirst(), window.rows());
    part(window.middleFirst(), middleLast, window.middleRows());
  }
  part(middleLast, width, window.rows());
}

}  // namespace bankside::direct

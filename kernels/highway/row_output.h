/// Where the rows of a step go: straight into f32 planes, through a narrower type, or into a combine.
#pragma once

#include "core/host_plan.h"
#include "kernels/highway/row_kernels.h"
#include "kernels/highway/row_window.h"

namespace bankside::direct {

/// The most output rows of a step.
inline constexpr int maxStepRows = 4;

/// Output pixels [x, x + width) x [top, bottom) of a region, in one response group.
struct StripTile {
  int group = 0;
  int x = 0;
  int width = 0;
  int top = 0;
  int bottom = 0;
};

class RowOutput {
 public:
  /// For output pixels [x, x + width) of the band, in response group `group`. `stream`: around the caches,
  /// where every plane is on rowAlignment.
  void start(const ConvolutionProblem& problem, const RowKernels& kernels, const SinkBand& out, int group,
             int x, int width, bool stream);

  /// The same for output pixels [x, x + width) alone, before the first step there.
  void moveTo(int x, int width);

  /// Rows that are made begin so many columns before `x`; those are not kept. Before the first step.
  void beginBefore(int columns) { before_ = columns; }

  /// What is written is to be multiplied by 2^-exponent (raised_taps.h). Of f32 planes.
  void lowerBy(int exponent) { raised_ = exponent; }

  /// Whether a step may have more than `maxStepRows`.
  bool takesTallSteps() const { return !combines_; }

  /// Opens a step of `rows` output rows from row `y` of the band on.
  void begin(int y, int rows) {
    y_ = y;
    rows_ = rows;
    if (combines_) beginCombined();
  }

  /// Fills the side of a call that results go to: filters [firstFilter, firstFilter + filters), rows
  /// [row, row + rows) of the step. `store` must follow the calls.
  void aim(int firstFilter, int filters, int row, int rows, BlockCall& call) {
    call.combine = problem_->combine;
    call.firstFilter = firstFilter;
    if (combines_) {
      call.value = value_ + row;
      call.index = index_ + row;
      return;
    }
    call.dst = dst_;
    if (!inPlace()) return aimBeside(rows * filters);
    call.stream = stream_ && storesLines(filters, rows);
    const MutablePlane* plane = out_->planes.data() + group_ * problem_->filterCount + firstFilter;
    for (int f = 0; f < filters; ++f, ++plane) {
      const std::ptrdiff_t stride = plane->strideBytes;
      std::byte* dst = plane->row(y_ + row) + x_ * std::ptrdiff_t{sizeof(float)};
      for (int j = 0; j < rows; ++j, dst += stride) dst_[j * filters + f] = reinterpret_cast<float*>(dst);
    }
  }
  void store(int firstFilter, int filters, int row, int rows) {
    if (!combines_ && !inPlace()) narrow(firstFilter, filters, row, rows);
  }

  /// Completes and writes the step's combined rows; without a combine they are there.
  void finish() {
    if (combines_) finishCombined();
    if (raised_ != 0) lowerRows();
  }

  /// Whether results go around the caches, for a kernel to which half a line does no harm.
  bool goesAround() const { return stream_ && !combines_ && inPlace(); }

  /// Of rows as they are made.
  int width() const { return before_ + width_; }

 private:
  std::byte* at(std::size_t plane, int row) const {
    const MutablePlane& p = out_->planes[plane];
    return p.row(y_ + row) + static_cast<std::ptrdiff_t>(x_) * static_cast<std::ptrdiff_t>(sizeOf(p.type));
  }
  bool inPlace() const { return before_ == 0 && floats_; }
  /// Whether a direct kernel's strip of pixels is whole cache lines: stores around the caches pay for those
  /// alone. Of a line that comes in two pieces memory may have to take each by itself.
  bool storesLines(int filters, int rows) const {
    const int vectors = kernels_->vectors[filters - 1][rows == 1 ? 0 : 1];
    return static_cast<std::size_t>(vectors * kernels_->lanes) * sizeof(float) % rowAlignment == 0;
  }
  void beginCombined();
  void aimBeside(int results);
  void narrow(int firstFilter, int filters, int row, int rows);
  void finishCombined();
  void lowerRows();

  const ConvolutionProblem* problem_ = nullptr;
  const RowKernels* kernels_ = nullptr;
  const SinkBand* out_ = nullptr;
  int group_ = 0;
  int x_ = 0;
  int width_ = 0;
  int before_ = 0;
  int y_ = 0;
  int rows_ = 0;
  int raised_ = 0;
  bool combines_ = false;
  bool floats_ = false;  ///< results are sums as they are
  bool stream_ = false;
  bool mayStream_ = false;  ///< where a row begins on rowAlignment
  float* dst_[maxStepRows * maxBlockFilters] = {};
  float* value_[maxStepRows] = {};
  std::int32_t* index_[maxStepRows] = {};
  AlignedBuffer<float> values_;
  AlignedBuffer<std::int32_t> indices_;
};

}  // namespace bankside::direct

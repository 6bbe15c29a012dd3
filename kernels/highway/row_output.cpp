#include "kernels/highway/row_output.h"

#include <algorithm>

#include "kernels/highway/raised_taps.h"

namespace bankside::direct {

void RowOutput::start(const ConvolutionProblem& problem, const RowKernels& kernels, const SinkBand& out,
                      int group, int x, int width, bool stream) {
  problem_ = &problem;
  kernels_ = &kernels;
  out_ = &out;
  group_ = group;
  combines_ = problem.combine != Combine::None;
  floats_ = !combines_ && problem.dstType == ElementType::F32;
  mayStream_ = stream;
  moveTo(x, width);
}

void RowOutput::moveTo(int x, int width) {
  x_ = x;
  width_ = width;
  before_ = 0;
  stream_ = mayStream_ && static_cast<std::size_t>(x) * sizeof(float) % rowAlignment == 0;
}

void RowOutput::beginCombined() {
  const std::size_t stride = paddedRow(width());
  float* values = values_.atLeast(stride * maxStepRows);
  std::int32_t* indices =
      problem_->combine == Combine::ArgMax ? indices_.atLeast(stride * maxStepRows) : nullptr;
  for (int j = 0; j < rows_; ++j) {
    value_[j] = values + static_cast<std::size_t>(j) * stride;
    index_[j] = indices == nullptr ? nullptr : indices + static_cast<std::size_t>(j) * stride;
  }
}

void RowOutput::aimBeside(int results) {
  const std::size_t stride = paddedRow(width());
  float* responses = values_.atLeast(stride * maxStepRows * maxBlockFilters);
  for (int k = 0; k < results; ++k) dst_[k] = responses + static_cast<std::size_t>(k) * stride;
}

void RowOutput::narrow(int firstFilter, int filters, int row, int rows) {
  for (int j = 0; j < rows; ++j) {
    for (int f = 0; f < filters; ++f) {
      const auto plane = static_cast<std::size_t>(group_ * problem_->filterCount + firstFilter + f);
      kernels_->narrow(problem_->dstType, dst_[j * filters + f] + before_, width_, at(plane, row + j), false);
    }
  }
}

void RowOutput::lowerRows() {
  const bool withIndex = problem_->combine == Combine::ArgMax;
  const int planes = combines_ ? 1 : problem_->filterCount;
  const int first = group_ * (withIndex ? 2 : planes);
  for (int plane = first; plane < first + planes; ++plane) {
    for (int j = 0; j < rows_; ++j)
      lower(reinterpret_cast<float*>(at(static_cast<std::size_t>(plane), j)), width_, raised_);
  }
}

void RowOutput::finishCombined() {
  const bool withIndex = problem_->combine == Combine::ArgMax;
  const auto plane = static_cast<std::size_t>(withIndex ? 2 * group_ : group_);
  for (int j = 0; j < rows_; ++j) {
    kernels_->finish(problem_->combine, problem_->filterCount, width(), value_[j]);
    kernels_->narrow(out_->planes[plane].type, value_[j] + before_, width_, at(plane, j), stream_);
    if (withIndex)
      kernels_->narrowIndex(index_[j] + before_, width_, reinterpret_cast<std::uint16_t*>(at(plane + 1, j)));
  }
}

}  // namespace bankside::direct

#include "kernels/highway/row_output.h"

#include <algorithm>

#include "core/combine.h"

namespace bankside::direct {

void RowOutput::start(const ConvolutionProblem& problem, const RowKernels& kernels, const SinkBand& out,
                      int group, int x, int width, bool stream) {
  problem_ = &problem;
  kernels_ = &kernels;
  out_ = &out;
  group_ = group;
  x_ = x;
  width_ = width;
  before_ = 0;
  stream_ = stream;
}

void RowOutput::begin(int y, int rows) {
  y_ = y;
  rows_ = rows;
  if (problem_->combine == Combine::None) return;
  const std::size_t stride = paddedRow(width());
  float* values = values_.atLeast(stride * maxStepRows);
  std::int32_t* indices =
      problem_->combine == Combine::ArgMax ? indices_.atLeast(stride * maxStepRows) : nullptr;
  for (int j = 0; j < rows; ++j) {
    value_[j] = values + static_cast<std::size_t>(j) * stride;
    index_[j] = indices == nullptr ? nullptr : indices + static_cast<std::size_t>(j) * stride;
  }
}

void RowOutput::aim(int firstFilter, int filters, int row, int rows, BlockCall& call) {
  call.combine = problem_->combine;
  call.firstFilter = firstFilter;
  call.value = value_ + row;
  call.index = index_ + row;
  if (problem_->combine != Combine::None) return;
  call.dst = dst_;
  if (inPlace()) {
    call.stream = stream_;
    for (int f = 0; f < filters; ++f) {
      const auto plane = static_cast<std::size_t>(group_ * problem_->filterCount + firstFilter + f);
      std::byte* dst = at(plane, row);
      for (int j = 0; j < rows; ++j, dst += out_->planes[plane].strideBytes)
        dst_[j * filters + f] = reinterpret_cast<float*>(dst);
    }
    return;
  }
  const std::size_t stride = paddedRow(width());
  float* responses = values_.atLeast(stride * maxStepRows * maxBlockFilters);
  for (int k = 0; k < rows * filters; ++k) dst_[k] = responses + static_cast<std::size_t>(k) * stride;
}

void RowOutput::store(int firstFilter, int filters, int row, int rows) {
  if (problem_->combine != Combine::None || inPlace()) return;
  for (int j = 0; j < rows; ++j) {
    for (int f = 0; f < filters; ++f) {
      const auto plane = static_cast<std::size_t>(group_ * problem_->filterCount + firstFilter + f);
      kernels_->narrow(problem_->dstType, dst_[j * filters + f] + before_, width_, at(plane, row + j), false);
    }
  }
}

void RowOutput::take(int filter, int row, const float* response) {
  if (problem_->combine != Combine::None) {
    const Combiner combiner{problem_->combine, problem_->filterCount};
    if (problem_->combine != Combine::ArgMax)
      return combiner.accumulate(filter, response, width_, value_[row], nullptr);
    narrow_.resize(static_cast<std::size_t>(width_));
    for (std::size_t x = 0; filter > 0 && x < narrow_.size(); ++x)
      narrow_[x] = static_cast<std::uint16_t>(index_[row][x]);
    combiner.accumulate(filter, response, width_, value_[row], narrow_.data());
    std::copy(narrow_.begin(), narrow_.end(), index_[row]);
    return;
  }
  const auto plane = static_cast<std::size_t>(group_ * problem_->filterCount + filter);
  kernels_->narrow(problem_->dstType, response, width_, at(plane, row), false);
}

void RowOutput::finish() {
  if (problem_->combine == Combine::None) return;
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

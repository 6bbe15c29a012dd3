#include "kernels/cuda/tensor/tensor_bank.h"

#include <algorithm>
#include <span>

#include "core/error.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/cuda/runtime/shared_memory.h"
#include "kernels/cuda/tensor/packed_taps.h"
#include "kernels/cuda/tensor/tensor_form.h"
#include "kernels/cuda/tensor/tensor_kernels.h"
#include "kernels/cuda/tensor/warp_order.h"

namespace bankside::cuda {
namespace {

template <class T>
void upload(DeviceBuffer& buffer, const std::vector<T>& values) {
  buffer.reserve(values.size() * sizeof(T));
  BANKSIDE_CUDA_CHECK(
      cudaMemcpy(buffer.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
}

}  // namespace

ErrorBound tensorErrorBound(const TensorLayout& layout, const ConvolutionProblem& p) {
  if (layout.products == PartialProducts::Exact) return {};
  constexpr double u = 0x1p-24;
  const bool split = layout.parts == PixelParts::Split;
  // Taps, then pixels, then what both leave over, where that is left out.
  const double parts = 2 + (split ? 2 : 0) + (split && layout.products != PartialProducts::Every ? 4 : 0);
  // What is small weighs less than 2^-10 of the other products, in one sum or one after another.
  const double steps = layout.sumSteps() + (split ? 2 * layout.steps * 0x1p-10 : 0);
  const int sums = layout.chains * layout.sums() + (split ? layout.secondHalves() : 0);
  const double instruction = layout.form == TensorForm::Warps ? 28.1 : 19.1;
  double factor = (instruction * steps + parts + 2 + sums) * u;
  if (layout.products == PartialProducts::Rounded) {
    const double rounding = layout.parts == PixelParts::Rounded ? 0x1p-10 + 0x1p-22 : 0x1p-11;
    factor = rounding + (1 + rounding) * instruction * steps * u;
  }
  if (mayFallBack(p.srcType))
    factor = std::max(factor, gammaBound(static_cast<double>(p.filterHeight) * p.filterWidth));
  return {factor};
}

TensorBank::TensorBank(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                       PartialProducts products, const TensorChoice& choice, bool besideOthers)
    : problem_(problem),
      layout_(tensorLayout(problem, products, choice, tensorUnits().form)),
      anchorX_(taps.anchorX),
      anchorY_(taps.anchorY) {
  const PackedTaps packed = packTaps(layout_, problem, taps.taps);
  const MagnitudeRange range = pixelRange(taps.taps, packed.scales);
  if (mayFallBack(problem.srcType)) fallback_.emplace(problem, taps, besideOthers);
  upload(packed_, layout_.form == TensorForm::Warps ? inWarpOrder(packed.halves) : packed.halves);
  upload(scales_, packed.scales);
  arguments_.layout = layout_;
  arguments_.packedTaps = packed_.data();
  arguments_.scales = reinterpret_cast<const float*>(scales_.data());
  arguments_.leastLargest = range.least;
  arguments_.mostLargest = range.most;
}

NumericTraits TensorBank::traits() const {
  // Direct sums round otherwise, and which results have them depends on where the region begins.
  return {.errorBound = tensorErrorBound(layout_, problem_),
          .directSums = false,
          .dependsOnWholeBank = true,
          .partEqualsWhole = !mayFallBack(problem_.srcType)};
}

std::string TensorBank::describe() const {
  std::string text = layout_.form == TensorForm::Warps ? "tensor by warps, " : "tensor, ";
  text += std::to_string(layout_.shifts()) + " x " + std::to_string(layout_.rowStep) + " outputs a filter";
  text += ", " + std::to_string(layout_.tapColumns) + " columns";
  if (layout_.products == PartialProducts::Rounded) text += ", rounded to halves";
  if (layout_.products == PartialProducts::Exact) text += ", taps of one half";
  if (layout_.passes > 1) text += ", " + std::to_string(layout_.passes) + " passes";
  return text;
}

void TensorBank::plan(int width, int height) {
  if (width == plannedWidth_ && height == plannedHeight_) return;
  plannedWidth_ = width;
  plannedHeight_ = height;
  const DeviceTraits device = deviceTraits();
  TensorWalk& walk = arguments_.walk;
  walk = layout_.form == TensorForm::Warps
             ? warpWalk(layout_, width, height, device.multiprocessors, static_cast<int>(device.mostShared))
             : tensorWalk(layout_, width, height, device.multiprocessors);
  const std::span places(arguments_.corePlaces, static_cast<std::size_t>(corePlacesOf(layout_, walk)));
  int core = 0;
  for (std::uint32_t& place : places) {
    const int first = layout_.coreAt(core);
    place = static_cast<std::uint32_t>(first / coreBytes) | coresApart(layout_.coreAt(core + 1) - first);
    core = core + 1 < walk.ring * layout_.cores ? core + 1 : 0;
  }
}

void TensorBank::start(KernelArguments base, std::ptrdiff_t, int, cudaStream_t stream) {
  const Fused fused = fusedWith(problem_);
  // Places of results are counted in fours, in 32 bits.
  const double places =
      static_cast<double>(problem_.filterCount) * static_cast<double>(base.dst.planeStride) +
      static_cast<double>(layout_.rowStep) * static_cast<double>(base.dst.stride);
  if (!layout_.combined && places >= 0x1p34)
    throw Error(ErrorCode::Limit,
                "tensor cores write at most 2^34 results at a time; use fewer filters or bands");
  plan(base.x % layout_.shifts() + base.width, base.y % layout_.rowStep + base.height);
  TensorArguments& part = arguments_;
  const auto shared = static_cast<std::size_t>(part.walk.total);
  const void* kernel = tensorKernelOf(layout_, fused);
  allowSharedMemory(kernel, shared);
  const auto threads = static_cast<unsigned>(
      layout_.form == TensorForm::Warps ? threadsOfWarps : tensorThreads(part.walk.consumers));
  const int blockRows = part.walk.blockStrips * layout_.rowStep;
  // 65,535 blocks one above another: a band of more rows goes in parts.
  const int most = 65535 * blockRows - layout_.rowStep;
  for (int done = 0; done < base.height; done += most) {
    part.base = withBank(base, problem_, anchorX_, anchorY_, nullptr);
    part.base.y += done;
    part.base.height = std::min(most, base.height - done);
    part.before = part.base.x % layout_.shifts();
    part.above = part.base.y % layout_.rowStep;
    part.strips = ceilDiv(part.above + part.base.height, layout_.rowStep);
    part.wholeStrips = (part.above + part.base.height) / layout_.rowStep;
    const std::ptrdiff_t before = done * base.dst.stride;
    part.base.dst.pixels = static_cast<std::byte*>(base.dst.pixels) +
                           before * static_cast<std::ptrdiff_t>(sizeOf(base.dst.type));
    if (base.dst.index != nullptr) part.base.dst.index = base.dst.index + before;
    if (fallback_) part.base.fallback = fallback_->emptyMap(part.base.width, part.base.height, stream);
    // In this order, so that the columns' last blocks start last (see tensorWalk).
    const dim3 grid(static_cast<unsigned>(ceilDiv(part.before + base.width, layout_.width())),
                    static_cast<unsigned>(layout_.combined ? 1 : layout_.passes),
                    static_cast<unsigned>(ceilDiv(part.strips, part.walk.blockStrips)));
    void* arguments[] = {&part};
    const KernelLaunch products{kernel, grid, dim3(threads), arguments, shared};
    if (fallback_)
      fallback_->start(part.base, stream, &products);
    else
      launchKernel(products, stream);
  }
}

}  // namespace bankside::cuda

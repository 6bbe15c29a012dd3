#include "kernels/cuda/single_channel/loaded_bank.h"

#include <algorithm>
#include <atomic>
#include <map>

#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/single_channel/direct_pixels.h"
#include "kernels/cuda/single_channel/launch_table.h"

namespace bankside::cuda {
namespace {

/// Whose taps lie in which symbol. Guarded by `deviceMutex()`.
std::map<const void*, std::uint64_t>& owners() {
  static std::map<const void*, std::uint64_t> map;
  return map;
}

std::uint64_t nextId() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

LoadedBank::LoadedBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, const Choice& choice)
    : problem_(problem), taps_(taps), choice_(choice), id_(nextId()) {
  if (choice.variant < 0) {
    upload(taps.taps);
    return;
  }
  const Variant& v = variants()[static_cast<std::size_t>(choice.variant)];
  const int each = problem.filterHeight * problem.filterWidth;
  const int perPass = v.shape.filtersPerPass;
  const int tapStride = v.tapStride(problem.filterWidth);
  const int filterTaps = problem.filterHeight * tapStride;
  passStride_ = passStride(filterTaps, perPass);
  passes_ = ceilDiv(problem.filterCount, perPass);
  passesAtOnce_ = v.constantTaps() ? std::min(passes_, maxConstantTaps / passStride_) : passes_;

  std::vector<float> layout(static_cast<std::size_t>(passes_) * static_cast<std::size_t>(passStride_));
  for (int f = 0; f < problem.filterCount; ++f) {
    for (int t = 0; t < each; ++t) {
      const auto from =
          static_cast<std::size_t>(f) * static_cast<std::size_t>(each) + static_cast<std::size_t>(t);
      const int tap = t / problem.filterWidth * tapStride + t % problem.filterWidth;
      layout[static_cast<std::size_t>(tapOffset(f, tap, filterTaps, perPass))] = taps.taps[from];
    }
  }
  upload(layout);
  multiprocessors_ = deviceTraits().multiprocessors;
}

void LoadedBank::upload(const std::vector<float>& taps) {
  buffer_.reserve(taps.size() * sizeof(float));
  BANKSIDE_CUDA_CHECK(
      cudaMemcpy(buffer_.data(), taps.data(), taps.size() * sizeof(float), cudaMemcpyHostToDevice));
}

std::string LoadedBank::describe() const {
  if (choice_.variant < 0) return "direct_pixels";
  const std::string& name = variants()[static_cast<std::size_t>(choice_.variant)].name;
  if (choice_.filtersPerBlock == 0) return name;
  return name + (choice_.tailOnly ? "+" : "/") + std::to_string(choice_.filtersPerBlock);
}

void LoadedBank::copyToConstant(int firstPass, int passes, cudaStream_t stream) {
  const void* symbol = launchTable()[static_cast<std::size_t>(choice_.variant)].constantTaps;
  if (symbol == nullptr) return;
  const bool whole = passes == passes_;
  std::uint64_t& owner = owners()[symbol];
  if (whole && owner == id_) return;
  const std::size_t bytes = static_cast<std::size_t>(passStride_) * sizeof(float);
  BANKSIDE_CUDA_CHECK(
      cudaMemcpyToSymbolAsync(symbol, buffer_.data() + static_cast<std::size_t>(firstPass) * bytes,
                              static_cast<std::size_t>(passes) * bytes, 0, cudaMemcpyDeviceToDevice, stream));
  owner = whole ? id_ : 0;
}

void LoadedBank::start(KernelArguments a, cudaStream_t stream) {
  a = withBank(a, problem_, taps_.anchorX, taps_.anchorY, buffer_.data());
  if (choice_.variant < 0) return startDirectPixels(a, stream);
  startPasses(a, variants()[static_cast<std::size_t>(choice_.variant)], stream);
}

void LoadedBank::startPasses(KernelArguments a, const Variant& v, cudaStream_t stream) {
  // What was found for the whole image says nothing about a small part of it.
  const bool large = 2.0 * a.width * a.height >= static_cast<double>(problem_.width) * problem_.height;
  const BankSplit split =
      splitBank(large ? choice_ : Choice{choice_.variant}, problem_, a.width, a.height, multiprocessors_);
  a.wholeRows = split.wholeRows;
  a.ahead = multiprocessors_ * v.minBlocks;
  std::byte* const pixels = static_cast<std::byte*>(a.dst.pixels);
  for (int pass = 0; pass < passes_; pass += passesAtOnce_) {
    const int passes = std::min(passesAtOnce_, passes_ - pass);
    const int filter = pass * v.shape.filtersPerPass;
    a.filterCount = std::min(passes * v.shape.filtersPerPass, problem_.filterCount - filter);
    a.filtersPerBlock = std::min(split.filtersPerBlock, roundUp(a.filterCount, v.shape.filtersPerPass));
    a.dst.pixels = pixels + filter * a.dst.planeStride * static_cast<std::ptrdiff_t>(sizeOf(a.dst.type));
    copyToConstant(pass, passes, stream);
    launch(choice_.variant, a, stream);
  }
}

}  // namespace bankside::cuda

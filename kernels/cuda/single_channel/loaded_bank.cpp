#include "kernels/cuda/single_channel/loaded_bank.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/device_turn.h"
#include "kernels/cuda/single_channel/direct_pixels.h"
#include "kernels/cuda/single_channel/launch_table.h"

namespace bankside::cuda {
namespace {

/// What lies in a constant symbol: taps that a bank of that number copied there, or that banks hold there.
struct Symbol {
  std::uint64_t owner = 0;
  std::weak_ptr<const std::vector<float>> held;
};

/// Of the current device; for whoever has its turn.
std::map<const void*, Symbol>& symbols() {
  static std::mutex mutex;
  static std::map<int, std::map<const void*, Symbol>> all;
  const std::lock_guard lock(mutex);
  return all[currentDevice()];
}

std::uint64_t nextId() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

const void* constantTapsOf(int variant) {
  return launchTable()[static_cast<std::size_t>(variant)].constantTaps;
}

/// The taps in constant memory for as long as somebody has what comes back; null where other taps are.
std::shared_ptr<const std::vector<float>> hold(const void* symbol, const std::vector<float>& taps) {
  const DeviceTurn turn{Launcher()};
  Symbol& place = symbols()[symbol];
  if (auto held = place.held.lock()) {
    const bool same = held->size() == taps.size() &&
                      std::memcmp(held->data(), taps.data(), taps.size() * sizeof(float)) == 0;
    return same ? held : nullptr;
  }
  auto held = std::make_shared<const std::vector<float>>(taps);
  place = {};  // nobody's, should the copy fail half way
  BANKSIDE_CUDA_CHECK(cudaMemcpyToSymbolAsync(symbol, held->data(), held->size() * sizeof(float), 0,
                                              cudaMemcpyHostToDevice, nullptr));
  BANKSIDE_CUDA_CHECK(cudaStreamSynchronize(nullptr));
  place = {0, held};
  return held;
}

}  // namespace

LoadedBank::LoadedBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, const Choice& choice,
                       bool besideOthers)
    : problem_(problem), taps_(taps), choice_(choice), id_(nextId()) {
  std::vector<float> laid = layout();
  if (besideOthers && choice_.variant >= 0 && constantTapsOf(choice_.variant) != nullptr) {
    if (passesAtOnce_ == passes_) held_ = hold(constantTapsOf(choice_.variant), laid);
    withoutConstant_ = held_ == nullptr;
    if (withoutConstant_) {
      choice_ = {chooseAnySize(problem, taps.anchorX, taps.anchorY, deviceTraits().mostShared)};
      laid = layout();
    }
  }
  upload(laid);
}

std::vector<float> LoadedBank::layout() {
  if (choice_.variant < 0) return taps_.taps;
  const Variant& v = variants()[static_cast<std::size_t>(choice_.variant)];
  const int each = problem_.filterHeight * problem_.filterWidth;
  const int perPass = v.shape.filtersPerPass;
  const int tapStride = v.tapStride(problem_.filterWidth);
  const int filterTaps = problem_.filterHeight * tapStride;
  passStride_ = passStride(filterTaps, perPass);
  passes_ = ceilDiv(problem_.filterCount, perPass);
  passesAtOnce_ = v.constantTaps() ? std::min(passes_, maxConstantTaps / passStride_) : passes_;
  multiprocessors_ = deviceTraits().multiprocessors;

  std::vector<float> laid(static_cast<std::size_t>(passes_) * static_cast<std::size_t>(passStride_));
  for (int f = 0; f < problem_.filterCount; ++f) {
    for (int t = 0; t < each; ++t) {
      const auto from =
          static_cast<std::size_t>(f) * static_cast<std::size_t>(each) + static_cast<std::size_t>(t);
      const int tap = t / problem_.filterWidth * tapStride + t % problem_.filterWidth;
      laid[static_cast<std::size_t>(tapOffset(f, tap, filterTaps, perPass))] = taps_.taps[from];
    }
  }
  return laid;
}

void LoadedBank::upload(const std::vector<float>& taps) {
  buffer_.reserve(taps.size() * sizeof(float));
  BANKSIDE_CUDA_CHECK(
      cudaMemcpy(buffer_.data(), taps.data(), taps.size() * sizeof(float), cudaMemcpyHostToDevice));
}

std::string LoadedBank::describe() const {
  if (choice_.variant < 0) return "direct_pixels";
  std::string name = variants()[static_cast<std::size_t>(choice_.variant)].name;
  if (withoutConstant_) name += ", constant memory having other taps or not room enough";
  if (choice_.filtersPerBlock == 0) return name;
  return name + (choice_.tailOnly ? "+" : "/") + std::to_string(choice_.filtersPerBlock);
}

void LoadedBank::copyToConstant(int firstPass, int passes, cudaStream_t stream) {
  const void* symbol = constantTapsOf(choice_.variant);
  if (symbol == nullptr || held_ != nullptr) return;
  ReadyLaunches::startsOtherWork();
  const bool whole = passes == passes_;
  Symbol& place = symbols()[symbol];
  if (whole && place.owner == id_) return;
  const std::size_t bytes = static_cast<std::size_t>(passStride_) * sizeof(float);
  BANKSIDE_CUDA_CHECK(
      cudaMemcpyToSymbolAsync(symbol, buffer_.data() + static_cast<std::size_t>(firstPass) * bytes,
                              static_cast<std::size_t>(passes) * bytes, 0, cudaMemcpyDeviceToDevice, stream));
  place.owner = whole ? id_ : 0;
}

/// The form of any size while a plan over device memory holds the constant memory; else null.
LoadedBank* LoadedBank::withoutConstant() {
  if (choice_.variant < 0 || held_ != nullptr) return nullptr;
  const void* symbol = constantTapsOf(choice_.variant);
  if (symbol == nullptr || symbols()[symbol].held.expired()) return nullptr;
  if (anySize_ == nullptr)
    anySize_ = std::make_unique<LoadedBank>(
        problem_, taps_,
        Choice{chooseAnySize(problem_, taps_.anchorX, taps_.anchorY, deviceTraits().mostShared)});
  return anySize_.get();
}

void LoadedBank::start(KernelArguments a, cudaStream_t stream, const KernelLaunch* before) {
  if (LoadedBank* const other = withoutConstant()) return other->start(a, stream, before);
  a = withBank(a, problem_, taps_.anchorX, taps_.anchorY, buffer_.data());
  if (choice_.variant < 0) return startDirectPixels(a, stream, before);
  startPasses(a, variants()[static_cast<std::size_t>(choice_.variant)], stream, before);
}

void LoadedBank::startPasses(KernelArguments a, const Variant& v, cudaStream_t stream,
                             const KernelLaunch* before) {
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
    launch(choice_.variant, a, stream, std::exchange(before, nullptr));
  }
}

}  // namespace bankside::cuda

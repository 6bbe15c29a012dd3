/// A bank on the device, ready for one variant, and how its launches go.
#pragma once

#include <memory>

#include "kernels/cuda/pixels/kernel_arguments.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/cuda/single_channel/choose_variant.h"
#include "kernels/cuda/single_channel/variant.h"

namespace bankside::cuda {

/// Taps in the variant's layout in device memory (as they are without one); copied to constant memory before
/// a run. Constant memory is one for all banks on a device: who starts one has the device's turn
/// (device_turn.h). While others hold it, the form of any size runs instead, with the same bytes.
///
/// `besideOthers` nobody holds anything: the bank has its variant's constant memory for as long as it lives,
/// with others of the same taps, or where that has other taps, or not all fit, is the form of any size.
class LoadedBank {
 public:
  LoadedBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, const Choice& choice,
             bool besideOthers = false);

  /// The variant's name, with the filters a block makes where a table says so: "rows5/4",
  /// "rows5+4" where only the last tiles are split; "direct_pixels" without a variant.
  std::string describe() const;

  /// Starts everything that computes one response group. Of `a`, the bank's part is filled in here.
  /// `before`: what starts directly before it, if there is such
  void start(KernelArguments a, cudaStream_t stream, const KernelLaunch* before = nullptr);

 private:
  /// The taps as the chosen variant wants them.
  std::vector<float> layout();
  void startPasses(KernelArguments a, const Variant& v, cudaStream_t stream, const KernelLaunch* before);
  void upload(const std::vector<float>& taps);
  void copyToConstant(int firstPass, int passes, cudaStream_t stream);
  LoadedBank* withoutConstant();

  ConvolutionProblem problem_;
  CorrelationTaps taps_;
  Choice choice_;
  int multiprocessors_ = 1;
  int passStride_ = 0;
  int passes_ = 0;
  int passesAtOnce_ = 0;
  std::uint64_t id_ = 0;
  DeviceBuffer buffer_;
  std::shared_ptr<const std::vector<float>> held_;  ///< what constant memory holds for this bank
  bool withoutConstant_ = false;                    ///< which it would have if there were room
  std::unique_ptr<LoadedBank> anySize_;             ///< that runs while others hold constant memory
};

}  // namespace bankside::cuda

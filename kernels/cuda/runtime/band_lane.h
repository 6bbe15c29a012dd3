/// One device of a plan in bands: the bank there, its streams, and the bands that are on their way.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/error.h"
#include "kernels/cuda/runtime/band_kernel.h"
#include "kernels/cuda/runtime/band_layout.h"
#include "kernels/cuda/runtime/band_slot.h"
#include "kernels/cuda/runtime/device_turn.h"

namespace bankside::cuda {

/// Loads a bank on the current device. On several threads.
using LoadBank = std::function<std::unique_ptr<BandKernel>()>;

class Lane;

/// The device of a lane is lost, or has no memory left.
class LaneFailed final : public Error {
 public:
  LaneFailed(const Error& error, const Lane& failed) : Error(error), lane(failed) {}
  const Lane& lane;
};

/// Everything that it throws but Cancelled is a LaneFailed.
class Lane {
 public:
  /// On the current device. `kernel` is loaded there. Errors  Error{Device}, Error{Limit}
  Lane(const ConvolutionProblem& problem, std::unique_ptr<BandKernel> kernel);
  ~Lane();

  int device() const { return device_; }
  const BandKernel& kernel() const { return *kernel_; }

  /// Bands on their way.
  int busy() const;
  /// One that takes a band; null: all are busy.
  Slot* idleSlot();

  /// Makes room for the rows of a slot's band of its runs, and finds out whose memory is pinned.
  void prepare(Slot& slot, int firstRow, int rows);
  /// Upload, kernels and download of a slot whose source is filled.
  void start(Slot& slot);
  /// Waits for its results. Seconds of each phase. Errors  Cancelled
  PhaseTimes finish(const Slot& slot, const std::stop_token& stop);

  /// Nothing writes to a buffer any more, and no slot is busy.
  void stop();
  /// After `stop`: the slots' memory is there for others.
  void freeSlots();

 private:
  void compute(const Slot& slot);
  void download(const Slot& slot);
  std::vector<MutablePlane> inPlace(const Slot& slot, const PlanImage& item) const;
  KernelArguments arguments(const Slot& slot, int group) const;
  std::size_t sourceBytes(const Slot& slot) const {
    return slot.source.bytes(slot.source.rows()) * static_cast<std::size_t>(slot.images());
  }
  std::size_t resultBytes(const Slot& slot) const {
    return layout_.bytes(slot.band.width, slot.band.height) * static_cast<std::size_t>(slot.images());
  }

  ConvolutionProblem problem_;
  BandLayout layout_;
  int device_;
  Launcher launcher_;
  std::unique_ptr<BandKernel> kernel_;
  Stream upload_, compute_, download_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace bankside::cuda

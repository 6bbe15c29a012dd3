/// Taps to shared memory, as they are, a step at a time by one copy: by one of the threads that multiply.
#pragma once

#include "kernels/cuda/multichannel/tensor/tensor_work.cuh"

namespace bankside::cuda {

/// Steps of a block's tasks, one after another, in `tapStages` places in turn.
template <TensorMode mode, TensorTile tile>
class TapSteps {
 public:
  __device__ __forceinline__ TapSteps(const SummedArguments& s, const TensorWork<mode, tile>& work)
      : s_(s), work_(work) {}

  /// The first steps are asked for, by thread 0.
  __device__ __forceinline__ void begin() {
    beginTask(static_cast<int>(blockIdx.x));
#pragma unroll 1
    for (int i = 0; i < s_.tapStages; ++i) load(i);
  }

  /// The step that comes next is there.
  __device__ __forceinline__ void wait() { waitForPhase(work_.barriers->taps[stage_], phase_); }
  /// Its taps in shared memory.
  __device__ __forceinline__ std::uint32_t units() const {
    return sharedUnits(work_.tapBuffers + stage_ * work_.tapStageUnits());
  }
  /// While its products are under way: another step takes the place of the one before.
  __device__ __forceinline__ void refill() {
    if (threadIdx.x == 0 && (stage_ > 0 || phase_ > 0)) {
      const int before = stage_ == 0 ? s_.tapStages - 1 : stage_ - 1;
      waitForPhase(work_.barriers->tapsDone[before], stage_ == 0 ? phase_ - 1 : phase_);
      load(before);
    }
    __syncwarp();
  }
  /// It is done with.
  __device__ __forceinline__ void next() {
    arriveAsWarp(work_.barriers->tapsDone[stage_]);
    if (++stage_ < s_.tapStages) return;
    stage_ = 0;
    ++phase_;
  }

 private:
  __device__ __forceinline__ void beginTask(int task) {
    TensorNotes& next = *work_.notes;
    next.task = task;
    if (task >= work_.tasks) return;
    const int block = work_.task(s_.base, task).firstFilter / TensorTile::filtersPerBlock;
    next.left = (work_.endSlab - work_.firstSlab) * work_.steps;
    next.from = reinterpret_cast<const uint4*>(s_.base.taps) +
                (static_cast<std::ptrdiff_t>(block) * work_.slabs + work_.firstSlab) * work_.steps *
                    work_.tapStageUnits();
  }
  __device__ __forceinline__ void load(int stage) {
    TensorNotes& next = *work_.notes;
    if (next.task >= work_.tasks) return;
    const int units = work_.tapStageUnits();
    arriveWithBytes(work_.barriers->taps[stage], work_.tapBuffers + stage * units, next.from, 16 * units);
    next.from += units;
    if (--next.left == 0) beginTask(next.task + static_cast<int>(gridDim.x));
  }

  const SummedArguments& s_;
  const TensorWork<mode, tile>& work_;
  int stage_ = 0;
  int phase_ = 0;
};

}  // namespace bankside::cuda

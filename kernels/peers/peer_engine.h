/// What the peers of the GPU have in common as engines.
#pragma once

#include "kernels/cuda/runtime/cuda_engine.h"
#include "kernels/peers/plane_plan.h"

namespace bankside::cuda {

/// What a call that pads alike on all sides takes.
inline bool oddAndCentred(const ConvolutionProblem& p) {
  return p.filterHeight % 2 != 0 && p.filterWidth % 2 != 0 && p.anchorX == p.filterWidth / 2 &&
         p.anchorY == p.filterHeight / 2;
}

/// Refuses where there is no GPU or no library; what it takes beyond `supportsPlanes` is the library's.
class PeerEngine : public CudaEngine {
 public:
  EngineKind kind() const override { return {.role = EngineKind::Role::Peer}; }
  Support available() const override {
    const Support state = CudaEngine::available();
    return state ? library() : state;
  }
  Support supports(const ConvolutionProblem& problem) const override {
    const Support planes = supportsPlanes(problem, sumsChannels());
    return planes ? takes(problem) : planes;
  }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions&) const override {
    return makePlanePlan(problem, checkedPass(problem, bank, 1));
  }
  std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                          const FilterBank& bank) const override {
    return prepareBatch(problem, bank, 1);
  }
  std::unique_ptr<DevicePass> prepareBatch(const ConvolutionProblem& problem, const FilterBank& bank,
                                           int images) const override {
    if (problem.responseGroups() != 1 || problem.srcType != ElementType::F32)
      throw Error(ErrorCode::Unsupported,
                  "engine " + name() + ": a pass on the device takes f32 planes of one response group");
    return checkedPass(problem, bank, images);
  }

 protected:
  /// Whether the library is there; a sentence with its name if not.
  virtual Support library() const = 0;
  /// Whether a call can take several channels at once.
  virtual bool sumsChannels() const { return false; }
  virtual Support takes(const ConvolutionProblem& problem) const = 0;
  virtual std::unique_ptr<PlanePass> makePass(const ConvolutionProblem& plane,
                                              const CorrelationTaps& taps) const = 0;
  /// One call for several images. Errors  Error{Unsupported} where the library has none, which is the default
  virtual std::unique_ptr<PlanePass> makeBatchPass(const ConvolutionProblem&, const CorrelationTaps&,
                                                   int) const {
    throw Error(ErrorCode::Unsupported, "engine " + name() + ": it starts every image on its own");
  }

 private:
  std::unique_ptr<PlanePass> checkedPass(const ConvolutionProblem& problem, const FilterBank& bank,
                                         int images) const {
    requireReady(problem);
    const ConvolutionProblem plane = planeProblem(problem);
    const CorrelationTaps taps = correlationTaps(problem, bank);
    return images == 1 ? makePass(plane, taps) : makeBatchPass(plane, taps, images);
  }
};

}  // namespace bankside::cuda

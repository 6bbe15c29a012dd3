/// What the plans that stream rows share: how a run is cut into tasks, and each thread's memory.
#pragma once

#include <vector>

#include "core/host_plan.h"
#include "core/spares.h"
#include "kernels/highway/difference_rows.h"
#include "kernels/highway/flush_denormals.h"
#include "kernels/highway/plain_cells.h"
#include "kernels/highway/plain_sums.h"
#include "kernels/highway/row_output.h"
#include "kernels/highway/row_window.h"

namespace bankside::direct {

/// What a plan's inner loops ask of the cut.
struct StripNeeds {
  double columnFloats = 1;  ///< floats that one column of pixels keeps in the caches
  double callTaps = 1;      ///< multiply-adds for one pixel in the largest kernel call
  double taps = 1;          ///< multiply-adds for one pixel of one response group
  double overlap = 0;       ///< pixels that a tile reads beyond its width
  int stepRows = 1;
};

/// A thread's memory, kept between strips and runs.
struct Workspace {
  RowWindow window;
  DifferenceRows differences;
  PlainCells cells;
  RowOutput output;
  AlignedBuffer<float> terms;
  std::vector<const float*> termRows;
  std::vector<const float*> tableRows;  ///< for one kernel call
  PlainSums::Space plain;
};

class StripPlan : public HostPlan {
 protected:
  StripPlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options);

  virtual StripNeeds needs() const = 0;

  /// Makes a tile's pixels in steps of needs().stepRows; `space.output` is started.
  virtual void computeTile(const SourceBand& in, const Region& region, const StripTile& tile,
                           Workspace& space, const std::stop_token& stop) const = 0;

  const RowKernels& kernels() const { return kernels_; }

 private:
  struct Cut;
  Cut makeCut(const SinkBand& out) const;
  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token& stop) final;
  const RowKernels& kernels_;
  int raised_;  ///< exponent, before anybody looks at the taps
  bool flush_;
  Spares<Workspace> workspaces_;
};

/// The engine of a plan of strips: takes every problem.
template <class StripPlanOfIt>
class StripEngine final : public Engine {
 public:
  explicit StripEngine(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  EngineKind kind() const override { return {.sharedPlans = true}; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return describeKernels(); }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    return std::make_unique<StripPlanOfIt>(problem, bank, options);
  }

 private:
  std::string name_;
};

}  // namespace bankside::direct

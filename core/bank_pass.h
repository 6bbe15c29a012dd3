/// One stage over what it sees, band by band: one problem a filter size, plans that are kept, and the
/// combine where no engine fuses it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/engine.h"
#include "core/pipeline.h"

namespace bankside {

/// Picks the engine for a problem (kernels/engines.h has the list; core does not know it). Throws Error.
using ChooseEngine = std::function<const Engine&(const ConvolutionProblem&)>;

/// One result plane. `channel` counts the planes of a per-plane run.
struct PlaneName {
  int channel = 0;
  std::string label;  ///< the filter's, or the combine's ("max"; "argmax" and "argmax-index")
  bool operator==(const PlaneName&) const = default;
};

class BankPass {
 public:
  /// `responses`: give each filter's response as well as the combined maps; so it is without a combine.
  BankPass(BankStage stage, Border border, bool responses, PlanOptions options, ChooseEngine choose);
  ~BankPass();
  BankPass(BankPass&&) noexcept;

  /// One problem of the pass, and which of the pass's planes its plan gives.
  struct Step {
    ConvolutionProblem problem;
    const FilterBank* bank = nullptr;
    std::vector<int> indices;  ///< of its filters in the whole bank
    const Engine* engine = nullptr;
    std::shared_ptr<Plan> plan;  ///< once `makePlans` has been called
    std::vector<int> planes;
  };

  /// The steps over an image of that shape, without plans. Throws Error
  std::vector<Step> steps(const Source& source) const;
  /// Prepares the plans that are missing; those of earlier calls are kept. Several threads may ask at the
  /// same time: each plan is prepared once, by all threads of the options. Throws Error
  void makePlans(std::vector<Step>& steps);

  /// Whether several threads may run the plans of an image of that shape at the same time. Throws Error
  bool sharesPlans(const Source& source) const;

  /// What is given over an image of so many channels: responses (channel-major, filters in bank order), then
  /// combined planes.
  std::vector<PlaneName> names(int channels) const;

  /// 1 where the bank sums over the channels, else one a channel.
  int groups(int channels) const { return bank().channels() == channels ? 1 : channels; }

  /// The planes that are computed: all responses unless the combine is fused, then combined planes. The first
  /// `hidden` of them are not given.
  std::vector<ElementType> planes(int channels) const;
  std::size_t hidden(int channels) const;

  /// Where a step's plan writes: rows of `buffers`, one a computed plane. Both must outlive it.
  static std::unique_ptr<Sink> sinkFor(const Step& step, std::vector<Image>& buffers, int rows);

  /// Runs the step's plan for a band of rows into `buffers`
  /// ([band.height, W] or higher, one a computed plane).
  static PhaseTimes run(const Step& step, Source& source, const Region& band, std::vector<Image>& buffers,
                        const std::stop_token& stop);
  /// After every step of the band; does nothing where there is nothing to combine. Seconds that it took.
  double combine(int channels, int rows, std::vector<Image>& buffers) const;
  /// After the combine, of the planes that are given: what the next stage sees. Seconds that it took.
  double activate(int channels, int rows, std::vector<Image>& buffers) const;

  const BankStage& stage() const { return stage_; }
  const FilterBank& bank() const { return stage_.bank; }
  const Border& border() const { return border_; }

 private:
  class KeptPlans;
  BankStage stage_;
  Border border_;
  bool responses_;
  std::vector<UniformGroup> uniform_;
  PlanOptions options_;
  ChooseEngine choose_;
  bool fused_ = false;
  std::unique_ptr<KeptPlans> plans_;
};

}  // namespace bankside

/// Runs a program of maps over an image, whole maps at a time.
#pragma once

#include <vector>

#include "core/bank_pass.h"
#include "core/maps/map_program.h"
#include "core/run/bank_run.h"
#include "core/run/run_options.h"

namespace bankside {

class MapRunner {
 public:
  /// Throws Error{BadInput} where a step takes what it cannot.
  MapRunner(MapProgram program, RunOptions options, ChooseEngine choose);

  /// Of the results, for an image of so many channels. Errors  Error{BadInput} where steps do not go
  /// together
  std::vector<MapName> names(int channels) const;

  /// Channels that the first bank over the image itself sums over, or 1.
  int imageChannels() const;

  /// Whether several threads may run images of that shape at the same time. Errors  as `names`
  bool sharesPlans(const Source& image) const;

  /// What maps take at most, results included. Units  bytes
  std::int64_t bytes(int channels, int height, int width) const;

  /// The maps of the last step; as many threads at the same time as there are images that share plans.
  /// `field`: [H,W] u8, not 0 inside; empty: a step finds it, or all is. `run` is filled with what the steps
  /// did. Errors  what engines throw; Cancelled; Error{BadInput}; Error{Limit} where `bytes` is more than the
  /// options allow
  Maps run(Source& image, const Image& field, BankRun& run, const std::stop_token& stop);

 private:
  struct Step {
    MapStep step;
    int lastUse = 0;  ///< the number of the last step that takes its maps
    /// A bank's filters, in the groups that its first combine makes of them; all, where there is none.
    std::vector<BankPass> passes;
    std::vector<CombinedMaps> groups;
  };
  void addPasses(Step& step, const Border& border, const ChooseEngine& choose) const;
  std::vector<MapName> bankNames(const Step& step, const std::vector<MapName>& seen) const;
  Maps runBank(Step& step, int number, Source& seen, const std::vector<MapName>& names,
               double pixelsPerDegree, BankRun& run, const std::stop_token& stop) const;
  void judgeBank(const BankPass::Step& step, Source& seen, std::vector<Image>& planes, StepReport& report,
                 BankRun& run, const std::stop_token& stop) const;
  Maps runOperation(const Operation& operation, const std::vector<const Maps*>& taken,
                    OperationContext& context, BankRun& run) const;
  Maps runCombine(const CombineOver& combine, const Maps& taken, const OperationContext& context,
                  BankRun& run) const;
  std::vector<int> judgedRows(const Extent& extent) const;
  /// What a step gives, and how many maps it holds at once at most.
  struct Tried {
    std::vector<MapName> names;
    std::size_t mostMaps = 0;
  };
  std::vector<Tried> dryRun(int channels) const;
  /// Of every step's maps. Throws Error{BadInput} where sizes do not go together
  std::vector<Extent> extents(const Extent& image) const;

  RunOptions options_;
  std::vector<Step> steps_;
};

}  // namespace bankside

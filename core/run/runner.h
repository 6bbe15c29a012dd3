/// Runs a bank, or two in a row, over an image: groups them into problems, picks engines, keeps plans and
/// buffers, combines, verifies.
///
/// Window, headless program and comparison all run banks through here, so that they cannot differ.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/activation.h"
#include "core/bank_pass.h"
#include "core/engine.h"
#include "core/judge/compare.h"
#include "core/run/map_source.h"

namespace bankside {

/// A bank before the runner's own, whose maps are what that one sees, as f32 channels: [F2][F][kh][kw] sums
/// over the F maps, [F2][1][kh][kw] is applied to each.
struct FirstStage {
  FilterBank bank;
  std::optional<FilterMode> mode;            ///< overrides the convention that the bank is written for
  Combine combine = Combine::None;           ///< its maps become one a group; not ArgMax
  Activation activation = Activation::None;  ///< of the maps, after the combine
};

struct RunnerOptions {
  Border border;                   ///< of the image and, with a first stage, of its maps too
  std::optional<FilterMode> mode;  ///< overrides the convention that the bank is written for
  Combine combine = Combine::None;
  bool responses = true;  ///< give each filter's response as well as the combined one
  int threads = 0;
  Precision precision = Precision::Fp32;  ///< what planners may choose from
  bool verifyReference = false;
  int verifyRows = 0;  ///< judge a sample of that many rows of each band (`sampleRows`); 0: all
  std::optional<int> judgeThreads = {};  ///< of the judge, whose time nobody measures; none: `threads`
  ExactRows* exact = nullptr;  ///< what judges of the same image under the same bank share (one stage alone)
  const Engine* baseline = nullptr;  ///< compare with this engine's result too, where it takes the problem
  std::int64_t memoryBudget = std::int64_t{1} << 30;  ///< bytes of results (with a first stage half of it
                                                      ///< maps) held at once: larger ones come in bands
  std::optional<FirstStage> first = {};
};

/// What one problem of the run did.
struct StepReport {
  int stage = 1;  ///< of 1 or 2
  ConvolutionProblem problem;
  std::string engine;
  std::string device;
  PlanInfo plan;
  NumericTraits traits;
  PhaseTimes times;  ///< summed over bands
  std::optional<Verification>
      reference;                         ///< against the exact responses, of the whole chain; last stage only
  std::optional<Verification> baseline;  ///< against the baseline engine's result, of the whole chain
  std::string baselineReason;            ///< why there is none, or the path that it took
};

struct BankRun {
  std::vector<StepReport> steps;  ///< the first stage's before the last one's
  double combineSeconds = 0;      ///< combines that no engine fused
  double activationSeconds = 0;   ///< between the stages
  int bands = 1;
  bool verified = false;  ///< every step of the last stage was judged against the reference
  bool passed = true;     ///< and nothing was found wrong

  /// Sum of all steps, combine and activation in `compute`.
  PhaseTimes times() const;
};

/// Memory of a run, kept from band to band and run to run.
struct RunBuffers {
  std::vector<Image> results;  ///< one a plane
  MapSource::Spare maps;
};

/// Images that a runner is given one after another and gives back with their results.
class ImageQueue {
 public:
  struct Item {
    Source* source = nullptr;   ///< in memory: reading from it does not fail
    std::vector<Image> planes;  ///< given back; memory of an earlier item may be in it, to be used again
    std::vector<Image> hidden;  ///< responses that are combined and not given: memory alone
    BankRun run;
    std::exception_ptr error;  ///< what ended it; there are no planes then
  };
  virtual ~ImageQueue() = default;
  /// The next image, or null: there is none any more or, unless `wait`, none yet. It stays until it is done.
  virtual Item* next(bool wait) = 0;
  /// In the order of `next`, on the thread that runs. Planes that were judged wrong are not given.
  virtual void done(Item& item) = 0;
};

class Runner {
 public:
  /// Throws Error{BadInput} if banks and options do not go together.
  Runner(FilterBank bank, RunnerOptions options, ChooseEngine choose);

  /// Planes of a run over a source of that many channels, in the order in which they are given:
  /// responses (channel-major, filters in bank order), then combined planes. `PlaneName::channel` counts what
  /// the last bank sees: the source's channels, or the maps of the first stage.
  std::vector<PlaneName> planes(int channels) const;

  /// How many planes the last bank sees of an image of so many channels.
  int seenChannels(int channels) const {
    return first_ ? static_cast<int>(first_->names(channels).size()) : channels;
  }

  /// Names of those, from the names of the source's channels; for maps their filters' labels.
  std::vector<std::string> groupNames(const std::vector<std::string>& channelNames) const;

  /// Takes rows [firstRow, firstRow + planes[0].height()) of every plane; the images belong to the runner and
  /// are valid during the call.
  using Receive = std::function<void(int firstRow, const std::vector<Image>& planes)>;

  /// Results come in one band if they fit the memory budget, else in several, top to bottom. A band that was
  /// judged wrong is never given. Errors  what engines throw; Cancelled; Error{BadInput} if a bank's channels
  /// are not those of what it sees
  /// `part`: only that part of every plane, with the bytes that it has in the whole; rows and widths are then
  /// those of the part. Error{BadInput} if it does not lie in the image
  BankRun run(Source& source, const Receive& receive, std::stop_token stop = {},
              const std::optional<Region>& part = {});

  /// Every image of a queue, with the planes of `run`. Where they follow each other with one size, go through
  /// one plan and are not judged, the plan has them all (`Plan::runAll`), so that a device copies and
  /// computes at the same time. What goes wrong with an image is its `error`. For images that `givesWhole`.
  /// Errors  Cancelled. `queue` does not throw
  void runAll(ImageQueue& queue, std::stop_token stop = {});

  /// What a run over an image of that many channels computes. Units  bytes
  std::int64_t resultBytes(int channels, int height, int width) const;
  /// Whether that comes in one band.
  bool givesWhole(int channels, int height, int width) const {
    return resultBytes(channels, height, width) <= resultBudget();
  }

  /// Trades the runner's memory with the caller's, so that runners that take turns can share one set. It is
  /// made anew where it does not fit.
  void swapBuffers(RunBuffers& buffers) { std::swap(buffers_, buffers); }

  /// The last bank, and the one that sees the image (the same where there is one stage).
  const FilterBank& bank() const { return last_.bank(); }
  const FilterBank& imageBank() const { return first_ ? first_->bank() : last_.bank(); }

 private:
  struct Pass;
  class Overlap;
  std::int64_t resultBudget() const { return first_ ? options_.memoryBudget / 2 : options_.memoryBudget; }
  void runAlone(ImageQueue::Item& item, const std::stop_token& stop);
  void requireFits(int maps) const;
  void runBand(Pass& pass, const Region& band, BankRun& result);
  void judgeStep(Pass& pass, std::size_t step, const Region& band, StepReport& report);
  void compareStep(Pass& pass, const BankPass::Step& step, const Region& band, const std::vector<Image>& mine,
                   StepReport& report);

  RunnerOptions options_;
  std::optional<BankPass> first_;
  std::optional<BankPass> baselineFirst_;
  BankPass last_;
  RunBuffers buffers_;
};

}  // namespace bankside

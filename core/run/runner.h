/// Runs a pipeline over an image: groups its banks into problems, picks engines, keeps plans and buffers,
/// combines, verifies.
///
/// Window, headless program and comparison all run pipelines through here, so that they cannot differ.
#pragma once

#include <algorithm>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/bank_pass.h"
#include "core/engine.h"
#include "core/pipeline.h"
#include "core/run/bank_run.h"
#include "core/run/map_runner.h"
#include "core/run/map_source.h"
#include "core/run/run_options.h"

namespace bankside {

/// Memory of a run, kept from band to band and run to run.
struct RunBuffers {
  std::vector<Image> results;          ///< one a plane
  std::vector<MapSource::Spare> maps;  ///< one a stage
};

/// An image that a runner is given and gives back with its results, unless these were judged wrong.
struct RunnerImage {
  Source* source = nullptr;  ///< in memory, so that reading from it does not fail, unless `receive` is set
  /// Takes the planes in bands, as `Runner::run` gives them; they are then not in `planes`.
  std::function<void(int firstRow, const std::vector<Image>& planes)> receive;
  Image field;                ///< as `Runner::run` takes it
  std::vector<Image> planes;  ///< given back; memory of an earlier image may be in it, to be used again
  std::vector<Image> hidden;  ///< responses that are combined and not given: memory alone
  BankRun run;
  std::exception_ptr error;  ///< what ended it; there are no planes then
};
using ImageQueue = PullQueue<RunnerImage>;

class Runner {
 public:
  /// Throws Error{BadInput} if the stages do not go together.
  Runner(Pipeline pipeline, RunOptions options, ChooseEngine choose);
  /// Whole maps at a time. Throws Error{BadInput} if the steps do not go together.
  Runner(MapProgram program, RunOptions options, ChooseEngine choose);

  /// Planes of a run over a source of that many channels, in the order in which they are given:
  /// responses (channel-major, filters in bank order), then combined planes. `PlaneName::channel` counts what
  /// the last bank sees: the source's channels, or the maps of the stage before.
  std::vector<PlaneName> planes(int channels) const;

  /// How many planes the last bank sees of an image of so many channels.
  int seenChannels(int channels) const;

  /// Names of those, from the names of the source's channels; for maps their filters' labels.
  std::vector<std::string> groupNames(const std::vector<std::string>& channelNames) const;

  /// Takes rows [firstRow, firstRow + planes[0].height()) of every plane; the images belong to the runner and
  /// are valid during the call.
  using Receive = std::function<void(int firstRow, const std::vector<Image>& planes)>;

  /// Results come in one band if they fit the memory budget, else in several, top to bottom; if so asked on
  /// another thread, one after another. A band that was
  /// judged wrong is never given. Errors  what engines throw; Cancelled; Error{BadInput} if a bank's channels
  /// are not those of what it sees
  /// `part`: only that part of every plane, with the bytes that it has in the whole; rows and widths are then
  /// those of the part. Error{BadInput} if it does not lie in the image
  /// `field`: [H,W] u8, the field of view, not 0 inside, that steps need not find; empty: none is given
  BankRun run(Source& source, const Receive& receive, std::stop_token stop = {},
              const std::optional<Region>& part = {}, const Image& field = {});

  /// Of a program of maps: what `run` gives, before it is given; nothing is compared with a baseline. Errors
  /// as `run`
  MapResults runSteps(Source& source, BankRun& run, const std::stop_token& stop);

  /// Every image of a queue, with the planes of `run`. Where they follow each other with one size, go through
  /// one plan and are not judged, the plan has them all (`Plan::runAll`), so that a device copies and
  /// computes at the same time. What goes wrong with an image is its `error`. For images that `givesWhole`
  /// or whose results are received in bands. Errors  Cancelled; what `next` throws, after what it gave is
  /// done
  void runAll(ImageQueue& queue, std::stop_token stop = {});

  /// Whether `runOne` may run several images such as this one at the same time.
  bool takesSeveral(const Source& image) const;

  /// One image, as `runAll` runs it, on the thread that calls. Several threads may call at the same time for
  /// images that the runner `takesSeveral` of. Errors  Cancelled
  void runOne(RunnerImage& item, const std::stop_token& stop = {});

  /// All that a run over such an image holds at most, results and maps of every stage. Units  bytes
  std::int64_t heldBytes(int channels, int height, int width) const;

  /// What a run over an image of that many channels computes. Units  bytes
  std::int64_t resultBytes(int channels, int height, int width) const;
  /// Whether that comes in one band.
  bool givesWhole(int channels, int height, int width) const {
    return resultBytes(channels, height, width) <= resultBudget();
  }

  /// Trades the runner's memory with the caller's, so that runners that take turns can share one set. It is
  /// made anew where it does not fit.
  void swapBuffers(RunBuffers& buffers) { std::swap(buffers_, buffers); }

  /// The last bank of a pipeline.
  const FilterBank& bank() const { return last().bank(); }
  /// Channels that the bank over the image sums over, or 1.
  int imageChannels() const { return maps_ ? maps_->imageChannels() : passes_.front().bank().channels(); }

 private:
  struct Pass;
  class Overlap;
  const BankPass& last() const { return passes_.back(); }
  BankPass& last() { return passes_.back(); }
  std::int64_t resultBudget() const {
    return options_.memoryBudget / static_cast<std::int64_t>(std::max<std::size_t>(1, passes_.size()));
  }
  void runAlone(RunnerImage& item, RunBuffers& buffers, const std::stop_token& stop);
  BankRun run(Source& source, const Image& field, const Receive& receive, RunBuffers& buffers,
              const std::stop_token& stop, const Region& area);
  void compareMaps(Source& image, const Image& field, const Maps& mine, BankRun& run,
                   const std::stop_token& stop);
  BankRun runMaps(Source& image, const Image& field, const Receive& receive, RunBuffers& buffers,
                  const std::stop_token& stop, const Region& area);
  std::size_t hiddenPlanes(int channels) const { return maps_ ? 0 : last().hidden(seenChannels(channels)); }
  void requireFits(std::size_t stage, int maps) const;
  void requireFit() const;
  void addMaps(std::deque<MapSource>& maps, std::vector<BankPass>& passes,
               std::vector<MapSource::Spare>& spare, const Pass& pass) const;
  int bandRows(const Pass& pass, const Region& area, const std::vector<ElementType>& types) const;
  void runBand(Pass& pass, const Region& band, BankRun& result);
  void judgeStep(Pass& pass, std::size_t step, const Region& band, BankRun& run);
  void compareStep(Pass& pass, const BankPass::Step& step, const Region& band, const std::vector<Image>& mine,
                   StepReport& report);

  RunOptions options_;
  std::optional<MapRunner> maps_;          // instead of passes
  std::optional<MapRunner> baselineMaps_;  // the same with the baseline engine
  std::vector<BankPass> passes_;           // one a stage
  std::vector<BankPass> baseline_;         // the same by the baseline engine, where there is one
  RunBuffers buffers_;
};

}  // namespace bankside

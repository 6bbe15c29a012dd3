/// Runner::runAll: several images on their way through one plan.
#include <algorithm>
#include <iterator>
#include <list>
#include <utility>

#include "core/error.h"
#include "core/image_memory.h"
#include "core/run/gathered_planes.h"
#include "core/run/runner.h"

namespace bankside {
namespace {

void moveInto(std::vector<Image>& to, std::vector<Image>& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
  from.clear();
}

/// The item's memory as the planes that are computed, made anew in `memory` where it does not fit.
std::vector<Image> takePlanes(RunnerImage& item, const std::vector<ElementType>& types, ImageMemory* memory) {
  std::vector<Image> planes = std::exchange(item.hidden, {});
  moveInto(planes, item.planes);
  bool fits = planes.size() == types.size();
  for (std::size_t i = 0; fits && i < types.size(); ++i) {
    fits = planes[i].type() == types[i] && planes[i].height() == item.source->height() &&
           planes[i].width() == item.source->width();
  }
  if (fits) return planes;
  planes.clear();
  const ImagesIn in(memory);
  for (const ElementType type : types)
    planes.emplace_back(1, item.source->height(), item.source->width(), type);
  return planes;
}

void givePlanes(RunnerImage& item, std::vector<Image>& planes, std::size_t hidden) {
  item.hidden.assign(std::make_move_iterator(planes.begin()),
                     std::make_move_iterator(planes.begin() + static_cast<std::ptrdiff_t>(hidden)));
  item.planes.assign(std::make_move_iterator(planes.begin() + static_cast<std::ptrdiff_t>(hidden)),
                     std::make_move_iterator(planes.end()));
  planes.clear();
}

}  // namespace

/// The images of one problem, for its plan.
class Runner::Overlap final : public RunQueue {
 public:
  Overlap(Runner& runner, ImageQueue& queue) : runner_(runner), queue_(queue) {}

  /// Runs `first` and what follows it through one plan, or `first` alone. What comes after it, or null.
  RunnerImage* run(RunnerImage* first, const std::stop_token& stop) {
    held_ = first;
    std::optional<BankPass::Step> step = stepOf(*first);
    if (!step) {
      runHeld(stop);
      return queue_.next(true);
    }
    step_ = std::move(*step);
    runner_.buffers_.results.clear();  // an image in bands may have been before
    try {
      step_.plan->runAll(*this, stop);
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception&) {
      // Each on its own, so that the error comes out where it belongs.
      for (; !flights_.empty(); flights_.pop_front()) {
        runner_.runAlone(flights_.front().image, runner_.buffers_, stop);
        queue_.done(flights_.front().image);
      }
      if (held_ == first) runHeld(stop);
    }
    return held_ != nullptr ? held_ : queue_.next(true);
  }

  PlanImage* next(bool wait) override {
    if (begun_ && held_ != nullptr) return nullptr;
    if (held_ == nullptr) held_ = queue_.next(wait);
    begun_ = true;
    if (held_ == nullptr) return nullptr;
    const std::optional<BankPass::Step> step = stepOf(*held_);
    if (!step || step->engine != step_.engine || !(step->problem == step_.problem)) return nullptr;
    flights_.emplace_back(runner_, step_, *held_);
    held_ = nullptr;  // not before it is on its way
    return &flights_.back().run;
  }

  void done(PlanImage& finished) override {
    Flight& flight = flights_.front();
    RunnerImage& image = flight.image;
    StepReport report = reportOf(step_, 1);
    report.times = finished.times;
    image.run = {};
    image.run.steps.push_back(std::move(report));
    const int channels = image.source->channels();
    image.run.combineSeconds = runner_.last().combine(channels, image.source->height(), flight.planes);
    givePlanes(image, flight.planes, runner_.last().hidden(channels));
    flights_.pop_front();
    queue_.done(image);
  }

 private:
  void runHeld(const std::stop_token& stop) {
    RunnerImage& image = *std::exchange(held_, nullptr);
    runner_.runAlone(image, runner_.buffers_, stop);
    queue_.done(image);
  }

  /// An image on its way.
  struct Flight {
    Flight(const Runner& runner, const BankPass::Step& step, RunnerImage& item)
        : image(item),
          planes(takePlanes(item, runner.last().planes(item.source->channels()), step.plan->imageMemory())),
          sink(BankPass::sinkFor(step, planes, item.source->height())),
          run{*item.source, *sink, wholeImage(step.problem)} {}
    RunnerImage& image;
    std::vector<Image> planes;
    std::unique_ptr<Sink> sink;
    PlanImage run;
  };

  /// The one problem of an image, with its plan; none where a run of its own is needed, for its errors too.
  std::optional<BankPass::Step> stepOf(const RunnerImage& item) {
    const RunOptions& options = runner_.options_;
    if (item.receive || runner_.passes_.size() != 1 || options.verifyReference || options.baseline != nullptr)
      return std::nullopt;
    try {
      std::vector<BankPass::Step> steps = runner_.last().steps(*item.source);
      if (steps.size() != 1) return std::nullopt;
      runner_.last().makePlans(steps);
      return std::move(steps.front());
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }

  Runner& runner_;
  ImageQueue& queue_;
  BankPass::Step step_;
  RunnerImage* held_ = nullptr;  ///< taken from the queue, and not one of these
  bool begun_ = false;
  std::list<Flight> flights_;
};

void Runner::runAll(ImageQueue& queue, std::stop_token stop) {
  RunnerImage* item = queue.next(true);
  while (item != nullptr) item = Overlap(*this, queue).run(item, stop);
}

void Runner::runOne(RunnerImage& item, const std::stop_token& stop) {
  RunBuffers own;
  runAlone(item, own, stop);
}

void Runner::runAlone(RunnerImage& item, RunBuffers& buffers, const std::stop_token& stop) {
  const int height = item.source->height();
  GatheredPlanes gathered(height);  // with several stages, results that fit may still come in bands
  const auto gather = [&](int firstRow, const std::vector<Image>& band) {
    if (band.front().height() < height) gathered.add(firstRow, band);
  };
  try {
    std::vector<Image> memory = std::exchange(item.hidden, {});
    moveInto(memory, item.planes);
    if (!item.receive) buffers.results = std::move(memory);
    item.run = run(*item.source, item.field, item.receive ? item.receive : gather, buffers, stop,
                   {0, 0, item.source->width(), height});
    if (!item.run.passed || item.receive) return;
    if (gathered.images().empty()) {
      givePlanes(item, buffers.results, hiddenPlanes(item.source->channels()));
    } else {
      item.planes = std::move(gathered.images());
    }
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception&) {
    buffers.results.clear();
    item.planes.clear();
    item.error = std::current_exception();
  }
}

bool Runner::takesSeveral(const Source& image) const {
  if (options_.baseline != nullptr) return false;
  try {
    if (maps_) return maps_->takesSeveral(image);
    ShapeSource seen(image);
    for (const BankPass& pass : passes_) {
      if (!pass.sharesPlans(seen)) return false;
      seen = {static_cast<int>(pass.names(seen.channels()).size()), seen.height(), seen.width(),
              ElementType::F32};
    }
    return true;
  } catch (const Error&) {
    return false;  // its own run says why
  }
}

std::int64_t Runner::heldBytes(int channels, int height, int width) const {
  if (maps_) return maps_->bytes(channels, height, width);
  std::int64_t perPixel = 0;
  for (const BankPass& pass : passes_) {
    for (const ElementType type : pass.planes(channels)) perPixel += static_cast<std::int64_t>(sizeOf(type));
    channels = static_cast<int>(pass.names(channels).size());
  }
  return perPixel * height * width;
}

std::int64_t Runner::resultBytes(int channels, int height, int width) const {
  if (maps_) return maps_->bytes(channels, height, width);
  std::int64_t perPixel = 0;
  for (const ElementType type : last().planes(seenChannels(channels)))
    perPixel += static_cast<std::int64_t>(sizeOf(type));
  return perPixel * height * width;
}

}  // namespace bankside

#include "kernels/cuda/runtime/band_plan.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <utility>

#include "core/parallel.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_probe.h"
#include "kernels/cuda/runtime/devices_in_use.h"
#include "kernels/cuda/runtime/lanes.h"
#include "kernels/cuda/runtime/pinned_memory.h"

namespace bankside::cuda {
namespace {

/// Multiply-adds of one band: about 50 ms on a small GPU, so that a stop is noticed in time.
constexpr double bandTaps = 1e11;

/// Several images fill this part of a slot at most: copying them takes far longer than starting them, and in
/// short stacks too there are some left for the other slots.
constexpr double shareOfSeveral = 0.25;

/// Threads of the host that copy for a device. More would not be faster, and are taken from those that read
/// and write files.
constexpr int mostCopyThreads = 4;

/// Setting up a device that nobody has used takes as long as some tens of bands.
constexpr int bandsBeforeOthers = 32;

int copyThreads(const PlanOptions& options, int devices) {
  const int most = mostCopyThreads * devices;
  return options.threads > 0 ? std::min(options.threads, most) : most;
}

class OneImage final : public RunQueue {
 public:
  OneImage(Source& source, Sink& sink, const Region& region) : item_{source, sink, region} {}
  Item* next(bool) override { return std::exchange(next_, nullptr); }
  void done(Item&) override {}
  const PhaseTimes& times() const { return item_.times; }

 private:
  Item item_;
  Item* next_ = &item_;
};

class BandPlan final : public Plan {
 public:
  BandPlan(const ConvolutionProblem& problem, int anchorY, std::vector<int> devices, LoadBank load,
           const PlanOptions& options, double bandBytes)
      : problem_(problem),
        layout_(problem),
        anchorY_(anchorY),
        bandBytes_(bandBytes),
        namesDevices_(devices.size() > 1 || devicesNamed()),
        team_(copyThreads(options, static_cast<int>(devices.size()))),
        lanes_(problem, std::move(devices), std::move(load)),
        shape_(kernel().describe()),
        traits_(kernel().traits()) {}

  PlanInfo info() const override { return {.shape = shape_, .why = lanes_.failures()}; }
  NumericTraits traits() const override { return traits_; }

  std::string device() const override {
    if (!namesDevices_ || devices_.empty()) return {};
    std::vector<std::string> names;
    for (const int device : devices_) names.push_back(nameOf(device));
    return kindOf(devices_.front()).name + " (" + joinWords(names) + ")";
  }

  ImageMemory* imageMemory() const override { return &PinnedImages::get(); }

  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
    OneImage queue(source, sink, region);
    runAll(queue, stop);
    return queue.times();
  }

  void runAll(RunQueue& queue, std::stop_token stop) override {
    if (stop.stop_requested()) throw Cancelled();
    lanes_.leaveOutLost();
    try {
      while (true) {
        try {
          return runWaiting(queue, stop);
        } catch (const LaneFailed& failed) {
          if (!goOnAfter(failed)) throw;
        }
      }
    } catch (...) {
      lanes_.stop();
      busy_.clear();
      runs_.clear();
      waiting_.clear();
      throw;
    }
  }

 private:
  struct Busy {
    Lane& lane;
    Slot& slot;
  };

  const BandKernel& kernel() const { return lanes_.open().front()->kernel(); }

  /// Everything that the queue has.
  void runWaiting(RunQueue& queue, const std::stop_token& stop) {
    while (true) {
      if (waiting_.empty()) askFor(queue, runs_.empty());
      if (!waiting_.empty()) {
        startBands(gather(queue), queue, stop);
      } else if (runs_.empty()) {
        return;
      } else {
        deliver(queue, stop);
      }
    }
  }

  void askFor(RunQueue& queue, bool wait) {
    PlanImage* const item = queue.next(wait);
    if (item != nullptr) waiting_.push_back(std::make_unique<Run>(Run{*item}));
  }

  /// What is under way waits again, from the first row that is not with its sink.
  bool goOnAfter(const LaneFailed& failed) {
    if (failed.code() != ErrorCode::Device && failed.code() != ErrorCode::Limit) return false;
    const bool smaller = failed.code() == ErrorCode::Limit && !lanes_.hasOther();
    if (smaller ? !canBeSmaller() : !lanes_.hasOther()) return false;
    lanes_.stop();
    busy_.clear();
    if (smaller) {
      mostRows_ = std::max(1, chooseBandRows(runs_.front()->item.region) / 4);
      lanes_.open().front()->freeSlots();
    } else {
      lanes_.leaveOut(failed);
    }
    for (; !runs_.empty(); runs_.pop_back()) waiting_.push_front(std::move(runs_.back()));
    return true;
  }

  /// Out of memory: smaller bands and fewer images do, now and later, unless some of them are with their
  /// sink, or no band is smaller.
  bool canBeSmaller() const {
    return !runs_.empty() &&
           std::none_of(runs_.begin(), runs_.end(), [](const auto& run) { return run->rowsDone > 0; }) &&
           chooseBandRows(runs_.front()->item.region) > 1;
  }

  /// That a slot is meant to hold, of one image or of several.
  double rowsOfSlot(const Region& region) const {
    const double row = static_cast<double>(layout_.bytes(region.width, 1)) +
                       static_cast<double>(kernel().workBytesPerRow(region.width)) +
                       static_cast<double>(problem_.width) * problem_.channels *
                           static_cast<double>(sizeOf(problem_.srcType));
    const double taps = static_cast<double>(region.width) * layout_.valuePlanes * problem_.filterHeight *
                        problem_.filterWidth * problem_.tapChannels() *
                        (problem_.combine == Combine::None ? 1 : problem_.filterCount);
    return std::min({bandBytes_ / row, bandTaps / taps, static_cast<double>(mostRows_)});
  }

  int chooseBandRows(const Region& region) const {
    const int rows = std::clamp(static_cast<int>(rowsOfSlot(region)), 1, region.height);
    const int together = kernel().rowsTogether();
    return rows == region.height || rows < together ? rows : rows / together * together;
  }

  int chooseImages(const Region& region) const {
    const double images = shareOfSeveral * rowsOfSlot(region) / region.height;
    return std::clamp(static_cast<int>(images), 1, kernel().imagesTogether());
  }

  /// The first that waits, with those that go into a slot with it.
  std::vector<Run*> gather(RunQueue& queue) {
    const Region region = waiting_.front()->item.region;
    std::vector<Run*> runs;
    for (int room = chooseImages(region); room > 0; --room) {
      if (waiting_.empty()) askFor(queue, false);
      if (waiting_.empty() || !(waiting_.front()->item.region == region)) break;
      const PlanImage& item = waiting_.front()->item;
      runs_.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
      requireMatch(problem_, item.source, item.sink, item.region);
      runs.push_back(runs_.back().get());
    }
    return runs;
  }

  /// Several images have one band.
  void startBands(const std::vector<Run*>& runs, RunQueue& queue, const std::stop_token& stop) {
    const Region& region = runs.front()->item.region;
    const int bandRows = chooseBandRows(region);
    const BandSource* previous = nullptr;
    for (int done = runs.front()->rowsDone; done < region.height; done += bandRows) {
      if (stop.stop_requested()) throw Cancelled();
      const Busy next = takeSlot(queue, stop);
      next.slot.band = {region.x, region.y + done, region.width, std::min(bandRows, region.height - done)};
      next.slot.runs = runs;
      start(next, previous);
      previous = &next.slot.source;
    }
  }

  Busy takeSlot(RunQueue& queue, const std::stop_token& stop) {
    while (true) {
      const Lanes::Place place = lanes_.idle(started_ >= bandsBeforeOthers);
      if (place.slot != nullptr) return {*place.lane, *place.slot};
      deliver(queue, stop);
    }
  }

  void start(const Busy& next, const BandSource* previous) {
    Slot& slot = next.slot;
    next.lane.prepare(slot, slot.band.y - anchorY_, slot.band.height + problem_.filterHeight - 1);
    for (int i = 0; i < slot.images(); ++i) {
      Run& run = *slot.runs[static_cast<std::size_t>(i)];
      const auto begin = Clock::now();
      slot.source.fill(i, run.item.source, previous, team_);
      run.times.upload += secondsSince(begin);
    }
    next.lane.start(slot);
    busy_.push_back(next);
    ++started_;
  }

  /// Waits for the oldest band and hands it on; images too whose last one it was.
  void deliver(RunQueue& queue, const std::stop_token& stop) {
    const auto& [lane, slot] = busy_.front();
    const PhaseTimes all = lane.finish(slot, stop);
    const double share = 1.0 / slot.images();
    const std::vector<Run*> runs = std::exchange(slot.runs, {});
    const std::byte* results = slot.result.data();
    const Region band = slot.band;
    const int device = lane.device();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Run* const run = runs[i];
      const auto begin = Clock::now();
      if (slot.inPlace[i].empty()) handOn(band, results, run->item);
      results += layout_.bytes(band.width, band.height);
      run->times += {share * all.upload, share * all.compute, share * all.download + secondsSince(begin)};
      run->rowsDone += band.height;
      if (std::find(run->devices.begin(), run->devices.end(), device) == run->devices.end())
        run->devices.push_back(device);
      if (run->rowsDone < run->item.region.height) continue;
      devices_ = std::move(run->devices);
      std::sort(devices_.begin(), devices_.end());
      run->item.times = run->times;
      queue.done(run->item);
      runs_.pop_front();
    }
    busy_.pop_front();
  }

  /// One image's results of a band, to its sink.
  void handOn(const Region& band, const std::byte* results, PlanImage& item) const {
    Sink& sink = item.sink;
    const int firstRow = band.y - item.region.y;
    for (int i = 0; i < sink.planes(); ++i) {
      const ConstPlane plane = layout_.plane(results, i, band.width, band.height);
      if (const auto whole = sink.resident(i)) {
        const std::size_t bytes = static_cast<std::size_t>(plane.width) * sizeOf(plane.type);
        team_.forRanges(0, plane.height, rowsOfACopy(bytes), [&](int first, int last) {
          for (int y = first; y < last; ++y) std::memcpy(whole->row(firstRow + y), plane.row(y), bytes);
        });
      } else {
        sink.writeRows(i, firstRow, plane);
      }
    }
  }

  ConvolutionProblem problem_;
  BandLayout layout_;
  int anchorY_;
  double bandBytes_;
  bool namesDevices_;
  ThreadTeam team_;
  Lanes lanes_;
  std::string shape_;
  NumericTraits traits_;
  std::deque<Busy> busy_;                     ///< oldest first
  std::deque<std::unique_ptr<Run>> runs_;     ///< under way, oldest first
  std::deque<std::unique_ptr<Run>> waiting_;  ///< taken from the queue, to be started next
  std::vector<int> devices_;                  ///< of the image that was done last
  int started_ = 0;
  int mostRows_ = std::numeric_limits<int>::max();
};

}  // namespace

std::unique_ptr<Plan> makeBandPlan(const ConvolutionProblem& problem, int anchorY, LoadBank load,
                                   const PlanOptions& options, double bandBytes) {
  tellDevicesLeftOut();
  return std::make_unique<BandPlan>(problem, anchorY, devicesInUse(), std::move(load), options, bandBytes);
}

std::unique_ptr<Plan> makeBandPlan(const ConvolutionProblem& problem, int anchorY,
                                   std::unique_ptr<BandKernel> kernel, const PlanOptions& options,
                                   double bandBytes) {
  const auto given = std::make_shared<std::unique_ptr<BandKernel>>(std::move(kernel));
  return std::make_unique<BandPlan>(
      problem, anchorY, std::vector{currentDevice()}, [given] { return std::move(*given); }, options,
      bandBytes);
}

}  // namespace bankside::cuda

#include "kernels/cuda/runtime/band_plan.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "core/parallel.h"
#include "core/stopwatch.h"
#include "kernels/cuda/pixels/image_batch.h"
#include "kernels/cuda/pixels/tile_math.h"
#include "kernels/cuda/runtime/band_slot.h"
#include "kernels/cuda/runtime/device_mutex.h"
#include "kernels/cuda/runtime/device_state.h"

namespace bankside::cuda {
namespace {

/// Multiply-adds of one band: about 50 ms on a small GPU, so that a stop is noticed in time.
constexpr double bandTaps = 1e11;

/// Three take turns: one is filled or emptied by the host while the copies and kernels of two others run.
constexpr int slotCount = 3;

/// Several images fill this part of a slot at most: copying them takes far longer than starting them, and in
/// short stacks too there are some left for the other slots.
constexpr double shareOfSeveral = 0.25;

/// Threads of the host that copy. More would not be faster, and are taken from those that read and write
/// files.
constexpr int mostCopyThreads = 4;

int copyThreads(const PlanOptions& options) {
  return options.threads > 0 ? std::min(options.threads, mostCopyThreads) : mostCopyThreads;
}

/// How long a band is waited for awake, and how long between two looks afterwards.
constexpr double spinSeconds = 200e-6;
constexpr std::chrono::microseconds sleepTime{50};

class OneImage final : public RunQueue {
 public:
  OneImage(Source& source, Sink& sink, const Region& region) : item_{source, sink, region} {}
  Item* next(bool) override { return std::exchange(next_, nullptr); }
  void done(Item&, const PhaseTimes& times) override { times_ = times; }
  const PhaseTimes& times() const { return times_; }

 private:
  Item item_;
  Item* next_ = &item_;
  PhaseTimes times_;
};

class BandPlan final : public Plan {
 public:
  BandPlan(const ConvolutionProblem& problem, int anchorY, std::unique_ptr<BandKernel> kernel,
           const PlanOptions& options, double bandBytes)
      : problem_(problem),
        anchorY_(anchorY),
        bandBytes_(bandBytes),
        team_(copyThreads(options)),
        kernel_(std::move(kernel)) {
    const auto types = outputPlanes(problem);
    withIndex_ = problem.combine == Combine::ArgMax;
    type_ = types.front();
    valuePlanes_ = static_cast<int>(types.size()) / (withIndex_ ? 2 : 1);
  }

  PlanInfo info() const override { return {.shape = kernel_->describe()}; }
  NumericTraits traits() const override { return kernel_->traits(); }

  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
    OneImage queue(source, sink, region);
    runAll(queue, stop);
    return queue.times();
  }

  void runAll(RunQueue& queue, std::stop_token stop) override {
    if (stop.stop_requested()) throw Cancelled();
    if (const Support state = deviceState(); !state) throw Error(ErrorCode::Device, state.reason);
    std::unique_lock lock(deviceMutex());
    try {
      while (true) {
        try {
          return runWaiting(queue, lock, stop);
        } catch (const Error& error) {
          if (error.code() != ErrorCode::Limit || !beginAgainSmaller()) throw;
        }
      }
    } catch (...) {
      stopDevice();
      runs_.clear();
      waiting_.clear();
      throw;
    }
  }

 private:
  /// Everything that the queue has. While nothing is under way others may have the device.
  void runWaiting(RunQueue& queue, std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    while (slots_.size() < slotCount) slots_.push_back(std::make_unique<Slot>(problem_));
    while (true) {
      if (waiting_.empty()) {
        if (runs_.empty()) lock.unlock();
        RunQueue::Item* const item = queue.next(runs_.empty());
        if (runs_.empty()) lock.lock();
        if (item != nullptr) waiting_.push_back(item);
      }
      if (!waiting_.empty()) {
        startBands(gather(queue), queue, stop);
      } else if (runs_.empty()) {
        return;
      } else {
        deliver(oldest(), queue, stop);
      }
    }
  }

  /// Nothing may still write to buffers that the next run uses.
  void stopDevice() {
    cudaDeviceSynchronize();
    for (const auto& slot : slots_) slot->runs.clear();
  }

  /// Out of memory: what is under way waits again, for smaller bands and fewer images, now and later. False
  /// if some of it is with its sink, or no band is smaller.
  bool beginAgainSmaller() {
    if (runs_.empty() || std::any_of(runs_.begin(), runs_.end(), [](const auto& run) { return run->begun; }))
      return false;
    const int rows = chooseBandRows(runs_.front()->item.region);
    if (rows == 1) return false;
    stopDevice();
    slots_.clear();
    for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) waiting_.push_front(&(*run)->item);
    runs_.clear();
    mostRows_ = std::max(1, rows / 4);
    return true;
  }

  int resultStride(int width) const { return roundUp(width, 64); }

  std::size_t resultBytes(int width, int rows) const {
    const std::size_t pixels = static_cast<std::size_t>(resultStride(width)) * static_cast<std::size_t>(rows);
    return pixels * static_cast<std::size_t>(valuePlanes_) * (sizeOf(type_) + (withIndex_ ? 2 : 0));
  }

  std::size_t sourceBytes(const Slot& slot) const {
    return slot.source.bytes(slot.source.rows()) * static_cast<std::size_t>(slot.images());
  }

  std::size_t resultBytes(const Slot& slot) const {
    return resultBytes(slot.band.width, slot.band.height) * static_cast<std::size_t>(slot.images());
  }

  /// That a slot is meant to hold, of one image or of several.
  double rowsOfSlot(const Region& region) const {
    const double row = static_cast<double>(resultBytes(region.width, 1)) +
                       static_cast<double>(kernel_->workBytesPerRow(region.width)) +
                       static_cast<double>(problem_.width) * problem_.channels *
                           static_cast<double>(sizeOf(problem_.srcType));
    const double taps = static_cast<double>(region.width) * valuePlanes_ * problem_.filterHeight *
                        problem_.filterWidth * problem_.tapChannels() *
                        (problem_.combine == Combine::None ? 1 : problem_.filterCount);
    return std::min({bandBytes_ / row, bandTaps / taps, static_cast<double>(mostRows_)});
  }

  int chooseBandRows(const Region& region) const {
    return std::clamp(static_cast<int>(rowsOfSlot(region)), 1, region.height);
  }

  int chooseImages(const Region& region) const {
    const double images = shareOfSeveral * rowsOfSlot(region) / region.height;
    return std::clamp(static_cast<int>(images), 1, kernel_->imagesTogether());
  }

  Run* begin(RunQueue::Item& item) {
    requireMatch(problem_, item.source, item.sink, item.region);
    runs_.push_back(std::make_unique<Run>(Run{item, {}}));
    return runs_.back().get();
  }

  /// The first that waits, with those that go into a slot with it.
  std::vector<Run*> gather(RunQueue& queue) {
    const Region region = waiting_.front()->region;
    std::vector<Run*> runs;
    for (int room = chooseImages(region); room > 0; --room) {
      if (waiting_.empty()) {
        RunQueue::Item* const item = queue.next(false);
        if (item == nullptr) break;
        waiting_.push_back(item);
      }
      if (!(waiting_.front()->region == region)) break;
      runs.push_back(begin(*waiting_.front()));
      waiting_.pop_front();
    }
    return runs;
  }

  Slot& slotAt(int turn) { return *slots_[static_cast<std::size_t>(turn % slotCount)]; }

  /// The busy slot that was started first.
  Slot& oldest() {
    int turn = turn_;
    while (slotAt(turn).idle()) ++turn;
    return slotAt(turn);
  }

  /// Several images have one band.
  void startBands(const std::vector<Run*>& runs, RunQueue& queue, const std::stop_token& stop) {
    const Region& region = runs.front()->item.region;
    const int bandRows = chooseBandRows(region);
    const BandSource* previous = nullptr;
    for (int done = 0; done < region.height; done += bandRows) {
      if (stop.stop_requested()) throw Cancelled();
      Slot& slot = slotAt(turn_);
      if (!slot.idle()) deliver(slot, queue, stop);
      slot.band = {region.x, region.y + done, region.width, std::min(bandRows, region.height - done)};
      slot.runs = runs;
      start(slot, previous);
      previous = &slot.source;
      turn_ = (turn_ + 1) % slotCount;
    }
  }

  void start(Slot& slot, const BandSource* previous) {
    const int rows = slot.band.height + problem_.filterHeight - 1;
    slot.source.prepare(slot.band.y - anchorY_, rows, slot.images());
    for (int i = 0; i < slot.images(); ++i) {
      Run& run = *slot.runs[static_cast<std::size_t>(i)];
      const auto begin = Clock::now();
      slot.source.fill(i, run.item.source, previous, team_);
      run.times.upload += secondsSince(begin);
    }
    slot.deviceSource.reserve(sourceBytes(slot));
    slot.deviceResult.reserve(resultBytes(slot));
    slot.result.reserve(resultBytes(slot));

    slot.uploadBegin.record(upload_);
    upload(slot);
    slot.uploadEnd.record(upload_);
    slot.uploadEnd.holdBack(compute_);
    slot.computeBegin.record(compute_);
    compute(slot);
    slot.computeEnd.record(compute_);
    slot.computeEnd.holdBack(download_);
    slot.downloadBegin.record(download_);
    download(slot);
    slot.downloadEnd.record(download_);
  }

  void upload(const Slot& slot) const {
    BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(slot.deviceSource.data(), slot.source.data(), sourceBytes(slot),
                                        cudaMemcpyHostToDevice, upload_));
  }

  void compute(const Slot& slot) {
    const int rows = slot.source.rows();
    const auto channelStride =
        static_cast<std::ptrdiff_t>(slot.source.rowBytes() / sizeOf(problem_.srcType)) * rows;
    const ImageBatch batch{slot.images(), static_cast<std::ptrdiff_t>(slot.source.bytes(rows)),
                           static_cast<std::ptrdiff_t>(resultBytes(slot.band.width, slot.band.height))};
    for (int group = 0; group < problem_.responseGroups(); ++group)
      kernel_->startBatch(arguments(slot, group), batch, channelStride, rows, compute_);
  }

  void download(const Slot& slot) const {
    BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(slot.result.data(), slot.deviceResult.data(), resultBytes(slot),
                                        cudaMemcpyDeviceToHost, download_));
  }

  KernelArguments arguments(const Slot& slot, int group) const {
    KernelArguments a;
    const std::size_t channelBytes = slot.source.rowBytes() * static_cast<std::size_t>(slot.source.rows());
    a.src = {slot.deviceSource.data() + static_cast<std::size_t>(group) * channelBytes,
             static_cast<std::ptrdiff_t>(slot.source.rowBytes() / sizeOf(problem_.srcType)),
             problem_.srcType,
             problem_.width,
             problem_.height,
             slot.source.first(),
             true};
    a.dst.type = type_;
    a.dst.stride = resultStride(slot.band.width);
    a.dst.planeStride = a.dst.stride * slot.band.height;
    const int plane = problem_.combine == Combine::None ? group * problem_.filterCount : group;
    a.dst.pixels =
        slot.deviceResult.data() + plane * a.dst.planeStride * static_cast<std::ptrdiff_t>(sizeOf(type_));
    if (withIndex_) {
      a.dst.index = reinterpret_cast<std::uint16_t*>(slot.deviceResult.data() +
                                                     valuePlanes_ * a.dst.planeStride *
                                                         static_cast<std::ptrdiff_t>(sizeOf(type_))) +
                    group * a.dst.planeStride;
    }
    a.x = slot.band.x;
    a.y = slot.band.y;
    a.width = slot.band.width;
    a.height = slot.band.height;
    return a;
  }

  /// A short wait costs no sleep, a long one no processor.
  static void waitFor(const Event& event, const std::stop_token& stop) {
    const auto begin = Clock::now();
    while (!event.reached()) {
      if (stop.stop_requested()) throw Cancelled();
      if (secondsSince(begin) > spinSeconds) std::this_thread::sleep_for(sleepTime);
    }
  }

  /// Waits for the band and hands it on; images too whose last one it was.
  void deliver(Slot& slot, RunQueue& queue, const std::stop_token& stop) {
    waitFor(slot.downloadEnd, stop);
    const double share = 1.0 / slot.images();
    const PhaseTimes each{share * secondsBetween(slot.uploadBegin, slot.uploadEnd),
                          share * secondsBetween(slot.computeBegin, slot.computeEnd),
                          share * secondsBetween(slot.downloadBegin, slot.downloadEnd)};
    const std::vector<Run*> runs = std::exchange(slot.runs, {});
    const std::byte* results = slot.result.data();
    for (Run* const run : runs) {
      const auto begin = Clock::now();
      run->begun = true;
      handOn(slot, results, run->item);
      results += resultBytes(slot.band.width, slot.band.height);
      run->times.upload += each.upload;
      run->times.compute += each.compute;
      run->times.download += each.download + secondsSince(begin);
      const Region& region = run->item.region;
      if (slot.band.y + slot.band.height < region.y + region.height) continue;
      queue.done(run->item, run->times);
      runs_.pop_front();
    }
  }

  /// One image's results of a band, to its sink.
  void handOn(const Slot& slot, const std::byte* results, RunQueue::Item& item) const {
    const Region& region = item.region;
    Sink& sink = item.sink;
    const int firstRow = slot.band.y - region.y;
    const std::ptrdiff_t stride = resultStride(slot.band.width);
    const std::ptrdiff_t planeElements = stride * slot.band.height;
    const auto valueBytes = valuePlanes_ * planeElements * static_cast<std::ptrdiff_t>(sizeOf(type_));
    for (int i = 0; i < sink.planes(); ++i) {
      const bool index = withIndex_ && i % 2 == 1;
      const ElementType type = index ? ElementType::U16 : type_;
      const auto size = static_cast<std::ptrdiff_t>(sizeOf(type));
      const std::byte* data =
          results + (index ? valueBytes : 0) + (withIndex_ ? i / 2 : i) * planeElements * size;
      const ConstPlane plane{data, type, slot.band.width, slot.band.height, stride * size};
      if (const auto whole = sink.resident(i)) {
        const std::size_t bytes = static_cast<std::size_t>(plane.width) * static_cast<std::size_t>(size);
        team_.forRanges(0, plane.height, 64, [&](int first, int last) {
          for (int y = first; y < last; ++y) std::memcpy(whole->row(firstRow + y), plane.row(y), bytes);
        });
      } else {
        sink.writeRows(i, firstRow, plane);
      }
    }
  }

  ConvolutionProblem problem_;
  int anchorY_;
  double bandBytes_;
  ThreadTeam team_;
  std::unique_ptr<BandKernel> kernel_;
  Stream upload_, compute_, download_;
  std::vector<std::unique_ptr<Slot>> slots_;
  int turn_ = 0;                           ///< the slot that is next
  std::deque<std::unique_ptr<Run>> runs_;  ///< oldest first
  std::deque<RunQueue::Item*> waiting_;    ///< taken from the queue, to be started next
  ElementType type_ = ElementType::F32;
  bool withIndex_ = false;
  int valuePlanes_ = 1;
  int mostRows_ = std::numeric_limits<int>::max();
};

}  // namespace

std::unique_ptr<Plan> makeBandPlan(const ConvolutionProblem& problem, int anchorY,
                                   std::unique_ptr<BandKernel> kernel, const PlanOptions& options,
                                   double bandBytes) {
  return std::make_unique<BandPlan>(problem, anchorY, std::move(kernel), options, bandBytes);
}

}  // namespace bankside::cuda

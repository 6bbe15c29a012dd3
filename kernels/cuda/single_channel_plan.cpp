#include "kernels/cuda/single_channel_plan.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/parallel.h"
#include "kernels/cuda/band_source.h"
#include "kernels/cuda/device_choice.h"
#include "kernels/cuda/loaded_bank.h"
#include "kernels/cuda/stream.h"

namespace bankside::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// Multiply-adds of one band: about 50 ms on a small GPU, so that a stop is noticed in time.
constexpr double bandTaps = 1e11;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One band on its way: two of these take turns.
struct Slot {
  explicit Slot(const ConvolutionProblem& problem) : source(problem) {}
  BandSource source;
  DeviceBuffer deviceSource;
  DeviceBuffer deviceResult;
  PinnedBuffer result;
  Event uploadBegin, uploadEnd, computeBegin, computeEnd, downloadBegin, downloadEnd;
  Region band;  ///< in the image
  bool busy = false;
};

/// The bank of the single-channel kernels: every group is one plane.
class SingleChannelBand final : public BandKernel {
 public:
  SingleChannelBand(const ConvolutionProblem& problem, const CorrelationTaps& taps, const PlanTuning& tuning)
      : bound_{gammaBound(static_cast<double>(problem.filterHeight) * problem.filterWidth), true},
        bank_(problem, taps,
              tuning.choice.variant >= 0 ? tuning.choice
                                         : chooseOnDevice(problem, taps.anchorX, taps.anchorY)) {}

  std::string describe() const override { return bank_.describe(); }
  ErrorBound errorBound() const override { return bound_; }
  void start(KernelArguments a, std::ptrdiff_t, int, cudaStream_t stream) override { bank_.start(a, stream); }

 private:
  ErrorBound bound_;
  LoadedBank bank_;
};

class BandPlan final : public Plan {
 public:
  BandPlan(const ConvolutionProblem& problem, int anchorY, std::unique_ptr<BandKernel> kernel,
           const PlanOptions& options, double bandBytes)
      : problem_(problem),
        anchorY_(anchorY),
        bandBytes_(bandBytes),
        team_(options.threads),
        kernel_(std::move(kernel)) {
    const auto types = outputPlanes(problem);
    withIndex_ = problem.combine == Combine::ArgMax;
    type_ = types.front();
    valuePlanes_ = static_cast<int>(types.size()) / (withIndex_ ? 2 : 1);
  }

  std::string variant() const override { return kernel_->describe(); }
  ErrorBound errorBound() const override { return kernel_->errorBound(); }

  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
    requireMatch(problem_, source, sink, region);
    if (stop.stop_requested()) throw Cancelled();
    if (const Support state = deviceState(); !state) throw Error(ErrorCode::Device, state.reason);
    const std::lock_guard lock(deviceMutex());
    int bandRows = chooseBandRows(region);
    while (true) {
      try {
        return runInBands(source, sink, region, bandRows, stop);
      } catch (const Error& error) {
        // Out of memory before anything was written: smaller bands.
        if (error.code() != ErrorCode::Limit || delivered_ > 0 || bandRows == 1) throw;
        slots_.clear();
        bandRows = std::max(1, bandRows / 4);
      }
    }
  }

 private:
  int resultStride(int width) const { return roundUp(width, 64); }

  std::size_t resultBytes(int width, int rows) const {
    const std::size_t pixels = static_cast<std::size_t>(resultStride(width)) * static_cast<std::size_t>(rows);
    return pixels * static_cast<std::size_t>(valuePlanes_) * (sizeOf(type_) + (withIndex_ ? 2 : 0));
  }

  int chooseBandRows(const Region& region) const {
    const double row = static_cast<double>(resultBytes(region.width, 1)) +
                       static_cast<double>(kernel_->workBytesPerRow(region.width)) +
                       static_cast<double>(problem_.width) * problem_.channels *
                           static_cast<double>(sizeOf(problem_.srcType));
    const double taps = static_cast<double>(region.width) * valuePlanes_ * problem_.filterHeight *
                        problem_.filterWidth * problem_.tapChannels() *
                        (problem_.combine == Combine::None ? 1 : problem_.filterCount);
    const double rows = std::min(bandBytes_ / row, bandTaps / taps);
    return std::clamp(static_cast<int>(rows), 1, region.height);
  }

  PhaseTimes runInBands(Source& source, Sink& sink, const Region& region, int bandRows,
                        const std::stop_token& stop) {
    delivered_ = 0;
    while (slots_.size() < 2) slots_.push_back(std::make_unique<Slot>(problem_));
    PhaseTimes times;
    try {
      int band = 0;
      for (int done = 0; done < region.height; done += bandRows, ++band) {
        if (stop.stop_requested()) throw Cancelled();
        Slot& slot = *slots_[static_cast<std::size_t>(band % 2)];
        if (slot.busy) deliver(slot, sink, region, times, stop);
        slot.band = {region.x, region.y + done, region.width, std::min(bandRows, region.height - done)};
        const BandSource* previous =
            band > 0 ? &slots_[static_cast<std::size_t>(1 - band % 2)]->source : nullptr;
        start(slot, source, previous, times);
      }
      for (int i = 0; i < 2; ++i) {
        Slot& slot = *slots_[static_cast<std::size_t>((band + i) % 2)];
        if (slot.busy) deliver(slot, sink, region, times, stop);
      }
    } catch (...) {
      cudaDeviceSynchronize();  // nothing may still write to buffers that the next run uses
      for (const auto& slot : slots_) slot->busy = false;
      throw;
    }
    return times;
  }

  void start(Slot& slot, Source& source, const BandSource* previous, PhaseTimes& times) {
    const auto begin = Clock::now();
    const int first = slot.band.y - anchorY_;
    const int rows = slot.band.height + problem_.filterHeight - 1;
    slot.source.fill(source, first, rows, previous, team_);
    times.upload += secondsSince(begin);
    slot.deviceSource.reserve(slot.source.bytes(rows));
    slot.deviceResult.reserve(resultBytes(slot.band.width, slot.band.height));
    slot.result.reserve(resultBytes(slot.band.width, slot.band.height));

    slot.uploadBegin.record(upload_);
    BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(slot.deviceSource.data(), slot.source.data(), slot.source.bytes(rows),
                                        cudaMemcpyHostToDevice, upload_));
    slot.uploadEnd.record(upload_);
    slot.uploadEnd.holdBack(compute_);
    slot.computeBegin.record(compute_);
    const auto channelStride =
        static_cast<std::ptrdiff_t>(slot.source.rowBytes() / sizeOf(problem_.srcType)) * rows;
    for (int group = 0; group < problem_.responseGroups(); ++group)
      kernel_->start(arguments(slot, group), channelStride, rows, compute_);
    slot.computeEnd.record(compute_);
    slot.computeEnd.holdBack(download_);
    slot.downloadBegin.record(download_);
    BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(slot.result.data(), slot.deviceResult.data(),
                                        resultBytes(slot.band.width, slot.band.height),
                                        cudaMemcpyDeviceToHost, download_));
    slot.downloadEnd.record(download_);
    slot.busy = true;
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

  void deliver(Slot& slot, Sink& sink, const Region& region, PhaseTimes& times, const std::stop_token& stop) {
    while (!slot.downloadEnd.reached()) {
      if (stop.stop_requested()) throw Cancelled();
      std::this_thread::yield();
    }
    times.upload += secondsBetween(slot.uploadBegin, slot.uploadEnd);
    times.compute += secondsBetween(slot.computeBegin, slot.computeEnd);
    times.download += secondsBetween(slot.downloadBegin, slot.downloadEnd);
    const auto begin = Clock::now();
    const int firstRow = slot.band.y - region.y;
    const std::ptrdiff_t stride = resultStride(slot.band.width);
    const std::ptrdiff_t planeElements = stride * slot.band.height;
    const auto valueBytes = valuePlanes_ * planeElements * static_cast<std::ptrdiff_t>(sizeOf(type_));
    for (int i = 0; i < sink.planes(); ++i) {
      const bool index = withIndex_ && i % 2 == 1;
      const ElementType type = index ? ElementType::U16 : type_;
      const auto size = static_cast<std::ptrdiff_t>(sizeOf(type));
      const std::byte* data =
          slot.result.data() + (index ? valueBytes : 0) + (withIndex_ ? i / 2 : i) * planeElements * size;
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
    ++delivered_;
    slot.busy = false;
    times.download += secondsSince(begin);
  }

  ConvolutionProblem problem_;
  int anchorY_;
  double bandBytes_;
  ThreadTeam team_;
  std::unique_ptr<BandKernel> kernel_;
  Stream upload_, compute_, download_;
  std::vector<std::unique_ptr<Slot>> slots_;
  ElementType type_ = ElementType::F32;
  bool withIndex_ = false;
  int valuePlanes_ = 1;
  int delivered_ = 0;
};

}  // namespace

std::unique_ptr<Plan> makeSingleChannelPlan(const ConvolutionProblem& problem, const FilterBank& bank,
                                            const PlanOptions& options, const PlanTuning& tuning) {
  const CorrelationTaps taps = correlationTaps(problem, bank);
  return makeBandPlan(problem, taps.anchorY, makeSingleChannelBand(problem, taps, tuning), options,
                      tuning.bandBytes);
}

std::unique_ptr<BandKernel> makeSingleChannelBand(const ConvolutionProblem& problem,
                                                  const CorrelationTaps& taps, const PlanTuning& tuning) {
  return std::make_unique<SingleChannelBand>(problem, taps, tuning);
}

std::unique_ptr<Plan> makeBandPlan(const ConvolutionProblem& problem, int anchorY,
                                   std::unique_ptr<BandKernel> kernel, const PlanOptions& options,
                                   double bandBytes) {
  return std::make_unique<BandPlan>(problem, anchorY, std::move(kernel), options, bandBytes);
}

}  // namespace bankside::cuda

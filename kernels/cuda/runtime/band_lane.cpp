#include "kernels/cuda/runtime/band_lane.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/stopwatch.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/pinned_memory.h"

namespace bankside::cuda {
namespace {

/// Three take turns: one is filled or emptied by the host while the copies and kernels of two others run.
constexpr std::size_t slotCount = 3;

/// How long a band is waited for awake, and how long between two looks afterwards.
constexpr double spinSeconds = 200e-6;
constexpr std::chrono::microseconds sleepTime{50};

/// A short wait costs no sleep, a long one no processor.
void waitFor(const Event& event, const std::stop_token& stop) {
  const auto begin = Clock::now();
  while (!event.reached()) {
    if (stop.stop_requested()) throw Cancelled();
    if (secondsSince(begin) > spinSeconds) std::this_thread::sleep_for(sleepTime);
  }
}

/// What goes wrong is the lane's.
template <class Work>
void onDevice(const Lane& lane, const Work& work) {
  try {
    const CurrentDevice here(lane.device());
    work();
  } catch (const Error& error) {
    throw LaneFailed(error, lane);
  }
}

}  // namespace

Lane::Lane(const ConvolutionProblem& problem, std::unique_ptr<BandKernel> kernel)
    : problem_(problem), layout_(problem), device_(currentDevice()), kernel_(std::move(kernel)) {}

Lane::~Lane() {
  const CurrentDevice here(device_, std::nothrow);
  slots_.clear();
  kernel_.reset();
  cudaGetLastError();
}

int Lane::busy() const {
  return static_cast<int>(
      std::count_if(slots_.begin(), slots_.end(), [](const auto& slot) { return !slot->idle(); }));
}

Slot* Lane::idleSlot() {
  if (slots_.size() < slotCount)
    onDevice(*this, [&] {
      while (slots_.size() < slotCount) slots_.push_back(std::make_unique<Slot>(problem_));
    });
  const auto idle = std::find_if(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->idle(); });
  return idle == slots_.end() ? nullptr : idle->get();
}

void Lane::prepare(Slot& slot, int firstRow, int rows) {
  onDevice(*this, [&] {
    std::vector<Source*> sources;
    slot.inPlace.clear();
    bool copied = false;
    for (const Run* const run : slot.runs) {
      sources.push_back(&run->item.source);
      slot.inPlace.push_back(inPlace(slot, run->item));
      copied = copied || slot.inPlace.back().empty();
    }
    slot.source.prepare(firstRow, rows, sources);
    slot.deviceSource.reserve(sourceBytes(slot));
    slot.deviceResult.reserve(resultBytes(slot));
    if (copied) slot.result.reserve(resultBytes(slot));
  });
}

void Lane::start(Slot& slot) {
  onDevice(*this, [&] {
    slot.uploadBegin.record(upload_);
    slot.source.upload(slot.deviceSource.data(), upload_);
    slot.uploadEnd.record(upload_);
    slot.uploadEnd.holdBack(compute_);
    slot.computeBegin.record(compute_);
    compute(slot);
    slot.computeEnd.record(compute_);
    slot.computeEnd.holdBack(download_);
    slot.downloadBegin.record(download_);
    download(slot);
    slot.downloadEnd.record(download_);
  });
}

/// The band's rows of the sink's planes where all of them are in pinned memory, else none.
std::vector<MutablePlane> Lane::inPlace(const Slot& slot, const PlanImage& item) const {
  std::vector<MutablePlane> planes;
  for (int i = 0; i < item.sink.planes(); ++i) {
    const std::optional<MutablePlane> whole = item.sink.resident(i);
    if (!whole || !isPinned(*whole)) return {};
    planes.push_back(*whole);
    planes.back().data = whole->row(slot.band.y - item.region.y);
    planes.back().width = slot.band.width;
    planes.back().height = slot.band.height;
  }
  return planes;
}

void Lane::download(const Slot& slot) {
  const std::size_t each = layout_.bytes(slot.band.width, slot.band.height);
  copyImages(
      slot.inPlace,
      [&](std::size_t first, std::size_t count) {
        BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(slot.result.data() + first * each,
                                            slot.deviceResult.data() + first * each, count * each,
                                            cudaMemcpyDeviceToHost, download_));
      },
      [&](std::size_t i) {
        for (std::size_t k = 0; k < slot.inPlace[i].size(); ++k) {
          copyRows(slot.inPlace[i][k],
                   layout_.plane(slot.deviceResult.data() + i * each, static_cast<int>(k), slot.band.width,
                                 slot.band.height),
                   download_);
        }
      });
}

PhaseTimes Lane::finish(const Slot& slot, const std::stop_token& stop) {
  PhaseTimes times;
  onDevice(*this, [&] {
    waitFor(slot.downloadEnd, stop);
    times = {secondsBetween(slot.uploadBegin, slot.uploadEnd),
             secondsBetween(slot.computeBegin, slot.computeEnd),
             secondsBetween(slot.downloadBegin, slot.downloadEnd)};
  });
  return times;
}

void Lane::stop() {
  const CurrentDevice here(device_, std::nothrow);
  cudaDeviceSynchronize();
  cudaGetLastError();
  for (const auto& slot : slots_) slot->runs.clear();
}

void Lane::freeSlots() {
  const CurrentDevice here(device_, std::nothrow);
  slots_.clear();
}

void Lane::compute(const Slot& slot) {
  const int rows = slot.source.rows();
  const auto channelStride =
      static_cast<std::ptrdiff_t>(slot.source.rowBytes() / sizeOf(problem_.srcType)) * rows;
  const ImageBatch batch{slot.images(), static_cast<std::ptrdiff_t>(slot.source.bytes(rows)),
                         static_cast<std::ptrdiff_t>(layout_.bytes(slot.band.width, slot.band.height))};
  const DeviceTurn turn(launcher_);
  for (int group = 0; group < problem_.responseGroups(); ++group)
    kernel_->startBatch(arguments(slot, group), batch, channelStride, rows, compute_);
}

KernelArguments Lane::arguments(const Slot& slot, int group) const {
  KernelArguments a;
  const std::size_t channelBytes = slot.source.rowBytes() * static_cast<std::size_t>(slot.source.rows());
  a.src = {slot.deviceSource.data() + static_cast<std::size_t>(group) * channelBytes,
           static_cast<std::ptrdiff_t>(slot.source.rowBytes() / sizeOf(problem_.srcType)),
           problem_.srcType,
           problem_.width,
           problem_.height,
           slot.source.first(),
           true};
  a.dst.type = layout_.type;
  a.dst.stride = layout_.stride(slot.band.width);
  a.dst.planeStride = a.dst.stride * slot.band.height;
  const int plane = problem_.combine == Combine::None ? group * problem_.filterCount : group;
  const auto valueBytes = static_cast<std::ptrdiff_t>(sizeOf(layout_.type));
  a.dst.pixels = slot.deviceResult.data() + plane * a.dst.planeStride * valueBytes;
  if (layout_.withIndex) {
    a.dst.index = reinterpret_cast<std::uint16_t*>(slot.deviceResult.data() +
                                                   layout_.valuePlanes * a.dst.planeStride * valueBytes) +
                  group * a.dst.planeStride;
  }
  a.x = slot.band.x;
  a.y = slot.band.y;
  a.width = slot.band.width;
  a.height = slot.band.height;
  return a;
}

}  // namespace bankside::cuda
